import Type from 'typebox'
import { TICKETS, findPreparedTicket } from '../../api/season-tickets/tickets.ts'
import { worker } from '../platform/worker.ts'

/** Cancels the ticket that was prepared for the case, if there is one: it never becomes valid. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, facts, case: { reference } }) {
    const prepared = await findPreparedTicket(trx, reference)
    if (prepared === undefined) return {}
    await registers.setStatus(await registers.lock(TICKETS, prepared), 'Cancelled', null)
    await facts({ ticketNumber: null })
    return {}
  },
})
