import { type RawBuilder, type Transaction, sql } from 'kysely'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'

const SEQUENCE = /\{sequence(?::(\d+))?\}/

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

/** A series, the pattern of its numbers, and the moment that says their year and month. */
interface Series {
  series: string
  pattern: string
  now: Date
}

/**
 * The next number as people read it, as the query `taken` with the column `text`, so that one statement takes and uses
 * it: others wait from then until the commit. It returns no row for a series that has not begun; `beginSeries` first.
 */
export function nextWritten({ series, pattern, now }: Series): RawBuilder<unknown> {
  const [before = '', width = '1', after = ''] = dated(pattern, now).split(SEQUENCE)
  return sql`taken as (
    update number_series set last = last + 1 where series = ${series} and period = ${periodOf(pattern, now)}
    returning ${before}::text || lpad(last::text, greatest(${Number(width)}::integer, length(last::text)), '0') || ${after}::text
      as text
  )`
}

/** Begins a series in its period with 0, if nobody has. */
export async function beginSeries(trx: Transaction<DB>, { series, pattern, now }: Series): Promise<void> {
  await trx
    .insertInto('number_series')
    .values({ series, period: periodOf(pattern, now), last: 0 })
    .onConflict((oc) => oc.doNothing())
    .execute()
}

/** A new series begins with each year or month that the pattern names. */
function periodOf(pattern: string, now: Date): string {
  const { year, month } = monthOf(now)
  return pattern.includes('{mm}') ? `${year}-${month}` : pattern.includes('{yyyy}') ? year : 'all'
}

function filledIn(pattern: string, now: Date, sequence: number): string {
  return dated(pattern, now).replace(SEQUENCE, (_all, width = '1') => String(sequence).padStart(Number(width), '0'))
}

/** The pattern with its year and month. */
function dated(pattern: string, now: Date): string {
  const { year, month } = monthOf(now)
  return pattern.replace('{yyyy}', year).replace('{mm}', month)
}

function monthOf(now: Date): { year: string; month: string } {
  const day = dayInColombo(now)
  return { year: day.slice(0, 4), month: day.slice(5, 7) }
}
