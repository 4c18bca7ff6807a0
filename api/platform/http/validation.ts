import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { BusinessError } from '../errors.ts'
import { formats } from '../forms/formats.ts'
import type { App } from './app.ts'

/** Deeper than anything that we take; what is much deeper would end in a stack overflow. */
const DEPTH = 64

/**
 * Routes are checked as forms are: JSON Schema 2020-12, every error at once, nothing silently taken away.
 * A schema is compiled when its route is first called: compiling all of them takes a start longer than all else.
 */
export function useOurValidation(app: App): void {
  const options = { strict: false, allErrors: true, useDefaults: true, formats } as const
  const strict = new Ajv2020(options)
  // What comes in an address or a form post is text and has to become numbers and truth values.
  const coercing = new Ajv2020({ ...options, coerceTypes: 'array' })
  app.setValidatorCompiler(({ schema, httpPart }) =>
    checkedLater(() => (httpPart === 'body' ? strict : coercing).compile(schema as object)),
  )
  const serializers = SerializerSelector()
  let compile: ReturnType<typeof serializers> | undefined
  app.setSerializerCompiler((route) => {
    let write: ((answer: unknown) => string) | undefined
    return (answer) => {
      compile ??= serializers(app.getSchemas())
      write ??= compile({ ...route, httpStatus: route.httpStatus ?? 'default' })
      return write(answer)
    }
  })
  app.addHook('preValidation', async (request) => {
    if (isUnstorable(request.body) || isUnstorable(request.query) || isUnstorable(request.params))
      throw new BusinessError('platform.request-invalid')
  })
}

/** A check that is compiled at its first use; as with every other, what it found is its `errors`. */
function checkedLater(compile: () => ValidateFunction) {
  let check: ValidateFunction | undefined
  const checked = (value: unknown): boolean => {
    check ??= compile()
    const right = check(value)
    checked.errors = check.errors
    return right
  }
  checked.errors = undefined as ValidateFunction['errors']
  return checked
}

/** Text that PostgreSQL does not store, or such depth that nobody wrote it by hand. */
function isUnstorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return false
  if (depth === DEPTH) return true
  return Object.entries(value).some(([name, one]) => isUnstorable(name) || isUnstorable(one, depth + 1))
}
