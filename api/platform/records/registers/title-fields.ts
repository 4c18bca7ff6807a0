import { validate as isUuid } from 'uuid'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { type RegisterDefinition, textAt } from '../../model/definitions/register.ts'
import type { RegistersContext } from './context.ts'
import { titlesOf } from './read.ts'

/** Entries whose fields with `x-title-of` have the title of the entry that the sibling names now. */
export async function withTitleFields<T extends { data: JsonObject }>(
  context: RegistersContext,
  { item: { properties = {} } }: RegisterDefinition,
  entries: readonly T[],
): Promise<T[]> {
  const fields = Object.entries(properties).flatMap(([name, { 'x-title-of': of }]) => (of ? [{ name, of }] : []))
  if (fields.length === 0) return [...entries]
  const named = entries.flatMap(({ data }) => fields.flatMap(({ of }) => textAt(data, `/${of}`) ?? []))
  const titles = await titlesOf(
    context,
    named.filter((id) => isUuid(id)),
  )
  return entries.map((entry) => {
    const found = fields.flatMap(({ name, of }) => {
      const title = titles[textAt(entry.data, `/${of}`) ?? '']
      return title === undefined ? [] : [[name, title] as const]
    })
    return { ...entry, data: { ...entry.data, ...Object.fromEntries(found) } }
  })
}
