import Type from 'typebox'
import { findTripLedBy } from '../../api/vehicles/trips.ts'
import { worker } from '../platform/worker.ts'

/** Says whether the running chart of the trip is that of this reservation: one that goes along has none. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ leadsTrip: Type.Boolean() }),
  async run({ trx, case: { reference } }) {
    return { leadsTrip: (await findTripLedBy(trx, reference)) !== undefined }
  },
})
