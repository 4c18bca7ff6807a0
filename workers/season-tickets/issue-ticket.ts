import Type from 'typebox'
import { TICKETS, findPreparedTicket } from '../../api/season-tickets/tickets.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { worker } from '../platform/worker.ts'

/** Makes the ticket valid that the student has collected, and replaced the lost one, if it stands for one. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['season-tickets.not-entitled'],
  async run({ trx, registers, facts, submission, submissions, case: { requesterId, reference }, now }) {
    const issued = submissions.findLast(({ formKey }) => formKey === 'season-tickets/issuing')
    if (issued?.data['outcome'] !== 'issued') throw new Error('no desk has issued the ticket')
    const student = known(await findOwnEntry(trx, requesterId), 'the entry of the student')
    // Who changes the student's status goes on to the tickets: in this order neither misses the other.
    const { status } = await registers.lock('platform/student', student.id)
    if (status !== 'active') throw new BusinessError('season-tickets.not-entitled')
    const prepared = await findPreparedTicket(trx, reference)
    if (prepared === undefined) throw new BusinessError('season-tickets.not-entitled')
    const ticket = await registers.lock(TICKETS, prepared)
    const lost = textAt(submission, '/ticket')
    if (lost !== undefined) {
      const number = known(textAt(ticket.data, '/number'), 'the number of the ticket')
      const old = await registers.lock(TICKETS, lost)
      if (old.status !== 'Issued') throw new BusinessError('season-tickets.not-entitled')
      const noted = await registers.change(old, { replaced_by: number }, issued.by)
      await registers.setStatus(noted, 'Replaced', issued.by)
      await facts({ replacedTicket: old.data['number'] ?? null })
    }
    const dated = await registers.change(ticket, { issued_on: dayInColombo(now) }, issued.by)
    await registers.setStatus(dated, 'Issued', issued.by)
    return {}
  },
})
