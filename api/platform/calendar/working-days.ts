import { type Kysely, sql } from 'kysely'
import type { DB } from '../db/database.generated.ts'

const DAY = 86_400_000
/** Sri Lanka keeps one offset all year. */
const OFFSET = '+05:30'
const OFFSET_MILLISECONDS = 5.5 * 3_600_000
/** When a working day ends, and by when an answer of that day is due. */
const END_OF_DAY = '16:15:00'
const SATURDAY = 6
const SUNDAY = 0

/**
 * The end (16:15 in Colombo) of the nth working day after today. Saturdays, Sundays and holidays do not count, and
 * neither does today: who is given one working day has all of the next.
 */
export function endOfWorkingDay(now: Date, n: number, holidays: ReadonlySet<string>): string {
  let day = Math.floor((now.getTime() + OFFSET_MILLISECONDS) / DAY)
  for (let left = n; left > 0;) {
    day += 1
    const at = new Date(day * DAY)
    const works = at.getUTCDay() !== SATURDAY && at.getUTCDay() !== SUNDAY && !holidays.has(dateOf(day))
    if (works) left -= 1
  }
  return `${dateOf(day)}T${END_OF_DAY}${OFFSET}`
}

function dateOf(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10)
}

/** Working days from now on, by the register of holidays: Monday to Friday without those that are active there. */
export function workingDays(trx: Kysely<DB>, now: Date) {
  let holidays: Promise<ReadonlySet<string>> | undefined

  async function readHolidays(): Promise<ReadonlySet<string>> {
    const rows = await trx
      .selectFrom('register_item')
      .select(sql<string>`data ->> 'date'`.as('date'))
      .where('register', '=', 'platform/holiday')
      .where('status', '=', 'Active')
      .where(sql<string>`data ->> 'date'`, '>=', now.toISOString().slice(0, 10))
      .execute()
    return new Set(rows.map(({ date }) => date))
  }

  return {
    /** ISO 8601 with Colombo's offset, as timers and due dates take it. */
    async endOf(n: number): Promise<string> {
      holidays ??= readHolidays()
      return endOfWorkingDay(now, n, await holidays)
    },
  }
}
