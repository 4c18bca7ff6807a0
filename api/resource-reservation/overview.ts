import type { Kysely } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { BusinessError } from '../platform/kernel/errors.ts'
import { GROUP, type Person, grantsMeant } from '../platform/people/persons/person.ts'
import { openHours } from './open-hours.ts'
import {
  type Reported,
  type Units,
  listIncome,
  listLeadTimes,
  listRejections,
  listResources,
  listUse,
} from './overview-repository.ts'
import { DAY_MS } from '../platform/kernel/units.ts'
import { known } from '../platform/kernel/known.ts'

/** Maximum days of an overview. */
export const MAX_DAYS = 366
export const MAX_RESOURCES = 200
export const MAX_REJECTIONS = 200

export interface OverviewQuery {
  /** Days in Colombo, both included. */
  from: string
  until: string
  resource?: string
}

/**
 * Use, income, rejections and times of desks for the resources of a person's units; for all resources if they have the
 * permission university-wide.
 */
export function overviewService({ db }: { db: Kysely<DB> }) {
  return async (person: Person, { from, until, resource }: OverviewQuery) => {
    const days = (Date.parse(until) - Date.parse(from)) / DAY_MS + 1
    if (days < 1)
      throw new BusinessError('platform.request-invalid', {}, [
        { field: 'query/until', code: 'resource-reservation.overview-ends-before' },
      ])
    if (days > MAX_DAYS)
      throw new BusinessError('platform.request-invalid', {}, [
        { field: 'query/until', code: 'resource-reservation.overview-too-long', values: { days: MAX_DAYS } },
      ])
    const units = unitsOf(person)
    const found = await listResources(db, { units, ...(resource && { resource }), limit: MAX_RESOURCES + 1 })
    if (resource && found.length === 0) throw new BusinessError('platform.not-found')
    const resources = found.slice(0, MAX_RESOURCES)
    const wanted: Reported = { resources: resources.map(({ id }) => id), from, until }
    const [bookings, income, rejections, desks] = await Promise.all([
      listUse(db, wanted),
      listIncome(db, wanted),
      listRejections(db, wanted, MAX_REJECTIONS),
      listLeadTimes(db, wanted),
    ])
    const months = monthsOf(from, until)
    const used = new Map(bookings.map((one) => [`${one.resource} ${one.month}`, one]))
    const use = resources.flatMap(({ id, data }) =>
      months.map(({ month, first, last }) => ({
        resource: id,
        month,
        bookings: used.get(`${id} ${month}`)?.bookings ?? 0,
        booked: inHours(used.get(`${id} ${month}`)?.booked ?? 0),
        open: inHours(openHours(data, first, last)),
      })),
    )
    return {
      from,
      until,
      months: months.map(({ month }) => month),
      resources: resources.map(({ id, title }) => ({ id, title })),
      more: found.length > MAX_RESOURCES,
      use,
      income,
      rejections,
      desks: desks.map((one) => ({ ...one, median: inHours(one.median), slowest: inHours(one.slowest) })),
    }
  }
}

/** The units whose resources a person sees; undefined means all. */
function unitsOf(person: Person): Units | undefined {
  if (person.seesAll) return undefined
  const grants = grantsMeant(person, `${GROUP}ResourceReservationViews`)
  const units: Units = []
  for (const { scopeKind, scopeId } of grants) {
    if (scopeKind === null) return undefined
    units.push({ kind: scopeKind, id: known(scopeId, 'the unit of a grant') })
  }
  return units
}

/** Rounded to minutes. */
function inHours(hours: number): number {
  return Math.round(hours * 60) / 60
}

/** The months between two days, each with its days in the range. */
function monthsOf(from: string, until: string): { month: string; first: string; last: string }[] {
  const months = []
  for (let first = from; first <= until;) {
    const [year, month] = first.split('-')
    const end = new Date(Date.UTC(Number(year), Number(month), 0)).toISOString().slice(0, 10)
    months.push({ month: first.slice(0, 7), first, last: end < until ? end : until })
    first = new Date(Date.parse(end) + DAY_MS).toISOString().slice(0, 10)
  }
  return months
}
