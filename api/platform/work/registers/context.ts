import type { Kysely, Transaction } from 'kysely'
import { type Settled, beginAccessChange, settleAccess } from '../access/settle.ts'
import { isOfUnits } from '../access/unit-rules.ts'
import { inOurWords, invalid } from '../../people/access/refusals.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import { registers } from '../../records/registers/registers.ts'
import type { OfferDependencies } from '../offers/offers.ts'

export interface RegistersDependencies {
  db: Kysely<DB>
  library: Pick<Library, 'registers' | 'roles' | 'text' | 'flows' | 'forms' | 'reports'>
}

export interface RegistersContext extends RegistersDependencies {
  offers: OfferDependencies
}

/** Does something with the registers in a transaction of its own. */
export function inTransaction<T>(
  { db, library }: RegistersContext,
  act: (own: ReturnType<typeof registers>, trx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute((trx: Transaction<DB>) => act(registers(trx, library), trx))
}

/** As `inTransaction`, for what writes. Where units and posts change, so may who stands in for whom: the tasks follow. */
export async function writeRegister<T>(
  context: RegistersContext,
  register: string,
  act: (own: ReturnType<typeof registers>, trx: Transaction<DB>, shifted: () => void) => Promise<T>,
): Promise<T> {
  const { db, offers } = context
  if (!isOfUnits(register))
    return inOurWords(() => inTransaction(context, (own, trx) => act(own, trx, () => undefined)), {
      // Nothing else that is done to an item takes a slot than making it a part of another.
      allocation_no_overlap: () => invalid([{ field: '/parent', code: 'platform.item-part-booked' }]),
    })
  let settled: Settled | undefined
  const result = await inOurWords(() =>
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
