import Type from 'typebox'
import { driverIdOf } from '../../api/vehicles/crew.ts'
import { TRIPS, assignedTo, findTripOf } from '../../api/vehicles/trips.ts'
import { caseHasSlots } from '../../api/platform/work/allocations/case-slots.ts'
import { Refused } from '../platform/run.ts'
import { worker } from '../platform/worker.ts'

/**
 * Says whether the running chart of the trip is that of this reservation, and who drives: one that goes along has none.
 * The trip of one that goes along may be cancelled by now.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ leadsTrip: Type.Boolean(), tripGone: Type.Boolean(), driverId: Type.String() }),
  async run({ trx, registers, case: { id, reference, requesterId } }) {
    // Another driver was picked when it began: the step is offered again, without an end, until that has taken effect or come to nothing.
    if (await caseHasSlots(trx, id, 'move')) throw new Refused(`${reference} gets another vehicle or driver`)
    const found = await findTripOf(trx, reference)
    // Locked: it is not handed over to a reservation that begins just now.
    const trip = found === undefined ? undefined : await registers.lock(TRIPS, found)
    const tripGone = trip === undefined || trip.status === 'Cancelled'
    const leadsTrip = !tripGone && trip.data['case_reference'] === reference
    const driver = leadsTrip ? (await assignedTo(registers, trip.data)).driver : undefined
    return { leadsTrip, tripGone, driverId: driver ? await driverIdOf(trx, driver, requesterId) : 'none' }
  },
})
