import { type Kysely, type Transaction, sql } from 'kysely'
import { known } from '../platform/kernel/known.ts'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import { textAt } from '../platform/model/definitions/register.ts'
import type { registers } from '../platform/records/registers/registers.ts'
import { findItemWith } from '../platform/work/rows/items.ts'

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

/** The seats of a trip's vehicle that nobody has taken. */
export async function seatsLeft(
  on: Pick<ReturnType<typeof registers>, 'item'>,
  trip: { status: string; data: JsonObject },
): Promise<number> {
  if (trip.status !== 'Planned') return 0
  const vehicle = await on.item(VEHICLES, known(textAt(trip.data, '/vehicle'), 'the vehicle of the trip'))
  return Number(vehicle.data['seats']) - Number(trip.data['passengers'])
}

/** The planned trip that a reservation leads; undefined if it goes along on another one. */
export async function findTripLedBy(db: Kysely<DB>, reference: string): Promise<string | undefined> {
  return findItemWith(db, TRIPS, { field: 'case_reference', value: reference, status: 'Planned' })
}

/** The planned trip on which a reservation goes along. */
export async function findTripJoinedBy(db: Kysely<DB>, reference: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', TRIPS)
    .where('status', '=', 'Planned')
    .where(sql<boolean>`data @> ${JSON.stringify({ riders: [{ case_reference: reference }] })}::jsonb`)
    .executeTakeFirst()
  return row?.id
}

/** Lets another reservation lead a trip: it keeps vehicle and driver from now on. */
export async function handTripOver(trx: Transaction<DB>, from: string, reference: string): Promise<void> {
  const { id } = await trx
    .selectFrom('flow_case')
    .select('id')
    .where('flow', '=', RESERVATION)
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('allocation')
    .set({ case_id: id, submission_id: null })
    .where('case_id', '=', from)
    .where('state', '<>', 'released')
    .execute()
}
