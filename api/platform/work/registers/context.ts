import type { Kysely, Transaction } from 'kysely'
import { type Settled, beginAccessChange, settleAccess } from '../access/settle.ts'
import { isOfUnits } from '../access/unit-rules.ts'
import { translateViolations, invalid } from '../../people/access/refusals.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { FieldKeys } from '../../kernel/field-keys.ts'
import type { Library } from '../../model/library/library.ts'
import { registers } from '../../records/registers/registers.ts'
import type { OfferDependencies } from '../offers/offers.ts'

export interface RegistersDependencies {
  db: Kysely<DB>
  library: Pick<Library, 'registers' | 'roles' | 'text' | 'flows' | 'forms' | 'reports'>
  /** For encrypted fields; without it nobody reads or writes entries that have some. */
  fieldKeys?: FieldKeys
}

export interface RegistersContext extends RegistersDependencies {
  offers: OfferDependencies
}

export function inTransaction<T>(
  { db, library }: RegistersContext,
  act: (own: ReturnType<typeof registers>, trx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute((trx: Transaction<DB>) => act(registers(trx, library), trx))
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
