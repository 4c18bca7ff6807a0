import { type Kysely, type RawBuilder, sql } from 'kysely'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import { driverErrors, firstDay, lastDay, vehicleUnfit } from './fitness.ts'
import { CREW, LONG_TRIP_HOURS, type Papers, SHORT_REST_MINUTES, TRIPS, VEHICLES, papersOn } from './trips.ts'

interface Member {
  id: string
  title: string
  status: string
  data: JsonObject
  /** Until when somebody rests who should travel by then; null for others. */
  restsUntil: string | null
}

interface Row {
  case: string
  reference: string
  data: JsonObject
  vehicle: Member
  driver: Member
  helper: Member | null
}

type Reason = Required<Pick<FieldError, 'code' | 'values'>>

export interface UnfitTrip {
  case: string
  reference: string
  route: string
  from: string
  until: string
  vehicle: string
  driver: string
  /** The ids of vehicle, driver and helper. */
  assigned: string[]
  /** Text keys with their values. */
  why: Reason[]
}

/** That somebody is not back early enough from another trip to travel again. */
function restsFor(member: Member | null): Reason[] {
  if (!member?.restsUntil) return []
  return [{ code: 'platform.item-rests', values: { item: member.title, until: member.restsUntil } }]
}

/**
 * Until when somebody rests who should make a trip, after what another case has noted; null if nothing keeps them. Who
 * was late on a shorter trip, and is back by then, makes it: what was kept free was for that.
 */
const restsUntil = (item: RawBuilder<unknown>) => sql`(
  select max(upper(r.during)) from item_rest r where r.item_id = ${item} and r.case_id <> c.id
    and lower(r.during) < (t.data ->> 'until')::timestamptz
    and (t.data ->> 'from')::timestamptz < upper(r.during) - make_interval(mins =>
      case when upper(r.during) - lower(r.during) > make_interval(hours => ${sql.lit(LONG_TRIP_HOURS)}, mins => ${sql.lit(SHORT_REST_MINUTES)})
      then 0 else ${sql.lit(SHORT_REST_MINUTES)} end))`

/** The planned trips that are not over, whose vehicle, driver or helper cannot make them any more; the next first. */
export async function listUnfitTrips(db: Kysely<DB>, now: Date): Promise<UnfitTrip[]> {
  const member = (field: string, register: string) => sql`(
    select jsonb_build_object('id', m.id, 'title', m.title, 'status', m.status, 'data', m.data,
      'restsUntil', ${restsUntil(sql`m.id`)}) from register_item m
    where m.register = ${register} and m.id::text = t.data ->> ${sql.lit(field)})`
  const { rows } = await sql<Row>`
    select c.id as "case", c.reference, t.data, ${member('vehicle', VEHICLES)} as vehicle,
      ${member('driver', CREW)} as driver, ${member('helper', CREW)} as helper
    from register_item t join flow_case c on c.reference = t.data ->> 'case_reference'
    where t.register = ${TRIPS} and t.status = 'Planned' and (t.data ->> 'until')::timestamptz > ${now}
    order by (t.data ->> 'from')::timestamptz, c.reference`.execute(db)
  const licensed = new Map<string, Papers>()
  const unfit: UnfitTrip[] = []
  for (const { data, vehicle, driver, helper, ...of } of rows) {
    // Of a trip that has begun, only the days that are left count.
    const days = [[firstDay(data), dayInColombo(now)].toSorted().at(-1) ?? '', lastDay(data)] as const
    const key = days.join()
    const valid = licensed.get(key) ?? (await papersOn(db, ...days))
    licensed.set(key, valid)
    const broken = vehicleUnfit(vehicle, data, valid)
    const why: Pick<FieldError, 'code' | 'values'>[] = [
      ...(vehicle.status === 'Active' ? [] : [{ code: 'vehicles.unfit.vehicle-away' }]),
      ...(broken ? [broken] : []),
      ...(driver.status === 'Active' ? [] : [{ code: 'vehicles.unfit.driver-away' }]),
      ...driverErrors(vehicle.data, driver.data, data),
      ...[driver, helper].flatMap((one) => restsFor(one)),
      ...(helper === null || helper.status === 'Active' ? [] : [{ code: 'vehicles.unfit.helper-away' }]),
    ]
    const { route, from, until } = data
    if (why.length > 0)
      unfit.push({
        ...of,
        ...{ route: String(route), from: String(from), until: String(until) },
        ...{
          vehicle: vehicle.title,
          driver: driver.title,
          assigned: [vehicle, driver, ...(helper ? [helper] : [])].map(({ id }) => id),
          why: why.map(({ code, values = {} }) => ({ code, values })),
        },
      })
  }
  return unfit
}
