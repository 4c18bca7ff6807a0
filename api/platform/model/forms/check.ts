import { COLOMBO_AHEAD } from '../../kernel/colombo.ts'
import { Ajv2020, type CodeKeywordDefinition, type ValidateFunction, _ } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import type { FieldError } from '../../kernel/errors.ts'
import { type SchemaError, fieldErrors, mappingSource } from './field-errors.ts'
import { formats } from '../../kernel/formats.ts'

const compiled = new WeakMap<object, ValidateFunction>()
const modules = new WeakMap<object, string>()

/**
 * Everything that is wrong with what was sent by a form, by field, in the form's own messages; empty when all is
 * well. The same rules as in the browser, from the same schema.
 */
export function checkForm(schema: object, data: unknown): FieldError[] {
  let validate = compiled.get(schema)
  if (!validate) compiled.set(schema, (validate = compile(schema).validate))
  return validate(data) ? [] : fieldErrors((validate.errors ?? []) as SchemaError[], schema)
}

/**
 * A module for the browser that checks one form without any library and without `eval`:
 * `check(data)` gives the same field errors as the server would.
 */
export function validatorModule(schema: object): string {
  let text = modules.get(schema)
  if (text === undefined) modules.set(schema, (text = moduleOf(schema)))
  return text
}

function moduleOf(schema: object): string {
  const { ajv, validate } = compile(schema, { source: true, esm: true })
  const code = standalone.default(ajv, validate)
  if (/\brequire\(|\bimport\b/.test(code)) throw new Error('a form uses a rule whose check does not stand alone')
  return [
    code,
    mappingSource,
    `const root = ${JSON.stringify(schema)}`,
    'export function check(data) { return validate(data) ? [] : fieldErrors(validate.errors, root) }',
    '',
  ].join('\n')
}

/** `x-after`: later, or more, than the field of that name beside it. Nothing is said where that one is missing or says nothing. */
const after: CodeKeywordDefinition = {
  keyword: 'x-after',
  type: ['string', 'number'],
  schemaType: 'string',
  code(cxt) {
    const other = _`${cxt.it.parentData}[${cxt.schema as string}]`
    const moments = cxt.parentSchema['format'] === 'date-time'
    cxt.fail(moments ? _`Date.parse(${other}) >= Date.parse(${cxt.data})` : _`${other} >= ${cxt.data}`)
  },
}

/** `x-days-ahead`: a day so many days after the present one in Colombo, or later. */
const daysAhead: CodeKeywordDefinition = {
  keyword: 'x-days-ahead',
  type: 'string',
  schemaType: 'number',
  code(cxt) {
    const ahead = COLOMBO_AHEAD + (cxt.schema as number) * DAY
    cxt.setParams({ limit: cxt.schema as number })
    cxt.fail(_`${cxt.data} < new Date(Date.now() + ${ahead}).toISOString().slice(0, 10)`)
  },
  error: { message: 'is too early', params: (cxt) => _`{limit: ${cxt.params['limit']}}` },
}
const DAY = 86_400_000

/**
 * A schema in which every line of text has the format of names: who, what and where are written in such lines, and what
 * cannot be seen has no place in them. Texts of several lines, passwords, and what has a format of its own stay as they are.
 */
function withPlainLines(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(withPlainLines)
  const { type, format, 'x-widget': widget } = schema as Record<string, unknown>
  const isLine = type === 'string' && format === undefined && widget !== 'textarea' && widget !== 'password'
  const parts = Object.entries(schema).map(([name, part]) => [name, withPlainLines(part)] as const)
  return { ...Object.fromEntries(parts), ...(isLine && { format: 'name' }) }
}

// `unicode: false` keeps the length helper out of the browser's module; its deprecation notice goes with the logger.
function compile(form: object, code: { source?: boolean; esm?: boolean } = {}) {
  const schema = withPlainLines(form) as object
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    unicode: false,
    logger: false,
    formats,
    code,
    keywords: [after, daysAhead],
  })
  return { ajv, validate: ajv.compile(schema) }
}
