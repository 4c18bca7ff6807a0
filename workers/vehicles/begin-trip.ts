import Type from 'typebox'
import { TRIPS, findTripOf } from '../../api/vehicles/trips.ts'
import { worker } from '../platform/worker.ts'

/**
 * Says whether the running chart of the trip is that of this reservation: one that goes along has none. The trip of one
 * that goes along may be cancelled by now.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ leadsTrip: Type.Boolean(), tripGone: Type.Boolean() }),
  async run({ trx, registers, case: { reference } }) {
    const found = await findTripOf(trx, reference)
    // Locked: it is not handed over to a reservation that begins just now.
    const trip = found === undefined ? undefined : await registers.lock(TRIPS, found)
    const tripGone = trip === undefined || trip.status === 'Cancelled'
    return { leadsTrip: !tripGone && trip.data['case_reference'] === reference, tripGone }
  },
})
