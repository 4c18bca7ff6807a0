import { type Kysely, sql } from 'kysely'
import { dayAway } from '../platform/kernel/colombo.ts'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { LICENCES, SERVICE_KM_AHEAD, TRIPS, VEHICLES, newestService } from './trips.ts'
import { type UnfitTrip, listUnfitTrips } from './unfit-trips.ts'

/** Days ahead in which the end of a licence is on the board. */
const DAYS_AHEAD = 14

interface BoardTrip {
  id: string
  reference: string
  route: string
  from: string
  until: string
  driver: string
  contact: string
  passengers: number
  status: string
  /** Its time is over, and nobody has entered that the vehicle is back. */
  late: boolean
}

/** A trip of any day whose time is over, and that nobody has entered to be back. */
interface LateTrip {
  case: string
  reference: string
  route: string
  from: string
  until: string
  vehicle: string
  driver: string
}

interface BoardVehicle {
  id: string
  title: string
  status: string
  seats: number
  trips: BoardTrip[]
  /** The first day on which its licence or insurance ends, if that is soon or over; null otherwise. */
  licence: string | null
  /** Whether it has never had a licence, or an insurance. */
  unlicensed: boolean
  /** The day or the kilometres at which its next service is due, if that is soon or over; null otherwise. */
  service: string | null
}

interface Board {
  vehicles: BoardVehicle[]
  unfit: UnfitTrip[]
  late: LateTrip[]
}

/**
 * The vehicles with their trips of a day, and what is due on them; for the office, trips that cannot be made as planned,
 * and those that are not back in time.
 */
export function boardService({ db }: { db: Kysely<DB> }) {
  return async (day: string, isOffice: boolean): Promise<Board> => {
    const soon = dayAway(day, DAYS_AHEAD)
    const { rows } = await sql<BoardVehicle>`
      select v.id, v.title, v.status, (v.data ->> 'seats')::integer as seats,
        (select coalesce(jsonb_agg(jsonb_build_object(
            'id', t.id, 'reference', t.data ->> 'case_reference', 'route', t.data ->> 'route', 'from', t.data ->> 'from',
            'until', t.data ->> 'until', 'driver', c.title, 'contact', c.data ->> 'contact_no', 'status', t.status,
            'passengers', (t.data ->> 'passengers')::integer,
            'late', t.status = 'Planned' and (t.data ->> 'until')::timestamptz < now()) order by (t.data ->> 'from')::timestamptz), '[]')
          from register_item t join register_item c on c.id = (t.data ->> 'driver')::uuid
          where t.register = ${TRIPS} and t.status <> 'Cancelled' and t.data ->> 'vehicle' = v.id::text
            and tstzrange((t.data ->> 'from')::timestamptz, (t.data ->> 'until')::timestamptz)
              && tstzrange(${`${day}T00:00:00+05:30`}::timestamptz, ${`${dayAway(day, 1)}T00:00:00+05:30`}::timestamptz)
        ) as trips,
        (select min(until) from (select max(data ->> 'until') as until from register_item
            where register = ${LICENCES} and status in ('Active', 'expired') and data ->> 'vehicle' = v.id::text
            group by data ->> 'kind') as last where until <= ${soon}) as licence,
        (select count(distinct data ->> 'kind') < 2 from register_item where register = ${LICENCES}
            and status in ('Active', 'expired') and data ->> 'vehicle' = v.id::text) as unlicensed,
        case when s.data ->> 'next_on' <= ${soon} then s.data ->> 'next_on'
          when (s.data ->> 'next_meter')::integer - ${SERVICE_KM_AHEAD} <= (v.data ->> 'meter')::integer
            then s.data ->> 'next_meter' end as service
      from register_item v left join lateral (${newestService(sql`v.id::text`)}) s on true
      where v.register = ${VEHICLES} and v.status <> 'Disposed' order by v.title`.execute(db)
    const [unfit, late] = isOffice ? await Promise.all([listUnfitTrips(db, new Date()), listLateTrips(db)]) : [[], []]
    return { vehicles: rows, unfit, late }
  }
}

/** The trips whose time is over and of which no chart is entered yet; of many the newest. */
async function listLateTrips(db: Kysely<DB>): Promise<LateTrip[]> {
  const { rows } = await sql<LateTrip>`
    select c.id as "case", c.reference, t.data ->> 'route' as route, t.data ->> 'from' as "from",
      t.data ->> 'until' as until, v.title as vehicle, d.title as driver
    from register_item t join flow_case c on c.reference = t.data ->> 'case_reference'
      join register_item v on v.id = (t.data ->> 'vehicle')::uuid join register_item d on d.id = (t.data ->> 'driver')::uuid
    where t.register = ${TRIPS} and t.status = 'Planned' and (t.data ->> 'until')::timestamptz < now()
    order by (t.data ->> 'until')::timestamptz desc, c.reference limit 100`.execute(db)
  return rows
}
