import Type from 'typebox'
import { TRIPS, findTripJoinedBy, findTripLedBy, handTripOver, ridersOf } from '../../api/vehicles/trips.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { worker } from '../platform/worker.ts'

/**
 * Gives vehicle and driver back. If others go along, the trip is still made: the first of them leads it from then on.
 * Who only goes along gives the seats back.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, allocations, registers, submission, submissions, case: { id, reference } }) {
    const by = known(submissions.at(-1), 'the last answer').by
    const seats = Number(submission['passengers'])
    const led = await findTripLedBy(trx, reference)
    if (led === undefined) {
      const joined = await registers.lock(TRIPS, known(await findTripJoinedBy(trx, reference), 'the trip'))
      const riders = ridersOf(joined.data).filter((rider) => rider.case_reference !== reference)
      await registers.change(joined, { passengers: Number(joined.data['passengers']) - seats, riders }, by)
      return {}
    }
    const trip = await registers.lock(TRIPS, led)
    const [next, ...others] = ridersOf(trip.data)
    const notMade = submissions.at(-1)?.formKey === 'vehicles/running-chart'
    if (next && !notMade) {
      await registers.change(
        trip,
        {
          case_reference: next.case_reference,
          passengers: Number(trip.data['passengers']) - seats,
          riders: others,
        },
        by,
      )
      await handTripOver(trx, id, next.case_reference)
      return {}
    }
    await allocations.release(id)
    await registers.setStatus(trip, 'Cancelled', by)
    return {}
  },
})
