import { COLOMBO_AHEAD_MS } from '../../kernel/colombo.ts'
import { isObject } from '../../kernel/objects.ts'
import {
  Ajv2020,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  type ValidateFunction,
  _,
} from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import type { FieldError } from '../../kernel/errors.ts'
import { type SchemaError, fieldErrors, mappingSource } from './field-errors.ts'
import { formats } from '../../kernel/formats.ts'
import { DAY_MS } from '../../kernel/units.ts'
import type { ChosenRow, LeastRow } from '../definitions/field-rules.ts'

const compiled = new WeakMap<object, ValidateFunction>()
const modules = new WeakMap<object, string>()

/**
 * All errors of a form's data, by field, with the form's own messages; empty if there are none. The browser applies the
 * same rules from the same schema.
 */
export function checkForm(schema: object, data: unknown): FieldError[] {
  let validate = compiled.get(schema)
  if (!validate) compiled.set(schema, (validate = compile(schema).validate))
  return validate(data) ? [] : fieldErrors((validate.errors ?? []) as SchemaError[], schema)
}

/**
 * A browser module that validates one form without libraries or `eval`: `check(data)` returns the same errors as the
 * server.
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

/** `x-after`: later or greater than the sibling field of that name. Passes if that one has no value. */
const after: CodeKeywordDefinition = {
  keyword: 'x-after',
  type: ['string', 'number'],
  schemaType: 'string',
  code(cxt) {
    const sibling: string = cxt.schema
    const other = _`${cxt.it.parentData}[${sibling}]`
    const moments = cxt.parentSchema['format'] === 'date-time'
    cxt.fail(moments ? _`Date.parse(${other}) >= Date.parse(${cxt.data})` : _`${other} >= ${cxt.data}`)
  },
}

/** `x-not-before`: the same day or month as the sibling field of that name, or later. Passes if that one has no value. */
const notBefore: CodeKeywordDefinition = {
  keyword: 'x-not-before',
  type: 'string',
  schemaType: 'string',
  code(cxt) {
    const sibling: string = cxt.schema
    cxt.fail(_`${cxt.it.parentData}[${sibling}] > ${cxt.data}`)
  },
}

/** `x-at-most`: not more than the sibling number of that name. Passes if that one has no value. */
const atMost: CodeKeywordDefinition = {
  keyword: 'x-at-most',
  type: 'number',
  schemaType: 'string',
  code(cxt) {
    const sibling: string = cxt.schema
    cxt.fail(_`${cxt.it.parentData}[${sibling}] < ${cxt.data}`)
  },
}

/** The rows of the sibling list of a keyword, and whether one of them is the row that this value names. */
function rowsOf({ gen, it, data, schema }: KeywordCxt): { rows: Code; isNamed: Code } {
  const { list, names }: ChosenRow = schema
  const given = gen.const('given', _`${it.parentData}[${list}]`)
  return { rows: _`(Array.isArray(${given}) ? ${given} : [])`, isNamed: _`(row) => row?.[${names}] === ${data}` }
}

/** `x-row`: the value that `names` has in a row of the sibling `list`. Passes if that has no rows. */
const row: CodeKeywordDefinition = {
  keyword: 'x-row',
  type: 'string',
  schemaType: 'object',
  code(cxt) {
    const { rows, isNamed } = rowsOf(cxt)
    cxt.fail(_`${rows}.length > 0 && !${rows}.some(${isNamed})`)
  },
}

/** `x-least`: the row that the value names has the least `by` of the `list`, or the sibling `unless` says why not. */
const least: CodeKeywordDefinition = {
  keyword: 'x-least',
  type: 'string',
  schemaType: 'object',
  code(cxt) {
    const { by, unless }: LeastRow = cxt.schema
    const { rows, isNamed } = rowsOf(cxt)
    const chosen = _`${rows}.filter(${isNamed})`
    const isLess = _`(other) => other?.[${by}] < row[${by}]`
    const isLeast = _`${chosen}.some((row) => !${rows}.some(${isLess}))`
    cxt.fail(_`!${cxt.it.parentData}[${unless}] && ${chosen}.length > 0 && !${isLeast}`)
  },
}

/** `x-equals`: the same as the sibling field of that name, such as a password that is typed twice. */
const equals: CodeKeywordDefinition = {
  keyword: 'x-equals',
  type: 'string',
  schemaType: 'string',
  code(cxt) {
    const sibling: string = cxt.schema
    cxt.fail(_`${cxt.it.parentData}[${sibling}] !== ${cxt.data}`)
  },
}

/** A bound on a day, counted in days from today in Colombo: `direction` is -1 for days before it. */
const dayBound = (keyword: string, { refused, direction, message }: DayBound): CodeKeywordDefinition => ({
  keyword,
  type: 'string',
  schemaType: 'number',
  code(cxt) {
    const days: number = cxt.schema
    const offset = COLOMBO_AHEAD_MS + direction * days * DAY_MS
    const limit = _`new Date(Date.now() + ${offset}).toISOString().slice(0, 10)`
    cxt.setParams({ limit: days })
    cxt.fail(refused === 'earlier' ? _`${cxt.data} < ${limit}` : _`${cxt.data} > ${limit}`)
  },
  error: { message, params: (cxt) => _`{limit: ${cxt.params['limit']}}` },
})

interface DayBound {
  refused: 'earlier' | 'later'
  direction: 1 | -1
  message: string
}

/** `x-days-ahead`: a day at least this many days after today. */
const daysAhead = dayBound('x-days-ahead', { refused: 'earlier', direction: 1, message: 'is too early' })
/** `x-most-days-ago`: a day at most this many days before today. */
const mostDaysAgo = dayBound('x-most-days-ago', { refused: 'earlier', direction: -1, message: 'is too long ago' })
/** `x-most-days-ahead`: a day at most this many days after today. */
const mostDaysAhead = dayBound('x-most-days-ahead', { refused: 'later', direction: 1, message: 'is too far ahead' })

/** `x-most-days`: at most `days` days from the sibling day `from` to this one, both counted. Passes if that one has no value. */
const mostDays: CodeKeywordDefinition = {
  keyword: 'x-most-days',
  type: 'string',
  schemaType: 'object',
  code(cxt) {
    const { from, days }: { from: string; days: number } = cxt.schema
    cxt.setParams({ limit: days })
    const other = _`${cxt.it.parentData}[${from}]`
    cxt.fail(_`Date.parse(${cxt.data}) - Date.parse(${other}) >= ${days * DAY_MS}`)
  },
  error: { message: 'is too many days', params: (cxt) => _`{limit: ${cxt.params['limit']}}` },
}

/** `x-not-future`: a day, or a year, that is not after today in Colombo; a moment that is not after now. */
const notFuture: CodeKeywordDefinition = {
  keyword: 'x-not-future',
  type: 'string',
  schemaType: 'boolean',
  code(cxt) {
    const today = _`new Date(Date.now() + ${COLOMBO_AHEAD_MS}).toISOString().slice(0, ${cxt.data}.length)`
    const moments = cxt.parentSchema['format'] === 'date-time'
    cxt.fail(moments ? _`Date.parse(${cxt.data}) > Date.now()` : _`${cxt.data} > ${today}`)
  },
}

/** `x-placeholders`: names between double braces are of this list, and there are no other braces. */
const placeholders: CodeKeywordDefinition = {
  keyword: 'x-placeholders',
  type: 'string',
  schemaType: 'array',
  code(cxt) {
    const names: string[] = cxt.schema
    const known = _`new RegExp(${`\\{\\{(${names.join('|')})\\}\\}`}, 'g')`
    const unknown = cxt.gen.const('unknown', _`${cxt.data}.replace(${known}, '').match(/[{}]+[^{}]{0,40}[}]*/)`)
    cxt.setParams({ unknown })
    cxt.fail(_`${unknown} !== null`)
  },
  error: { message: 'names an unknown field', params: (cxt) => _`{limit: ${cxt.params['unknown']}[0]}` },
}

/** `x-once`: no two rows of a list have the same value in this field; the error names the later row. */
const once: CodeKeywordDefinition = {
  keyword: 'x-once',
  type: 'array',
  schemaType: 'string',
  code(cxt) {
    const name: string = cxt.schema
    const rows = cxt.data
    const same = _`(other) => other?.[${name}] !== undefined && other[${name}] === row?.[${name}]`
    const second = cxt.gen.const('second', _`${rows}.findIndex((row, at) => ${rows}.slice(0, at).some(${same}))`)
    cxt.setParams({ second })
    cxt.fail(_`${second} >= 0`)
  },
  error: { message: 'is named twice', params: (cxt) => _`{limit: ${cxt.params['second']} + 1}` },
}

/**
 * A schema in which every single-line text has the format of names, so that it contains no invisible characters.
 * Multi-line texts, passwords, and texts with their own format are not changed.
 */
function withPlainLines(schema: object): object
function withPlainLines(schema: unknown): unknown
function withPlainLines(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  if (Array.isArray(schema)) return schema.map(withPlainLines)
  const { type, format, 'x-widget': widget } = schema
  const isLine = type === 'string' && format === undefined && widget !== 'textarea' && widget !== 'password'
  const parts = Object.entries(schema).map(([name, part]) => [name, withPlainLines(part)] as const)
  return { ...Object.fromEntries(parts), ...(isLine && { format: 'name' }) }
}

// `unicode: false` keeps the length helper out of the browser module; the logger hides its deprecation notice.
function compile(form: object, code: { source?: boolean; esm?: boolean } = {}) {
  const schema = withPlainLines(form)
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    unicode: false,
    logger: false,
    formats,
    code,
    keywords: [
      ...[after, notBefore, atMost, equals, daysAhead, notFuture, placeholders],
      ...[mostDaysAgo, mostDaysAhead, mostDays, once, row, least],
    ],
  })
  return { ajv, validate: ajv.compile(schema) }
}
