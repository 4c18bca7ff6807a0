import type { Transaction } from 'kysely'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'

/**
 * Gap-free numbers of a series and period, for example `resource-reservation/resource-booking` in `2026`. The row stays
 * locked until the transaction ends: a rollback returns the number, and others wait. Call it as late in the transaction
 * as possible.
 */
export function numbers(trx: Transaction<DB>) {
  async function next(series: string, period: string): Promise<number> {
    const { last } = await trx
      .insertInto('number_series')
      .values({ series, period, last: 1 })
      .onConflict((oc) =>
        oc.columns(['series', 'period']).doUpdateSet((eb) => ({ last: eb('number_series.last', '+', '1') })),
      )
      .returning('last')
      .executeTakeFirstOrThrow()
    return Number(last)
  }
  return {
    /** The next number of the series in that period, from 1. */
    next,

    /** The next number as people read it: `RB-{yyyy}-{sequence:6}` gives `RB-2026-000001`. */
    async written(series: string, pattern: string, now: Date): Promise<string> {
      return filledIn(pattern, now, await next(series, periodOf(pattern, now)))
    },
  }
}

/** A new series begins with each year or month that the pattern names. */
function periodOf(pattern: string, now: Date): string {
  const { year, month } = monthOf(now)
  return pattern.includes('{mm}') ? `${year}-${month}` : pattern.includes('{yyyy}') ? year : 'all'
}

function filledIn(pattern: string, now: Date, sequence: number): string {
  const { year, month } = monthOf(now)
  return pattern
    .replace('{yyyy}', year)
    .replace('{mm}', month)
    .replace(/\{sequence(?::(\d+))?\}/, (_all, width: string | undefined) =>
      String(sequence).padStart(Number(width ?? 1), '0'),
    )
}

function monthOf(now: Date): { year: string; month: string } {
  const day = dayInColombo(now)
  return { year: day.slice(0, 4), month: day.slice(5, 7) }
}
