import { type Transaction, sql } from 'kysely'
import Type from 'typebox'
import {
  CHARTS,
  CREW,
  SERVICE_KM_AHEAD,
  TRIPS,
  VEHICLES,
  newestService,
  restMinutes,
} from '../../api/vehicles/trips.ts'
import { HOUR_MS, MINUTE_MS } from '../../api/platform/kernel/units.ts'
import type { DB, JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { findItemWith } from '../../api/platform/work/rows/items.ts'
import { type WorkerContext, worker } from '../platform/worker.ts'

/** What a correction leaves out is not true any more. */
const LEFT_OUT = { employee: null, fuel_litres: null, sheet: null, signature: null, remarks: null }

/** Enters the running chart of a trip, or corrects it, and notes the meter of the vehicle. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, allocations, registers, facts, mail, submissions, case: { id, reference } }) {
    const kept = known(
      submissions.findLast(({ formKey }) => formKey === 'vehicles/running-chart'),
      'the running chart',
    )
    const tripId = await findItemWith(trx, TRIPS, { field: 'case_reference', value: reference })
    const trip = await registers.lock(TRIPS, known(tripId, `the trip of ${reference}`))
    const { outcome: _, reason: __, ...read } = kept.data
    const { vehicle: vehicleId, driver, route, cost_centre } = trip.data
    await restAfter(allocations, id, { trip: trip.data, read })
    const kilometres = Number(read['meter_in']) - Number(read['meter_out'])
    const { employee } = (await registers.item(CREW, known(textAt(trip.data, '/driver'), 'the driver of the trip')))
      .data
    const chart = {
      ...{ case_reference: reference, vehicle: vehicleId, driver, route, cost_centre, ...read, kilometres },
      // Whose chart it is: drivers read their own.
      ...(employee !== undefined && { employee }),
    }
    const earlier = await findItemWith(trx, CHARTS, { field: 'case_reference', value: reference })
    const before = earlier === undefined ? undefined : await registers.lock(CHARTS, earlier)
    if (before === undefined) await registers.create(CHARTS, chart, kept.by, { status: 'Entered' })
    // One that the office cancelled stays as it is.
    else if (before.status === 'Entered') await registers.change(before, { ...LEFT_OUT, ...chart }, kept.by)
    const vehicle = await registers.lock(VEHICLES, known(textAt(trip.data, '/vehicle'), 'the vehicle of the trip'))
    const back = Number(kept.data['meter_in'])
    const meter = Number(vehicle.data['meter'])
    const isKept = before === undefined || before.status === 'Entered'
    const reset = before?.data['meter_in'] === meter ? await meterOfCharts(trx, vehicle.id) : null
    const shows = isKept ? (reset ?? Math.max(back, meter)) : meter
    if (shows !== meter && vehicle.status !== 'Disposed') await registers.change(vehicle, { meter: shows }, kept.by)
    const next = await nextService(trx, vehicle.id)
    const isNear = (at: number) => next !== undefined && at >= next - SERVICE_KM_AHEAD
    if (isNear(back) && !isNear(meter))
      await mail.send({
        to: ['Transport MA', 'Transport Head'],
        template: 'vehicles.mail.service-due-by-meter',
        values: { vehicle: vehicle.title, meter: back, next: next ?? 0 },
        caseId: id,
      })
    if (trip.status === 'Planned') await registers.setStatus(trip, 'Made', kept.by)
    await facts({ kilometresDriven: kilometres })
    return {}
  },
})

/** Driver and helper rest once they are back, however late that was. */
async function restAfter(
  allocations: WorkerContext<unknown>['allocations'],
  caseId: string,
  { trip, read }: { trip: JsonObject; read: JsonObject },
): Promise<void> {
  const [left, back] = [Date.parse(String(read['left_at'])), Date.parse(String(read['back_at']))]
  const until = back + restMinutes((back - left) / HOUR_MS) * MINUTE_MS
  await allocations.rest(caseId, {
    items: ['/driver', '/helper'].flatMap((name) => textAt(trip, name) ?? []),
    during: { from: new Date(left).toISOString(), until: new Date(until).toISOString() },
    changes: [known(textAt(trip, '/vehicle'), 'the vehicle of the trip')],
  })
}

/** The highest meter of a vehicle's charts: the chart that had set its meter was corrected. */
async function meterOfCharts(trx: Transaction<DB>, vehicle: string): Promise<number | null> {
  const row = await trx
    .selectFrom('register_item')
    .select(sql<number | null>`max((data ->> 'meter_in')::integer)`.as('meter'))
    .where('register', '=', CHARTS)
    .where('status', '=', 'Entered')
    .where(sql`data ->> 'vehicle'`, '=', vehicle)
    .executeTakeFirstOrThrow()
  return row.meter
}

/** The kilometres at which the next service of a vehicle is due. */
async function nextService(trx: Transaction<DB>, vehicle: string): Promise<number | undefined> {
  const { rows } = await sql<{ next: number }>`
    select (s.data ->> 'next_meter')::integer as next from (${newestService(sql`${vehicle}`)}) s`.execute(trx)
  return rows[0]?.next
}
