import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { changeItem, setItemStatus } from './change.ts'
import { type RegistersContext, definitionOf } from './context.ts'
import { createItem, createItems, examineItems } from './create.ts'
import type { By, ItemAt, NewItem } from './item.ts'
import { type ItemQuery, getItem, listItems, lockItem, titlesOf } from './read.ts'

/**
 * Registers. Entries are validated by the register's schema, get a new version with every change, and are never
 * deleted. The database enforces references and `x-unique` values. Callers check permissions.
 */
export function registers(trx: Transaction<DB>, library: RegistersContext['library']) {
  const context: RegistersContext = { trx, library }
  return {
    definitionOf: (register: string) => definitionOf(context, register),
    item: (register: string, id: string) => getItem(context, register, id),
    list: (register: string, query?: ItemQuery) => listItems(context, register, query),
    lock: (register: string, id: string) => lockItem(context, register, id),
    titles: (ids: readonly string[]) => titlesOf(context, ids),
    create: (register: string, data: JsonObject, by: By, given?: Omit<NewItem, 'data'>) =>
      createItem(context, register, data, by, given),
    createMany: (register: string, items: readonly NewItem[], by: By) => createItems(context, register, items, by),
    examine: (register: string, items: readonly NewItem[]) => examineItems(context, register, items),
    change: (from: ItemAt, patch: JsonObject, by: By) => changeItem(context, from, patch, by),
    setStatus: (from: ItemAt, status: string, by: By) => setItemStatus(context, from, status, by),
  }
}
