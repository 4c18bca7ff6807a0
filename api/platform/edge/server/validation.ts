import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import { formats } from '../../kernel/formats.ts'
import type { App } from '../../http/app.ts'

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
  app.addHook('preValidation', async ({ body, query, params }) => {
    const wrong = unusable(body, '') ?? unusable(query, 'query') ?? unusable(params, 'params')
    if (wrong) throw unreadable(wrong)
  })
  // In place of the framework's own, which tells neither what is wrong nor where. Names that could change how objects
  // behave are looked for above, in whatever form they came.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(unreadable({ field: '', code: 'platform.body-empty' }))
    try {
      done(null, JSON.parse(body as string))
    } catch (error) {
      const reason = (error as SyntaxError).message
      done(unreadable({ field: '', code: 'platform.body-not-json', values: { reason } }))
    }
  })
}

const unreadable = (wrong: FieldError) => new BusinessError('platform.request-invalid', {}, [wrong])

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

/** The first thing that we could not store or would not read, and where it stands; undefined when all is well. */
function unusable(value: unknown, field: string, depth = 0): FieldError | undefined {
  if (typeof value === 'string') return unusableText(value, field)
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return undefined
  if (depth === DEPTH) return { field: '', code: 'platform.body-too-deep', values: { depth: DEPTH } }
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

/** What PostgreSQL does not store as text. */
function unusableText(text: string, field: string): FieldError | undefined {
  if (text.includes('\0')) return { field, code: 'platform.text-nul' }
  return text.isWellFormed() ? undefined : { field, code: 'platform.text-broken' }
}

const isPrototyped = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
