import { type Kysely, sql } from 'kysely'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { BusinessError } from '../platform/kernel/errors.ts'
import { HOUR_MS, MINUTE_MS } from '../platform/kernel/units.ts'
import type { Library } from '../platform/model/library/library.ts'
import { known } from '../platform/kernel/known.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import { type Span, allocations } from '../platform/work/allocations/allocations.ts'
import { listKept } from '../platform/work/allocations/rests.ts'
import { CREW, RESERVATION, TRIPS, VEHICLES, itemsInUse, papersOn, restMinutes } from './trips.ts'

const BUFFER_MINUTES = 30

interface Vehicle {
  registration_no: string
  model: string
  kind: string
  seats: number
  hired_until?: string
}

interface Member {
  name: string
  duty: 'driver' | 'helper'
  contact_no: string
  licence_class?: string
  licence_until?: string
}

interface PlannedTrip {
  id: string
  reference: string
  route: string
  destination: string
  via: string | null
  from: string
  until: string
  vehicle: string
  driver: string
  passengers: number
  left: number
}

/** What is free in a span, what is not and why, and the planned trips that include it and have room. */
export function freeService({ db, library }: { db: Kysely<DB>; library: Library }) {
  return async ({ from, until, to = '' }: Span & { to?: string }) => {
    if (!(Date.parse(from) < Date.parse(until)))
      throw new BusinessError('platform.request-invalid', {}, [{ field: 'query/until', code: 'platform.span-empty' }])
    const [begins, ends] = [Date.parse(from), Date.parse(until)]
    const buffered = spanOf(begins - BUFFER_MINUTES * MINUTE_MS, ends + BUFFER_MINUTES * MINUTE_MS)
    const rested = spanOf(begins, ends + restMinutes((ends - begins) / HOUR_MS) * MINUTE_MS)
    const last = dayInColombo(ends)
    const { manifest } = known(library.flows.get(RESERVATION), 'the flow of reservations')
    const mostADay = manifest.assigns?.find(({ item }) => item === '/driver')?.mostADay
    const [vehicles, crew] = await Promise.all([itemsInUse(db, VEHICLES), itemsInUse(db, CREW)])
    const occupied = (items: { id: string }[], span: Span) =>
      db.transaction().execute((trx) =>
        allocations(trx).occupied(
          items.map(({ id }) => id),
          span,
        ),
      )
    const [busyVehicles, busyCrew, kept, { licensed, hireOver }, trips] = await Promise.all([
      occupied(vehicles, buffered),
      occupied(crew, rested),
      listKept(
        db,
        crew.map(({ id }) => id),
        { booked: { from, until }, mostADay },
        null,
      ),
      papersOn(db, dayInColombo(begins), last),
      tripsAround(db, { from, until, to }),
    ])
    const taken = new Set([...busyVehicles, ...busyCrew].map(({ item }) => item))
    return {
      vehicles: vehicles.map(({ id, data }) => {
        const { registration_no, model, kind, seats, hired_until = last } = checkedAs<Vehicle>(data)
        const why = firstOf(
          ['taken', taken.has(id)],
          ['hire-over', hired_until < last || hireOver.has(id)],
          ['not-licensed', !licensed.has(id)],
        )
        return { id, number: registration_no, model, kind, seats, why }
      }),
      crew: crew.map(({ id, data }) => {
        const { name, duty, contact_no, licence_class = null, licence_until = last } = checkedAs<Member>(data)
        const { code, values } = kept.get(id) ?? {}
        const why = firstOf(
          ['taken', taken.has(id)],
          ['no-driving-licence', licence_until < last],
          ['rests', code === 'platform.item-rests'],
          ['out-too-long', code === 'platform.item-out-too-long'],
        )
        const rests = why === 'rests' ? String(values?.['until']) : null
        return { id, name, duty, contact: contact_no, licence: licence_class, why, rests }
      }),
      trips: trips.filter(({ left }) => left > 0),
    }
  }
}

function spanOf(begins: number, ends: number): Span {
  return { from: new Date(begins).toISOString(), until: new Date(ends).toISOString() }
}

/** The first reason that applies; null if none does. */
function firstOf<K extends string>(...reasons: readonly (readonly [K, boolean])[]): K | null {
  return reasons.find(([, applies]) => applies)?.[0] ?? null
}

/** The planned trips that include a span, those that go by the place first, then by time. */
export async function tripsAround(db: Kysely<DB>, { to, ...span }: Span & { to: string }) {
  const trips = await listTrips(db, span)
  return trips
    .map((trip) => ({ ...trip, sameWay: goesBy(trip, to) }))
    .toSorted((a, b) => Number(b.sameWay) - Number(a.sameWay))
}

/** The planned trips that include a span, by time. */
async function listTrips(db: Kysely<DB>, { from, until }: Span): Promise<PlannedTrip[]> {
  const { rows } = await sql<PlannedTrip>`
    select t.id, t.data ->> 'case_reference' as reference, t.data ->> 'route' as route, t.data ->> 'from' as "from",
      -- The route of a trip that was entered before ends with its destination.
      coalesce(t.data ->> 'to_place', split_part(t.data ->> 'route', ' – ', 2)) as destination, t.data ->> 'via' as via,
      t.data ->> 'until' as until, v.title as vehicle, c.title as driver, (t.data ->> 'passengers')::integer as passengers,
      (v.data ->> 'seats')::integer - (t.data ->> 'passengers')::integer as "left"
    from register_item t
      join register_item v on v.id = (t.data ->> 'vehicle')::uuid
      join register_item c on c.id = (t.data ->> 'driver')::uuid
    where t.register = ${TRIPS} and t.status = 'Planned' and (t.data ->> 'from')::timestamptz <= ${from}::timestamptz
      and (t.data ->> 'until')::timestamptz >= ${until}::timestamptz
    order by (t.data ->> 'from')::timestamptz limit 200`.execute(db)
  return rows
}

/**
 * Whether a trip goes by a place: its destination or one of its stops has all words of the place, or the place all words
 * of the destination. Where it begins does not count.
 */
function goesBy({ destination, via }: { destination: string; via: string | null }, to: string): boolean {
  const wanted = wordsOf(to)
  const has = (words: readonly string[], all: readonly string[]) =>
    words.length > 0 && words.every((word) => all.includes(word))
  const end = wordsOf(destination)
  return has(wanted, [...end, ...wordsOf(via ?? '')]) || has(end, wanted)
}

/** The words of the name of a place, in small letters. */
const wordsOf = (place: string) => place.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
