import { isObject } from '../../kernel/objects.ts'
import { asDecided } from '../../model/library/words.ts'
import { rupees } from '../../kernel/rupees.ts'
import type { Library } from '../../model/library/library.ts'
import { readable } from '../../model/library/readable.ts'
import type { FieldSchema } from '../../model/definitions/register.ts'

/** A field of a submission, in words. */
export interface DescribedField {
  /** JSON pointer. */
  field: string
  label: string
  value: string
  /** Reading it is logged in the audit trail. */
  sensitive: boolean
}

/** A field that differs between two submissions; null if one of them has no value. */
export interface DescribedChange {
  field: string
  label: string
  before: string | null
  after: string | null
}

type Say = Library['text']

/** Ids of register entries that a value may contain. */
export function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(idsIn) : []
}

/** A submission field by field; `titles` holds the names of entries and files by id. */
export function fieldsOf(
  schema: FieldSchema,
  data: unknown,
  titles: ReadonlyMap<string, string>,
  say: Say,
): DescribedField[] {
  return within(schema, data, { path: '', label: '', sensitive: false })

  function within(
    field: FieldSchema,
    value: unknown,
    at: { path: string; label: string; sensitive: boolean },
  ): DescribedField[] {
    if (value === undefined || value === null || value === '') return []
    const label = typeof field['title'] === 'string' ? say(field['title']) : at.label
    const sensitive = at.sensitive || field['x-sensitive'] === true
    if (Array.isArray(value))
      return value.flatMap((one, n) => {
        const numbered = value.length > 1 ? `${label} ${n + 1}` : label
        return within(field.items ?? {}, one, { path: `${at.path}/${n}`, label: numbered, sensitive })
      })
    if (isObject(value))
      return inOrder(field).flatMap(([name, part]) =>
        within(part, value[name], { path: `${at.path}/${name}`, label: name, sensitive }),
      )
    return [{ field: at.path, label, value: wordsOf(field, value, titles, say), sensitive }]
  }
}

/** The fields of an object as people see them: in the order of the form, or required ones first. */
function inOrder({ properties = {}, ...field }: FieldSchema): [string, FieldSchema][] {
  const order = field['x-order'] ?? field.required ?? []
  const place = ([name]: [string, FieldSchema]) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.entries(properties).toSorted((a, b) => place(a) - place(b))
}

function wordsOf(field: FieldSchema, value: unknown, titles: ReadonlyMap<string, string>, say: Say): string {
  const title = field.oneOf?.find((option) => option.const === value)?.title
  if (title !== undefined) return asDecided(say(title))
  if (typeof value === 'boolean') return say(value ? 'platform.yes' : 'platform.no')
  if (typeof value === 'number') return field['x-unit'] === 'LKR cents' ? rupees(value) : String(value)
  if (field['x-desk'] !== undefined && value === 'requester') return say('platform.requester')
  return titles.get(String(value)) ?? String(readable({ value })['value'])
}

/** The title of the field at a JSON pointer; undefined if there is no such field or title. */
export function titleAt(schema: FieldSchema, pointer: string): string | undefined {
  const parts = pointer.split('/').slice(1)
  const field = parts.reduce<FieldSchema | undefined>(
    (within, part) => within?.properties?.[part] ?? within?.items,
    schema,
  )
  const title = field?.['title']
  return typeof title === 'string' ? title : undefined
}

/** The changes between two submissions. */
export function changesOf(before: readonly DescribedField[], after: readonly DescribedField[]): DescribedChange[] {
  const byField = (fields: readonly DescribedField[]) => new Map(fields.map((one) => [one.field, one]))
  const [old, present] = [byField(before), byField(after)]
  return [...new Set([...old.keys(), ...present.keys()])].flatMap((field) => {
    const [was, is] = [old.get(field), present.get(field)]
    const shown = is ?? was
    if (!shown || was?.value === is?.value) return []
    return [{ field, label: shown.label, before: was?.value ?? null, after: is?.value ?? null }]
  })
}
