import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely'
import { COLOMBO_AHEAD_MS, writtenDay } from '../platform/kernel/colombo.ts'
import { known } from '../platform/kernel/known.ts'
import type { DB, JsonObject, JsonValue } from '../platform/kernel/db/database.generated.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import { findAnyItem } from '../platform/work/rows/items.ts'
import { textAt } from '../platform/model/definitions/register.ts'
import type { registers } from '../platform/records/registers/registers.ts'

export const RESERVATION = 'vehicles/vehicle-reservation'
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

/** The entries in use of a register. */
export async function itemsInUse(db: Kysely<DB>, register: string) {
  return db
    .selectFrom('register_item')
    .select(['id', 'data'])
    .where('register', '=', register)
    .where('status', '=', 'Active')
    .orderBy('title')
    .execute()
}

/** The fields of a trip that name what is assigned to it. */
export const ASSIGNED = ['vehicle', 'driver', 'helper'] as const

export interface Assigned {
  vehicle: Entry
  driver: Entry
  helper: Entry | undefined
}

type Registers = ReturnType<typeof registers>
type Entries = Pick<Registers, 'item'>

export interface Entry {
  id: string
  title: string
  data: JsonObject
}

/** The entries that a trip, or an answer, names. */
export async function assignedTo(entries: Entries, of: JsonObject): Promise<Assigned> {
  const helper = textAt(of, '/helper')
  return {
    vehicle: await entries.item(VEHICLES, known(textAt(of, '/vehicle'), 'the vehicle of the trip')),
    driver: await entries.item(CREW, known(textAt(of, '/driver'), 'the driver of the trip')),
    helper: helper === undefined ? undefined : await entries.item(CREW, helper),
  }
}

/** What a reservation tells of the vehicle, the driver and the helper of its trip. */
export function assignedFacts({ vehicle, driver, helper }: Assigned): JsonObject {
  return {
    vehicle: vehicle.title,
    driver: driver.title,
    driverNumber: driver.data['contact_no'] ?? null,
    helper: helper?.title ?? null,
    assigned: { vehicle: vehicle.id, driver: driver.id, helper: helper?.id ?? null },
  }
}

/** Who is fetched for a reservation, where and when, for the driver. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface could not be stored as JSON
type PickUp = { case_reference: string; [field: string]: JsonValue }

/** What the driver needs to know of a reservation. */
export function pickUpOf(reference: string, data: JsonObject): PickUp {
  const fields = ['from', 'from_place', 'to_place', 'via', 'contact', 'passenger_names', 'goods']
  const told = fields.flatMap((field) => {
    const value = data[field]
    return value === undefined || value === null ? [] : [[field, value] as const]
  })
  return { case_reference: reference, ...Object.fromEntries(told) }
}

/** Who a trip fetches: the reservation that leads it, and those that go along. */
export function pickUpsOf(trip: JsonObject): PickUp[] {
  return checkedAs<{ pick_ups?: PickUp[] }>(trip).pick_ups ?? []
}

/** The people who see the trip as their own. */
export function crewFields({ driver, helper }: Pick<Assigned, 'driver' | 'helper'>) {
  return {
    employee: textAt(driver.data, '/employee') ?? null,
    helper_employee: (helper && textAt(helper.data, '/employee')) ?? null,
  }
}

/** The fields of a trip that are those of the reservation that leads it. */
export function ledBy(reference: string, { from, until, from_place, to_place, via, purpose, cost_centre }: JsonObject) {
  const begins = new Date(Date.parse(String(from)) + COLOMBO_AHEAD_MS).toISOString()
  const route = `${String(from_place)} – ${String(to_place)}`
  return {
    name: `${writtenDay(begins)} ${begins.slice(11, 16)} ${route}`,
    case_reference: reference,
    route,
    to_place: to_place ?? null,
    via: via ?? null,
    from: from ?? null,
    until: until ?? null,
    purpose: purpose ?? null,
    cost_centre: cost_centre ?? null,
  }
}

/** After a trip of more than these hours, driver and helper rest. */
export const LONG_TRIP_HOURS = 8
const LONG_REST_MINUTES = 10 * 60
/** What is kept free after a shorter trip. */
export const SHORT_REST_MINUTES = 30

/** Minutes that driver and helper rest after a trip. */
export function restMinutes(hours: number): number {
  return hours > LONG_TRIP_HOURS ? LONG_REST_MINUTES : SHORT_REST_MINUTES
}

/** The seats of a trip's vehicle that nobody has taken. */
export async function seatsLeft(db: Kysely<DB>, trip: { status: string; data: JsonObject }): Promise<number> {
  if (trip.status !== 'Planned') return 0
  const vehicle = known(await findAnyItem(db, String(trip.data['vehicle'])), 'the vehicle of the trip')
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

/**
 * Locks the trip of a reservation. If the reservation leads it, those that go along are locked before it, as their own
 * steps do.
 */
export async function lockTripOf(trx: Transaction<DB>, entries: Pick<Registers, 'lock'>, reference: string) {
  const found = await findTripOf(trx, reference)
  if (found === undefined) return undefined
  const { data } = known(await findAnyItem(trx, found), 'the trip')
  if (data['case_reference'] === reference) await holdRiders(trx, data)
  return entries.lock(TRIPS, found)
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

/** What has to be valid for a vehicle on the road: its licence and its insurance. */
const LICENCE_KINDS = 2

/** The vehicles whose licence and insurance are both valid on all days from one to another, some with their renewals. */
async function vehiclesLicensed(db: Kysely<DB>, first: string, last: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ vehicle: string }>`
    select vehicle from (
      select data ->> 'vehicle' as vehicle from register_item where register = ${LICENCES} and status = 'Active'
      group by data ->> 'vehicle', data ->> 'kind'
      having range_agg(daterange((data ->> 'from')::date, (data ->> 'until')::date, '[]'))
        @> daterange(${first}::date, ${last}::date, '[]')) as kinds
    group by vehicle having count(*) = ${LICENCE_KINDS}`.execute(db)
  return new Set(rows.map(({ vehicle }) => vehicle))
}

/** What the papers of vehicles say about some days. */
export interface Papers {
  /** The vehicles whose licence and insurance are both valid on all of these days. */
  licensed: ReadonlySet<string>
  /** The hired vehicles whose agreement has ended, or is not for all of these days; one that is corrected counts. */
  hireOver: ReadonlySet<string>
}

/** What the papers of vehicles say about all days from one to another. */
export async function papersOn(db: Kysely<DB>, first: string, last: string): Promise<Papers> {
  const licensed = await vehiclesLicensed(db, first, last)
  const period = (from: string, until: string) =>
    sql`datemultirange(daterange((a.data ->> ${sql.lit(from)})::date, (a.data ->> ${sql.lit(until)})::date, '[]'))`
  // Materialized: other registers have other values in these fields.
  const { rows } = await sql<{ vehicle: string }>`
    with a as materialized (
      select v.id as vehicle, a.status, a.data from register_item v join register_item a on a.id::text = v.data ->> 'agreement'
      where v.register = ${VEHICLES} and v.data ->> 'ownership' = 'hired' and a.register = 'agreements/agreement'
    )
    select vehicle from a where not (status <> 'Ended' and ${period('from', 'until')}
      + case when a.data ? 'next_until' then ${period('next_from', 'next_until')} else '{}' end
      @> daterange(${first}::date, ${last}::date, '[]'))`.execute(db)
  return { licensed, hireOver: new Set(rows.map(({ vehicle }) => vehicle)) }
}

/** Whether a vehicle has a later licence of the same kind in force that begins by the day after the end of one. */
export async function isRenewed(db: Kysely<DB>, { vehicle, kind, until }: JsonObject): Promise<boolean> {
  const later = await db
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', LICENCES)
    .where('status', '=', 'Active')
    .where(sql`data ->> 'vehicle'`, '=', String(vehicle))
    .where(sql`data ->> 'kind'`, '=', String(kind))
    .where(sql`data ->> 'until'`, '>', String(until))
    .where(sql<boolean>`(data ->> 'from')::date <= ${String(until)}::date + 1`)
    .limit(1)
    .executeTakeFirst()
  return later !== undefined
}

/** Kilometres before the next service of a vehicle from which the office is told, and the board shows it. */
export const SERVICE_KM_AHEAD = 500

/** What is between two services, as the register of services computes it. */
const SERVICE_MONTHS = 6
const SERVICE_KM = 5000

/**
 * The content of the newest service of a vehicle. One that was never serviced counts from its first registration, or
 * from the day on which it was entered, and from the meter that it had then.
 */
export const newestService = (vehicle: RawBuilder<string>) => sql<{ data: JsonObject }>`
  select data from (
    select data, data ->> 'serviced_on' as serviced_on, id from register_item
    where register = 'vehicles/service' and status = 'Done' and data ->> 'vehicle' = ${vehicle}
    union all
    select jsonb_build_object(
        'next_on', to_char(coalesce((n.data ->> 'registered_on')::date, (n.created_at at time zone 'Asia/Colombo')::date)
          + make_interval(months => ${SERVICE_MONTHS}), 'YYYY-MM-DD'),
        'next_meter', (e.data ->> 'meter')::integer + ${SERVICE_KM}::integer), '', n.id
    from register_item n join register_item_version e on e.item_id = n.id and e.version = 1
    where n.register = ${VEHICLES} and n.id::text = ${vehicle}) as serviced
  order by serviced_on desc, id desc limit 1`
