import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { entriesAt, lookUp, remembered } from '../../model/definitions/named.ts'
import type { RegisterDefinition } from '../../model/definitions/register.ts'
import type { Person } from '../../people/persons/person.ts'
import type { Item } from '../../records/registers/item.ts'
import { findAnyItem } from '../rows/items.ts'
import type { RegistersContext } from './context.ts'
import { entriesSeen } from './seen.ts'

/** Entries to which an entry leads; its title is a text key. */
export interface Told {
  title: string
  entries: { id: string; register: string; title: string; sees: boolean }[]
}

/** The entries that a register tells of one of its entries; those in no use any more too. */
async function toldBy(
  { registers: all }: Pick<RegistersContext['library'], 'registers'>,
  trx: Transaction<DB>,
  person: Person,
  { tells = [] }: RegisterDefinition,
  { data }: Item,
): Promise<Told[]> {
  const told: Told[] = []
  for (const { title, at } of tells) {
    const entries: Told['entries'] = []
    for (const entry of await entriesAt(at, data, (id) => findAnyItem(trx, id))) {
      const [sees = false] = await entriesSeen(trx, person, known(all.get(entry.register), 'its register'), [entry])
      entries.push({ id: entry.id, register: entry.register, title: entry.title, sees })
    }
    told.push({ title, entries })
  }
  return told
}

/** What the entries to which an entry leads say of it. */
export async function namedOf(
  library: RegistersContext['library'],
  trx: Transaction<DB>,
  person: Person,
  definition: RegisterDefinition,
  item: Item,
): Promise<{ selections: string[]; tells: Told[] }> {
  return {
    selections: await selectionsOf(trx, definition, item),
    tells: await toldBy(library, trx, person, definition, item),
  }
}

async function selectionsOf(
  trx: Transaction<DB>,
  { selections = {} }: RegisterDefinition,
  { data }: Item,
): Promise<string[]> {
  const find = remembered((id) => findAnyItem(trx, id))
  const among: string[] = []
  for (const [name, { at, is }] of Object.entries(selections)) {
    const value = await lookUp(at, data, find)
    if (typeof value === 'string' && is.includes(value)) among.push(name)
  }
  return among
}
