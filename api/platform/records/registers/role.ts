import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { type FindItem, lookUp, partsOf } from '../../model/definitions/named.ts'
import type { RegisterDefinition } from '../../model/definitions/register.ts'
import type { ItemError } from './refusals.ts'

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

/** Refuses a change of an entry that would ask for another role than the one its person has with their account. */
export async function roleStays(
  trx: Transaction<DB>,
  definition: RegisterDefinition,
  { id, before, after }: { id: string; before: JsonObject; after: JsonObject },
): Promise<ItemError[]> {
  if (!definition.role) return []
  const [field] = partsOf(definition.role.at)
  if (before[field.slice(1)] === after[field.slice(1)]) return []
  const find: FindItem = (named) =>
    trx
      .selectFrom('register_item')
      .select(['id', 'title', 'status', 'version', 'data'])
      .where('id', '=', named)
      .executeTakeFirst()
  const roleOf = async (data: JsonObject) =>
    data[field.slice(1)] === undefined ? undefined : roleOfEntry(definition, data, find)
  const [was, becomes] = [await roleOf(before), await roleOf(after)]
  if (was === becomes) return []
  const account = await trx.selectFrom('account').select('id').where('record_id', '=', id).executeTakeFirst()
  if (!account) return []
  const held = await trx
    .selectFrom('role_grant')
    .select('role')
    .where('account_id', '=', account.id)
    .where('role', 'in', Object.values(definition.role.is))
    .where(sql<boolean>`ends_at is null or ends_at > now()`)
    .execute()
  const others = [was, ...held.map(({ role }) => role)].filter((role) => role !== undefined && role !== becomes)
  return others.length > 0 ? [{ index: 0, field, code: 'platform.item-role-stays' }] : []
}
