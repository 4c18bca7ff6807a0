import { sql } from 'kysely'
import Type from 'typebox'
import { bookingFacts } from '../../api/resource-reservation/booking-facts.ts'
import type { Booking, Resource } from '../../api/resource-reservation/booking.ts'
import { moneyFacts } from '../../api/resource-reservation/money.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'
import { worker } from '../platform/worker.ts'

/**
 * Moves a booking to its new time: it gets the requested slot, releases the old one, and its time and cost are updated.
 * The deposit settles the difference in cost at the end.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ eventEnd: Type.String() }),
  async run({ allocations, registers, submission, trx, case: { id } }) {
    if (!(await allocations.takeMove(id))) throw new Error('the case has no slot for its new time')
    const { requestedTime: granted, ...facts } = await moneyFacts(trx, id)
    if (!granted) throw new Error('the case has no request for a new time')
    const { from, until } = granted
    const booking = { ...checkedAs<Booking>(submission), from, until }
    const { data } = await registers.item('resource-reservation/resource', booking.resource)
    const { estimate, reservationId } = bookingFacts(checkedAs<Resource>(data), booking).facts
    await trx
      .updateTable('flow_case')
      .set({
        data: JSON.stringify(booking),
        subject: sql`subject || ${JSON.stringify({ from, until })}::jsonb`,
        facts: JSON.stringify({ ...facts, estimate, reservationId, timeChange: granted }),
        version: sql`version + 1`,
        changed_at: sql`clock_timestamp()`,
      })
      .where('id', '=', id)
      .execute()
    return { eventEnd: until }
  },
})
