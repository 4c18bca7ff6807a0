import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { type RegisterDefinition, at, pathOf } from '../../model/definitions/register.ts'
import { withoutSensitive } from '../../model/definitions/sensitive.ts'
import type { Item } from './item.ts'

/** An entry as lists show it, without sensitive fields. */
export function listView<T extends Pick<Item, 'data'>>(definition: RegisterDefinition, item: T): T {
  return { ...item, data: withoutSensitive(definition.item, item.data) }
}

/** An entry as the public sees it: only the listed fields, and nothing sensitive. */
export function publicView(definition: RegisterDefinition, whole: Item): Item {
  const item = listView(definition, whole)
  const data: JsonObject = {}
  for (const field of definition.public?.fields ?? []) {
    const [name, ...deeper] = pathOf(field)
    const value = at(item.data, field)
    if (name === undefined || value === undefined) continue
    if (deeper.length > 0) throw new Error(`public fields are top-level ones: ${field}`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a member of JSON is JSON
    data[name] = value as JsonObject[string]
  }
  return { ...item, data }
}
