import Type from 'typebox'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { RECIPIENTS, bursaryOf, findRecipient, findScheme, monthsOfReturn } from '../../api/bursary/recipients.ts'
import { worker } from '../platform/worker.ts'

/**
 * Enters the student as a recipient of the bursary that was confirmed, for the months of the acceptance. A student has
 * one entry: of an earlier year it gets the new bursary and months. Desks have decided, so that no second person has to
 * certify it; an entry that people write waits for one.
 */
export default worker({
  input: Type.Object({ eligibility: Type.String() }),
  output: Type.Object({}),
  async run({ trx, registers, facts, variables: { eligibility }, submissions, case: { reference, requesterId } }) {
    const accepted = submissions.findLast(({ formKey }) => formKey === 'bursary/agreement-acceptance')
    if (accepted?.data['outcome'] !== 'accept') throw new Error('no desk has accepted the agreement')
    const student = await findOwnEntry(trx, requesterId)
    if (!student) throw new Error('the applicant has no entry among the students')
    const scheme = await findScheme(trx, bursaryOf(eligibility))
    const { from, until } = accepted.data
    const months = { from: String(from), until: String(until) }
    const earlier = await findRecipient(trx, student.id)
    if (earlier === undefined) {
      const data = { number: reference, student: student.id, scheme, ...months, documents_complete: true }
      await registers.create(RECIPIENTS, data, null)
      await facts({ recipient: reference })
      return {}
    }
    const item = await registers.lock(RECIPIENTS, earlier)
    const goesOn = item.status === 'Active' && item.data['scheme'] === scheme
    const change = { scheme, ...(goesOn ? monthsOfReturn(item.data, months) : months), documents_complete: true }
    const changed = await registers.change(item, change, null)
    if (item.status !== 'Active') await registers.setStatus(changed, 'Active', null)
    await facts({ recipient: String(item.data['number']) })
    return {}
  },
})
