import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { type FindItem, lookUp } from '../../model/definitions/named.ts'
import type { RegisterDefinition } from '../../model/definitions/register.ts'

/** The role that the person of an entry gets with their account, as the register declares it; undefined if unknown. */
export async function roleOfEntry(
  { role }: Pick<RegisterDefinition, 'role'>,
  data: JsonObject,
  find: FindItem,
): Promise<string | undefined> {
  const { at, is } = known(role, 'the role of the people of a register')
  const value = await lookUp(at, data, find)
  return typeof value === 'string' ? is[value] : undefined
}
