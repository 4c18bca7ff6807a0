import { type Kysely, Transaction } from 'kysely'
import { type Settled, beginAccessChange, settleAccess } from '../access/settle.ts'
import { isOfUnits } from '../access/unit-rules.ts'
import { translateViolations, invalid } from '../../people/access/refusals.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { FieldKeys } from '../../kernel/field-keys.ts'
import type { Library } from '../../model/library/library.ts'
import type { Item } from '../../records/registers/item.ts'
import { registers } from '../../records/registers/registers.ts'
import type { OfferDependencies } from '../offers/offers.ts'

/**
 * What an area does once a person has changed the content of an entry, in the same transaction; `secret` is what is
 * encrypted of it. Returns the entry as it then is.
 */
export type AfterChange = (trx: Transaction<DB>, entry: Item, secret: JsonObject) => Promise<Item>

/** What follows a change, by register. */
export interface AfterChanges {
  afterChange: ReadonlyMap<string, AfterChange>
}

export interface RegistersDependencies {
  db: Kysely<DB>
  library: Pick<Library, 'registers' | 'roles' | 'text' | 'flows' | 'forms' | 'reports'>
  /** For encrypted fields; without it nobody reads or writes entries that have some. */
  fieldKeys?: FieldKeys
  /** By register. */
  afterChange?: ReadonlyMap<string, AfterChange>
}

export interface RegistersContext extends RegistersDependencies {
  offers: OfferDependencies
}

/** In a transaction of its own, or in the caller's if that is what the context has. */
export function inTransaction<T>(
  { db, library }: RegistersContext,
  act: (own: ReturnType<typeof registers>, trx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  const within = (trx: Transaction<DB>) => act(registers(trx, library), trx)
  return db instanceof Transaction ? within(db) : db.transaction().execute(within)
}

/**
 * Like `inTransaction`, for writes. A change of units or posts can change substitutes, so it also updates the tasks.
 */
export async function writeRegister<T>(
  context: RegistersContext,
  register: string,
  act: (own: ReturnType<typeof registers>, trx: Transaction<DB>, shifted: () => void) => Promise<T>,
): Promise<T> {
  const { db, offers } = context
  if (!isOfUnits(register))
    return translateViolations(() => inTransaction(context, (own, trx) => act(own, trx, () => undefined)), {
      // The only other change of an entry that takes a slot is making it a part of another.
      allocation_no_overlap: () => invalid([{ field: '/parent', code: 'platform.item-part-booked' }]),
    })
  let settled: Settled | undefined
  const result = await translateViolations(() =>
    inTransaction(context, async (own, trx) => {
      await beginAccessChange(trx)
      let shifts = false
      const done = await act(own, trx, () => void (shifts = true))
      if (shifts) settled = await settleAccess(trx, { accounts: [], principals: [] }, offers)
      return done
    }),
  )
  if (settled) await announce(db, settled)
  return result
}
