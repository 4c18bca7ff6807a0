import Type from 'typebox'
import { AWARDS, type AwardMonths, awardsOf, countGiven, outsidePeriod } from '../../api/scholarships/awards.ts'
import type { JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { worker } from '../platform/worker.ts'

/** Writes the award that was decided, from which instalments are paid. The number of awards is never exceeded. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ awardNumber: Type.String() }),
  raises: ['scholarships.no-award-left'],
  async run({ trx, registers, numbers, facts, submission, submissions, case: { requesterId, reference }, now }) {
    const decided = submissions.findLast(({ formKey }) => formKey === 'scholarships/award-decision')
    if (decided?.data['outcome'] !== 'award') throw new Error('no desk has awarded the scholarship')
    // Locked, so that the last award is given once.
    const scholarship = await registers.lock('scholarships/scholarship', String(submission['scholarship']))
    const student = known(await findOwnEntry(trx, requesterId), 'the entry of the student').id
    const awards = await awardsOf(trx, scholarship.id)
    if (countGiven(awards) >= Number(scholarship.data['awards']) || awards.some((award) => award.student === student))
      throw new BusinessError('scholarships.no-award-left')
    const awardNumber = await numbers.written(AWARDS, 'AW-{yyyy}-{sequence:5}', now)
    const { documents_complete } = decided.data
    const from = String(known(decided.data['from'], 'the first month'))
    const until = String(known(decided.data['until'], 'the last month'))
    // The desk was told so; the scholarship may have been changed meanwhile.
    if (outsidePeriod({ from, until }, checkedAs<AwardMonths>(scholarship.data)).length > 0)
      throw new Error(`the award from ${from} to ${until} is not within the months of its scholarship`)
    const amount = amountOf(scholarship.data)
    await registers.create(
      AWARDS,
      {
        number: awardNumber,
        scholarship: scholarship.id,
        student,
        type: known(scholarship.data['type'], 'the type of the scholarship'),
        from,
        until,
        amount,
        documents_complete: documents_complete === true,
        case_reference: reference,
      },
      decided.by,
    )
    await facts({ award: awardNumber, awardAmount: amount, awardFrom: from, awardUntil: until })
    return { awardNumber }
  },
})

/** Cents a month for one student: the value, or what its cheques are made out for. */
function amountOf({ method, value, cheque_amount }: JsonObject): number {
  return method === 'cheque' ? Number(cheque_amount) * 100 : Number(value)
}
