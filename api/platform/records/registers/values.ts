import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { type RegisterDefinition, leaves } from '../../model/definitions/register.ts'
import type { Item } from './item.ts'

/** Ids of the items that an item refers to. */
export function referencedIds(definition: RegisterDefinition, item: Pick<Item, 'data'>): string[] {
  return references(definition, item.data).map((reference) => reference.target)
}

/** What data refer to, by path. */
export function references(definition: RegisterDefinition, data: JsonObject) {
  return leaves(definition.item, data).flatMap(({ path, schema, value }) =>
    schema['x-register'] && typeof value === 'string' ? [{ path, register: schema['x-register'], target: value }] : [],
  )
}

/** The files that data name, by path. */
export function filesIn(definition: RegisterDefinition, data: JsonObject) {
  return leaves(definition.item, data).filter(
    ({ schema, value }) => schema['x-widget'] === 'file' && typeof value === 'string',
  )
}

/**
 * Values that no other item of the register may have, each with those that it is unique together with; case and width
 * of letters make no difference.
 */
export function uniqueValues(definition: RegisterDefinition, data: JsonObject) {
  const plain = (value: unknown) => String(value).normalize('NFKC').trim().toLowerCase()
  return leaves(definition.item, data).flatMap(({ path, schema, value }) => {
    const unique = schema['x-unique']
    if (!unique) return []
    const beside = unique === true ? [] : unique.map((name) => plain(data[name] ?? ''))
    return [{ path, value: [plain(value), ...beside].join('\n') }]
  })
}
