import useSWR from 'swr'
import { readPublicItem } from '../../kernel/api/public-items.ts'
import type { Problem } from '../../kernel/client/client.ts'
import type { FormSchema, PublicFlow } from '../../kernel/client/types.ts'
import type { FormValue } from '../../kernel/form/conditions.ts'
import { isRecord } from '../../kernel/record/fields.ts'
import type { PageProps } from '../../kernel/screens/page.ts'

/** The fields of a form that an item decides, and the title of what the item belongs to. */
export interface Given {
  values: FormValue
  title: string | undefined
}

/** A choice within another (`x-within`): the field that holds the other, the register of that, and where it is named. */
export function withinOf(schema: FormSchema, field: string) {
  const within = schema.properties?.[field]?.['x-within']
  const register = within && schema.properties?.[within.field]?.['x-register']
  return within && register ? { ...within, register } : undefined
}

/** An item decides its own field, the field of the choice it lies within, and so on. */
async function givenBy(schema: FormSchema, field: string, item: PublicFlow['items'][number]): Promise<Given> {
  const given: Given = { values: { [field]: item.id }, title: undefined }
  let inner = { field, data: item.data }
  for (;;) {
    const within = withinOf(schema, inner.field)
    const id = within && inner.data[within.by]
    if (!within || typeof id !== 'string') return given
    const { title, data } = await readPublicItem(within.register, id)
    given.title ??= title
    given.values[within.field] = id
    inner = { field: within.field, data }
  }
}

/** What an item decides of the form; undefined while that is read. */
export const useGiven = (
  schema: FormSchema | undefined,
  field: string,
  item: PublicFlow['items'][number] | undefined,
) =>
  useSWR<Given, Problem>(schema && item ? ['given', item.id] : null, async () =>
    schema && item ? givenBy(schema, field, item) : { values: {}, title: undefined },
  )

/** The fields that the query of the address fills in, or a part of its route: `{id}`. */
export function givenIn(
  { params, parameters: { given } }: Pick<PageProps, 'params' | 'parameters'>,
  search: string,
): FormValue {
  if (!isRecord(given)) return {}
  const query = new URLSearchParams(search)
  const inAddress = (name: string) => (name.startsWith('{') ? params[name.slice(1, -1)] : query.get(name))
  const values = Object.entries(given).map(([field, name]) => [field, inAddress(String(name)) ?? undefined] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}
