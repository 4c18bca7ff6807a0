import Type from 'typebox'
import { bookingFacts } from '../../api/resource-reservation/booking-facts.ts'
import { worker } from '../platform/worker.ts'

/** Works out what a booking costs and what decides its way: who owns the resource and whether anybody has to approve. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({
    approvalNeeded: Type.Boolean(),
    costApplicable: Type.Boolean(),
    eventEnd: Type.String({ format: 'date-time' }),
    ownerKind: Type.Enum(['department', 'division', 'faculty']),
    total: Type.Integer({ minimum: 0 }),
  }),
  async run({ submission, registers, facts }) {
    const resource = await registers.item('resource-reservation/resource', String(submission['resource']))
    const { estimate, reservationId, ...routing } = bookingFacts(resource.data, submission)
    await facts({ estimate: { ...estimate }, reservationId })
    return routing
  },
})
