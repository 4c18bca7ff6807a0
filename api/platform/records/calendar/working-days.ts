import { type Kysely, sql } from 'kysely'
import { COLOMBO_AHEAD_MS } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { known } from '../../kernel/known.ts'

/** Sri Lanka has one offset all year. */
const OFFSET = '+05:30'
/** Search limit in days: a calendar without working days for so long is wrong. */
const MAX_SEARCHED_DAYS = 1500

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/** Working hours of a day, `08:15` to `16:15` in Colombo. */
export interface Hours {
  from: string
  until: string
}

/** A weekly pattern, and the day from which it applies. */
export interface Week {
  startsOn: string
  /** Sunday first; undefined: no work. */
  days: readonly (Hours | undefined)[]
}

/** A day that differs from its weekly pattern. */
export interface SpecialDay {
  name: string
  kind: string
  /** When work ends on a half day, or on a working day with its own hours. */
  until: string | undefined
}

/** What determines working days and hours. */
export interface WorkingCalendar {
  weeks: readonly Week[]
  /** By day, `yyyy-mm-dd`. */
  special: ReadonlyMap<string, readonly SpecialDay[]>
}

/** A day of the calendar: its working hours, and why it is special. */
export interface CalendarDay {
  date: string
  hours: Hours | undefined
  special: readonly SpecialDay[]
}

/** The pattern before the first one in the register. */
const USUAL: Hours = { from: '08:15', until: '16:15' }
const USUAL_WEEK: Week = { startsOn: '', days: WEEKDAYS.map((_, day) => (day === 0 || day === 6 ? undefined : USUAL)) }

/** A day according to the weekly pattern and the special days. */
export function calendarDay({ weeks, special }: WorkingCalendar, date: string): CalendarDay {
  const week = weeks
    .filter(({ startsOn }) => startsOn <= date)
    .reduce((latest, one) => (one.startsOn >= latest.startsOn ? one : latest), USUAL_WEEK)
  const usual = week.days[new Date(`${date}T00:00:00Z`).getUTCDay()]
  const named = special.get(date) ?? []
  return { date, special: named, hours: hoursOf(week, usual, named) }
}

/** A declared working day wins over everything; a holiday wins over a half day. */
function hoursOf(week: Week, usual: Hours | undefined, special: readonly SpecialDay[]): Hours | undefined {
  const declared = special.find(({ kind }) => kind === 'Working day')
  if (declared) {
    const hours = usual ?? longest(week)
    return { ...hours, until: declared.until ?? hours.until }
  }
  if (special.some(({ kind }) => kind !== 'Half day')) return undefined
  const ends = special.flatMap(({ until }) => until ?? []).toSorted()[0]
  if (!usual || ends === undefined) return usual
  return ends > usual.from ? { ...usual, until: ends < usual.until ? ends : usual.until } : undefined
}

function longest(week: Week): Hours {
  const hours = week.days.filter((day) => day !== undefined)
  return hours.reduce((latest, one) => (one.until > latest.until ? one : latest), hours[0] ?? USUAL)
}

/**
 * The end, in Colombo, of the nth working day after today. Today does not count: one working day means all of the next
 * one.
 */
export function endOfWorkingDay(now: Date, n: number, calendar: WorkingCalendar): string {
  const today = Math.floor((now.getTime() + COLOMBO_AHEAD_MS) / DAY_MS)
  let left = n
  for (let day = today + 1; day <= today + MAX_SEARCHED_DAYS; day++) {
    const { date, hours } = calendarDay(calendar, dateOf(day))
    if (!hours) continue
    left -= 1
    if (left === 0) return `${date}T${hours.until}:00${OFFSET}`
  }
  throw new Error(`the working calendar has no ${n} working days within ${MAX_SEARCHED_DAYS} days`)
}

/** The days from one to another, both included. */
export function daysBetween(calendar: WorkingCalendar, from: string, until: string): CalendarDay[] {
  const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS
  const [first, last] = [dayOf(from), dayOf(until)]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    calendarDay(calendar, dateOf(first + index)),
  )
}

/** A day for counting working time, in seconds. */
export interface WorkingDay {
  date: string
  /** Working time before this day, since the first day. */
  before: number
  /** Start and end of work, from midnight in Colombo; both 0 on other days. */
  from: number
  until: number
}

/** Days with the working time before each, so that the time between two moments is a difference. */
export function workedDays(calendar: WorkingCalendar, from: string, until: string): WorkingDay[] {
  let before = 0
  return daysBetween(calendar, from, until).map(({ date, hours }) => {
    const day = { date, before, from: hours ? secondsAt(hours.from) : 0, until: hours ? secondsAt(hours.until) : 0 }
    before += day.until - day.from
    return day
  })
}

function secondsAt(time: string): number {
  const [hours, minutes] = time.split(':')
  return Number(hours) * 3600 + Number(minutes) * 60
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** The calendar from a day on, from the registers of weekly patterns and special days. */
export async function readCalendar(trx: Kysely<DB>, from: string): Promise<WorkingCalendar> {
  const rows = await trx
    .selectFrom('register_item')
    .select(['register', sql<Record<string, string>>`data`.as('data')])
    .where('status', '=', 'Active')
    .where((eb) =>
      eb.or([
        eb('register', '=', 'platform/working-week'),
        eb.and([eb('register', '=', 'platform/holiday'), eb(sql<string>`data ->> 'date'`, '>=', from)]),
      ]),
    )
    .execute()
  const special = new Map<string, SpecialDay[]>()
  const weeks: Week[] = []
  for (const { register, data } of rows) {
    if (register === 'platform/working-week') weeks.push(weekOf(data))
    else {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the register's schema requires these members
      const { date, name, kind, until } = data as { date: string; name: string; kind: string; until?: string }
      special.set(date, [...(special.get(date) ?? []), { name, kind, until }])
    }
  }
  return { weeks, special }
}

function weekOf(data: Record<string, string>): Week {
  return {
    startsOn: known(data['starts_on'], 'the first day of a working week'),
    days: WEEKDAYS.map((day) => {
      const [from, until] = data[day]?.split('-') ?? []
      return from && until ? { from, until } : undefined
    }),
  }
}

/** How long a calendar is used again, in milliseconds: every decision needs it, and it changes some times a year. */
const KEEP_CALENDAR_MS = 5_000
const kept = new WeakMap<Kysely<DB>, { from: string; at: number; calendar: Promise<WorkingCalendar> }>()

/** The calendar from a day on, at most some seconds old. */
function recentCalendar(db: Kysely<DB>, from: string): Promise<WorkingCalendar> {
  const last = kept.get(db)
  if (last?.from === from && performance.now() - last.at < KEEP_CALENDAR_MS) return last.calendar
  const calendar = readCalendar(db, from)
  kept.set(db, { from, at: performance.now(), calendar })
  calendar.catch(() => kept.delete(db))
  return calendar
}

/** Working days from now on, according to the registers. */
export function workingDays(db: Kysely<DB>, now: Date) {
  return {
    /** ISO 8601 with Colombo's offset, as timers and due dates need it. */
    async endOf(n: number): Promise<string> {
      return endOfWorkingDay(now, n, await recentCalendar(db, now.toISOString().slice(0, 10)))
    },
  }
}
