import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../kernel/objects.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { type FieldSchema, at } from '../definitions/register.ts'

/** Sources that can prefill a form. Of submissions, the last at each desk counts. */
interface Source {
  data: unknown
  facts: unknown
  subject: unknown
  submissions?: readonly { desk: string | null; data: unknown; effect: string }[]
  /** The requester's own register entry. */
  requester?: unknown
}

/** The initial data of a form, from the places that its fields name with `x-prefill`. */
export function prefilled(
  schema: FieldSchema,
  { data, facts, subject, submissions = [], requester }: Source,
): JsonObject {
  const sent = submissions.filter(({ desk, effect }) => desk !== null && effect !== 'void')
  const known = {
    data,
    facts,
    subject,
    requester,
    answers: Object.fromEntries(sent.map((one) => [one.desk, one.data])),
  }
  const filled = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const pointer = field['x-prefill']
    const value = typeof pointer === 'string' ? at(known, pointer) : undefined
    return value === undefined || value === null ? [] : [[name, value]]
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all sources are JSON of the case
  return Object.fromEntries(filled) as JsonObject
}

/** Whether a form shows prefilled values that nobody can change. */
export function showsGiven({ properties = {} }: FieldSchema): boolean {
  return Object.values(properties).some((field) => field['readOnly'] === true || givenColumns(field).length > 0)
}

/**
 * The read-only fields of an answer that differ from the given ones: another value, another column of a row, more or
 * fewer rows.
 */
export function notAsGiven({ properties = {} }: FieldSchema, given: JsonObject, answer: JsonObject): FieldError[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const columns = givenColumns(field)
    const part = (value: unknown) => (field['readOnly'] === true ? value : columnsOf(value, columns))
    const fixed = field['readOnly'] === true || columns.length > 0
    if (!fixed || answer[name] === undefined || isDeepStrictEqual(part(answer[name]), part(given[name]))) return []
    return [{ field: `/${name}`, code: 'platform.not-as-given' }]
  })
}

function givenColumns({ items }: FieldSchema): string[] {
  return Object.entries(items?.properties ?? {}).flatMap(([name, column]) => (column['readOnly'] ? [name] : []))
}

function columnsOf(rows: unknown, columns: readonly string[]): unknown[][] {
  const all: unknown[] = Array.isArray(rows) ? rows : []
  return all.map((row) => columns.map((name) => (isObject(row) ? row[name] : undefined) ?? null))
}
