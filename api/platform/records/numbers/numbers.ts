import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/**
 * Gap-free numbers of a series and period, for example `resource-reservation/resource-booking` in `2026`. The row stays
 * locked until the transaction ends: a rollback returns the number, and others wait. Call it as late in the transaction
 * as possible.
 */
export function numbers(trx: Transaction<DB>) {
  return {
    /** The next number of the series in that period, from 1. */
    async next(series: string, period: string): Promise<number> {
      const { last } = await trx
        .insertInto('number_series')
        .values({ series, period, last: 1 })
        .onConflict((oc) =>
          oc.columns(['series', 'period']).doUpdateSet((eb) => ({ last: eb('number_series.last', '+', '1') })),
        )
        .returning('last')
        .executeTakeFirstOrThrow()
      return Number(last)
    },
  }
}
