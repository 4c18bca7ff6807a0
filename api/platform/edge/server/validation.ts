import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { messageIn } from '../../kernel/objects.ts'
import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import { formats } from '../../kernel/formats.ts'
import type { App } from '../../http/app.ts'

/** Maximum depth of a body; much deeper ones would overflow the stack. */
const MAX_BODY_DEPTH = 64

/**
 * Routes are validated like forms: JSON Schema 2020-12, all errors at once, nothing silently removed. A schema is
 * compiled on the first call of its route, because compiling all would dominate the start.
 */
export function useOurValidation(app: App): void {
  const options = { strict: false, allErrors: true, useDefaults: true, formats } as const
  const strict = new Ajv2020(options)
  // URLs and form posts contain only text, which is converted to numbers and booleans.
  const coercing = new Ajv2020({ ...options, coerceTypes: 'array' })
  app.setValidatorCompiler(({ schema, httpPart }) =>
    checkedLater(() => (httpPart === 'body' ? strict : coercing).compile(schema as object)),
  )
  const serializers = SerializerSelector()
  let compile: ReturnType<typeof serializers> | undefined
  app.setSerializerCompiler((route) => {
    let write: ((answer: unknown) => string) | undefined
    return (answer) => {
      compile ??= serializers(app.getSchemas(), { ajv: { formats } })
      write ??= compile({ ...route, httpStatus: route.httpStatus ?? 'default' })
      return write(answer)
    }
  })
  app.addHook('preValidation', async ({ body, query, params }) => {
    const wrong = unusable(body, '') ?? unusable(query, 'query') ?? unusable(params, 'params')
    if (wrong) throw unreadable(wrong)
  })
  // Replaces the framework's parser, whose errors say neither what is wrong nor where. `unusable` above rejects names
  // such as `__proto__` in any body.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(unreadable({ field: '', code: 'platform.body-empty' }))
    try {
      done(null, JSON.parse(String(body)))
    } catch (error) {
      const reason = messageIn(error)
      done(unreadable({ field: '', code: 'platform.body-not-json', values: { reason } }))
    }
  })
}

const unreadable = (wrong: FieldError) => new BusinessError('platform.request-invalid', {}, [wrong])

/** A check that is compiled on first use; its errors are in `errors`, like those of any other. */
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

/** The first value that cannot be stored or is not accepted, and its place; undefined if there is none. */
function unusable(value: unknown, field: string, depth = 0): FieldError | undefined {
  if (typeof value === 'string') return unusableText(value, field)
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return undefined
  if (depth === MAX_BODY_DEPTH) return { field: '', code: 'platform.body-too-deep', values: { depth: MAX_BODY_DEPTH } }
  for (const [name, one] of Object.entries(value)) {
    const forbidden = name === '__proto__' || (name === 'constructor' && isPrototyped(one))
    if (forbidden) return { field, code: 'platform.name-forbidden', values: { name } }
    const wrong =
      unusableText(name, field) ??
      unusable(one, `${field}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1)
    if (wrong) return wrong
  }
  return undefined
}

/** Characters that PostgreSQL does not store as text. */
function unusableText(text: string, field: string): FieldError | undefined {
  if (text.includes('\0')) return { field, code: 'platform.text-nul' }
  return text.isWellFormed() ? undefined : { field, code: 'platform.text-broken' }
}

const isPrototyped = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
