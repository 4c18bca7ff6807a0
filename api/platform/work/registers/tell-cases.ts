import { type Transaction, sql } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { at } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'
import type { Item } from '../../records/registers/item.ts'
import { addCommand } from '../rows/commands.ts'

/**
 * Sends the cases that name an entry, and wait at a desk of `onChange`, its message, if other values of these fields are
 * now in force: the entry is in use, and was in use with others. The sweep sends the commands.
 */
export async function tellCases(
  { registers, flows }: Pick<Library, 'registers' | 'flows'>,
  trx: Transaction<DB>,
  item: Item,
  by: string,
): Promise<void> {
  if (item.status !== registers.get(item.register)?.statuses[0]) return
  for (const [flow, { manifest }] of flows) {
    const told = manifest.onChange
    if (told?.register !== item.register) continue
    const before = await dataBefore(trx, item)
    const moved = told.fields.some((field) => !isDeepStrictEqual(at(before, field), at(item.data, field)))
    if (!before || !moved) continue
    for (const { id } of await casesAt(trx, { flow, field: told.item, item: item.id, desks: told.at }))
      await addCommand(trx, {
        kind: 'correlate',
        payload: { message: told.message, variables: {} },
        caseId: id,
        actingUser: by,
        lane: 'bulk',
      })
  }
}

/** What the entry said when it was last in use, before its present version. */
async function dataBefore(trx: Transaction<DB>, { id, status, version }: Item): Promise<JsonObject | undefined> {
  const row = await trx
    .selectFrom('register_item_version')
    .select('data')
    .where('item_id', '=', id)
    .where('status', '=', status)
    .where('version', '<', version)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.data
}

/** The running cases of a flow that name an entry in a field, and wait at one of these desks. */
async function casesAt(
  trx: Transaction<DB>,
  { flow, field, item, desks }: { flow: string; field: string; item: string; desks: readonly string[] },
): Promise<{ id: string }[]> {
  return trx
    .selectFrom('flow_case as c')
    .innerJoin('case_item as i', 'i.case_id', 'c.id')
    .select('c.id')
    .where('c.flow', '=', flow)
    .where('c.state', '=', 'running')
    .where('c.withdrawn_at', 'is', null)
    .where('i.path', '=', field)
    .where('i.item_id', '=', item)
    .where(
      sql<boolean>`exists (select from task t where t.case_id = c.id and t.state in ('open', 'held')
        and t.desk = any(${[...desks]}::text[]))`,
    )
    .orderBy('c.id')
    .execute()
}
