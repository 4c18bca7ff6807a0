import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { certifiedData } from './certifying.ts'
import { changeItem, setItemStatus } from './change.ts'
import { type RegistersContext, definitionOf } from './context.ts'
import { createItem, createItems, examineItems } from './create.ts'
import { followWritten } from './follow.ts'
import type { By, Item, ItemAt, NewItem } from './item.ts'
import { type ItemQuery, getItem, listItems, lockItem, titlesOf } from './read.ts'

/**
 * Registers. Entries are validated by the register's schema, get a new version with every change, and are never
 * deleted. The database enforces references and `x-unique` values. Callers check permissions.
 */
export function registers(trx: Transaction<DB>, library: RegistersContext['library']) {
  const context: RegistersContext = { trx, library }
  const followed = async <T extends Item | Item[]>(written: T): Promise<T> => {
    await followWritten(context, [written].flat())
    return written
  }
  return {
    definitionOf: (register: string) => definitionOf(context, register),
    item: (register: string, id: string) => getItem(context, register, id),
    certified: (register: string, id: string) => certifiedData(context, register, id),
    list: (register: string, query?: ItemQuery) => listItems(context, register, query),
    lock: (register: string, id: string) => lockItem(context, register, id),
    titles: (ids: readonly string[]) => titlesOf(context, ids),
    create: async (register: string, data: JsonObject, by: By, given?: Omit<NewItem, 'data'>) =>
      followed(await createItem(context, register, data, by, given)),
    createMany: async (register: string, items: readonly NewItem[], by: By) =>
      followed(await createItems(context, register, items, by)),
    examine: (register: string, items: readonly NewItem[], about?: { whole?: boolean; seen?: Set<string> }) =>
      examineItems(context, register, items, about),
    change: async (from: ItemAt, patch: JsonObject, by: By) => followed(await changeItem(context, from, patch, by)),
    setStatus: async (from: ItemAt, status: string, by: By) => followed(await setItemStatus(context, from, status, by)),
  }
}
