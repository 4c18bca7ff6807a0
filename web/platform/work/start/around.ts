import useSWR from 'swr'
import type { Problem } from '../../kernel/client/client.ts'
import type { FormSchema } from '../../kernel/client/types.ts'
import type { FormValue } from '../../kernel/form/conditions.ts'
import { readItem } from '../register/registers.ts'

/**
 * What entries that are chosen already decide about the choices around them (`x-within`): a season says whether it is
 * for trains or buses.
 */
export function useAround(schema: FormSchema, values: FormValue) {
  const chosen = Object.entries(values).flatMap(([name, id]) => {
    const { 'x-register': register, 'x-within': within } = schema.properties?.[name] ?? {}
    const known = within === undefined || values[within.field] !== undefined
    return register && typeof id === 'string' && !known ? [{ register, id, ...within }] : []
  })
  return useSWR<FormValue, Problem>(chosen.length > 0 ? ['around', chosen] : null, async () => {
    const items = await Promise.all(chosen.map(({ register, id }) => readItem(register, id)))
    return Object.fromEntries(chosen.map(({ field, by }, index) => [field, items[index]?.data[by]]))
  })
}
