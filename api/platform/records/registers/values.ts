import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { isNic, longNic } from '../../../../forms/platform/nic.ts'
import { type RegisterDefinition, at, inUse, leaves } from '../../model/definitions/register.ts'
import type { Item } from './item.ts'

/** Ids of the entries that an entry refers to. */
export function referencedIds(definition: RegisterDefinition, item: Pick<Item, 'data'>): string[] {
  return references(definition, item.data).map((reference) => reference.target)
}

/** References in the data, by path. */
export function references(definition: RegisterDefinition, data: JsonObject) {
  return leaves(definition.item, data).flatMap(({ path, schema, value }) => {
    const { 'x-register': register, 'x-within': within, 'x-statuses': statuses = null } = schema
    const { 'x-freezes': freezes = null, 'x-needs': needs = null, 'x-agrees': agrees = null } = schema
    const { 'x-selection': selection, 'x-ends': ends = false } = schema
    const { 'x-another': another, 'x-earlier': earlier, 'x-not-later': notLater, 'x-listed': listed } = schema
    const rules = {
      ...(another && { another }),
      ...(earlier && { earlier }),
      ...(notLater && { notLater }),
      ...(listed && { listed }),
    }
    if (!register || typeof value !== 'string') return []
    const around = within && at(data, `${path.slice(0, path.lastIndexOf('/'))}/${within.field}`)
    return [
      {
        path,
        register,
        target: value,
        freezes,
        ends,
        needs,
        agrees,
        statuses,
        selection,
        rules: Object.keys(rules).length > 0 ? rules : null,
        within: within ? { by: within.by, is: around ?? null } : null,
      },
    ]
  })
}

/** Numbers of cases in the data, by path, with the error if there is no such case. */
export function caseNumbers(definition: RegisterDefinition, data: JsonObject) {
  return leaves(definition.item, data).flatMap(({ path, schema, value }) => {
    const { 'x-case': flow, 'x-messages': messages } = schema
    return flow ? [{ path, flow, number: value, code: messages?.['x-case'] ?? 'platform.item-unknown' }] : []
  })
}

/** Files in the data, by path. */
export function filesIn(definition: RegisterDefinition, data: JsonObject) {
  return leaves(definition.item, data).filter(
    ({ schema, value }) => schema['x-widget'] === 'file' && typeof value === 'string',
  )
}

/** A value as unique values are compared. */
export const plain = (value: unknown) => String(value).normalize('NFKC').trim().toLowerCase()

/**
 * Unique values, each with the values it is combined with; letter case and width are ignored, and the two numbers of an
 * identity card are one value. Of a field with `x-unique-in-use` they count while the entry is in use.
 */
export function uniqueValues(definition: RegisterDefinition, { data, status }: Pick<Item, 'data' | 'status'>) {
  const comparable = (format: unknown, value: unknown) =>
    format === 'nic' && isNic(plain(value)) ? longNic(plain(value)) : plain(value)
  return leaves(definition.item, data).flatMap(({ path, schema, value }) => {
    const unique = schema['x-unique']
    if (!unique || (schema['x-unique-in-use'] && status !== inUse(definition))) return []
    const beside = unique === true ? [] : unique.map((name) => plain(data[name] ?? ''))
    const code = schema['x-messages']?.['x-unique'] ?? 'platform.value-taken'
    return [{ path, code, value: [comparable(schema.format, value), ...beside].join('\n') }]
  })
}
