import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/**
 * Gap-free numbers of a series within a period, such as `resource-reservation/resource-booking` in `2026`.
 * The row stays locked until the transaction ends, so a rollback gives its number back and the next one waits:
 * call it as late in the transaction as possible.
 */
export function numbers(trx: Transaction<DB>) {
  return {
    /** The next number of the series in that period, beginning with 1. */
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
