import { type Kysely, type Transaction, sql } from 'kysely'
import { COLOMBO_AHEAD_MS, writtenDay } from '../platform/kernel/colombo.ts'
import { known } from '../platform/kernel/known.ts'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import { textAt } from '../platform/model/definitions/register.ts'
import type { registers } from '../platform/records/registers/registers.ts'

const RESERVATION = 'vehicles/vehicle-reservation'
export const VEHICLES = 'vehicles/vehicle'
export const CREW = 'vehicles/crew'
export const LICENCES = 'vehicles/licence'
export const TRIPS = 'vehicles/trip'
export const CHARTS = 'vehicles/chart'

/** A reservation that goes along on the trip of another one. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface could not be stored as JSON
type Rider = { case_reference: string; passengers: number }

/** The reservations that go along on a trip. */
export function ridersOf(trip: JsonObject): Rider[] {
  return checkedAs<{ riders?: Rider[] }>(trip).riders ?? []
}

/** Whether a time lies within that of a trip. */
export function isWithin(data: JsonObject, trip: JsonObject): boolean {
  const moment = (of: JsonObject, name: string) => Date.parse(String(of[name]))
  return moment(trip, 'from') <= moment(data, 'from') && moment(data, 'until') <= moment(trip, 'until')
}

/** The fields of a trip that are those of the reservation that leads it. */
export function ledBy(reference: string, { from, until, from_place, to_place, purpose, cost_centre }: JsonObject) {
  const begins = new Date(Date.parse(String(from)) + COLOMBO_AHEAD_MS).toISOString()
  const route = `${String(from_place)} – ${String(to_place)}`
  return {
    name: `${writtenDay(begins)} ${begins.slice(11, 16)} ${route}`,
    case_reference: reference,
    route,
    from: from ?? null,
    until: until ?? null,
    purpose: purpose ?? null,
    cost_centre: cost_centre ?? null,
  }
}

/** After a trip of more than these hours, driver and helper rest. */
const LONG_TRIP_HOURS = 8

/** Minutes that driver and helper rest after a trip. */
export function restMinutes(hours: number): number {
  return hours > LONG_TRIP_HOURS ? 10 * 60 : 30
}

/** The seats of a trip's vehicle that nobody has taken. */
export async function seatsLeft(
  on: Pick<ReturnType<typeof registers>, 'item'>,
  trip: { status: string; data: JsonObject },
): Promise<number> {
  if (trip.status !== 'Planned') return 0
  const vehicle = await on.item(VEHICLES, known(textAt(trip.data, '/vehicle'), 'the vehicle of the trip'))
  return Number(vehicle.data['seats']) - Number(trip.data['passengers'])
}

/** The trip that a reservation leads, or on which it goes along; also one that was made or cancelled. */
export async function findTripOf(db: Kysely<DB>, reference: string): Promise<string | undefined> {
  const goesAlong = JSON.stringify({ riders: [{ case_reference: reference }] })
  const row = await db
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', TRIPS)
    .where(sql<boolean>`(data ->> 'case_reference' = ${reference} or data @> ${goesAlong}::jsonb)`)
    .executeTakeFirst()
  return row?.id
}

/** The reservations that go along on a trip, the earliest first; those that still run are kept from changing. */
export async function holdRiders(trx: Transaction<DB>, trip: JsonObject) {
  const references = ridersOf(trip).map(({ case_reference }) => case_reference)
  if (references.length === 0) return []
  const rows = await trx
    .selectFrom('flow_case')
    .select(['id', 'reference', 'state', 'requester_id', 'data', 'facts'])
    .where('flow', '=', RESERVATION)
    .where('reference', 'in', references)
    .orderBy(sql`(data ->> 'from')::timestamptz`)
    .orderBy('reference')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ requester_id, ...row }) => ({ ...row, requesterId: requester_id }))
}

/** Lets another reservation keep the vehicle and the driver of a trip. */
export async function handTripOver(trx: Transaction<DB>, from: string, to: string): Promise<void> {
  await trx
    .updateTable('allocation')
    .set({ case_id: to, submission_id: null })
    .where('case_id', '=', from)
    .where('state', '<>', 'released')
    .execute()
}

/** Whether entries with a first and a last day cover all days of a span together, such as a licence and its renewal. */
export const coversDays = (first: string, last: string) =>
  sql<boolean>`range_agg(daterange((data ->> 'from')::date, (data ->> 'until')::date, '[]'))
    @> daterange(${first}::date, ${last}::date, '[]')`
