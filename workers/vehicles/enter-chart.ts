import Type from 'typebox'
import { CHARTS, TRIPS, VEHICLES } from '../../api/vehicles/trips.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { findItemWith } from '../../api/platform/work/rows/items.ts'
import { worker } from '../platform/worker.ts'

/** Enters the running chart of a trip, or corrects it, and notes the meter of the vehicle. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, facts, submissions, case: { reference } }) {
    const kept = known(
      submissions.findLast(({ formKey }) => formKey === 'vehicles/running-chart'),
      'the running chart',
    )
    const tripId = await findItemWith(trx, TRIPS, { field: 'case_reference', value: reference })
    const trip = await registers.lock(TRIPS, known(tripId, `the trip of ${reference}`))
    const { outcome: _, reason: __, ...read } = kept.data
    const { vehicle: vehicleId, driver, route, cost_centre } = trip.data
    const chart = { case_reference: reference, vehicle: vehicleId, driver, route, cost_centre, ...read }
    const earlier = await findItemWith(trx, CHARTS, { field: 'case_reference', value: reference })
    if (earlier === undefined) await registers.create(CHARTS, chart, kept.by, { status: 'Entered' })
    else await registers.change(await registers.lock(CHARTS, earlier), chart, kept.by)
    const vehicle = await registers.lock(VEHICLES, known(textAt(trip.data, '/vehicle'), 'the vehicle of the trip'))
    const [out, back] = [Number(kept.data['meter_out']), Number(kept.data['meter_in'])]
    if (back > Number(vehicle.data['meter'])) await registers.change(vehicle, { meter: back }, kept.by)
    if (trip.status === 'Planned') await registers.setStatus(trip, 'Made', kept.by)
    await facts({ kilometresDriven: back - out })
    return {}
  },
})
