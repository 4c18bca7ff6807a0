import Type from 'typebox'
import { isNic, longNic } from '../../forms/platform/nic.ts'
import { CARDS, findCurrentCard, findPreparedCard } from '../../api/id-cards/cards.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { worker } from '../platform/worker.ts'

/**
 * Makes the collected card valid, unless the student is not active any more, and the earlier one replaced. The number of an identity card that was shown
 * must be that of the student register.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['id-cards.identity-differs'],
  async run({ trx, registers, facts, now, submissions, case: { requesterId, reference } }) {
    const handed = submissions.findLast(({ formKey }) => formKey === 'id-cards/hand-over')
    if (handed?.data['outcome'] !== 'collected') throw new Error('no desk has handed the card over')
    const student = known(await findOwnEntry(trx, requesterId), 'the entry of the student')
    const { identity, identity_number: shown } = handed.data
    if (identity === 'nic' && plain(String(shown)) !== plain(textAt(student.data, '/nic') ?? ''))
      throw new BusinessError('id-cards.identity-differs')
    // Who changes the student's status goes on to the cards: in this order neither misses the other.
    const { status } = await registers.lock('platform/student', student.id)
    const prepared = known(await findPreparedCard(trx, reference), 'the card that was prepared')
    const card = await registers.lock(CARDS, prepared)
    const number = known(textAt(card.data, '/number'), 'the number of the card')
    const earlier = await findCurrentCard(trx, student.id)
    if (earlier !== undefined) {
      const old = await registers.lock(CARDS, earlier)
      const noted = await registers.change(old, { replaced_by: number }, handed.by)
      await registers.setStatus(noted, 'Replaced', handed.by)
      await facts({ replacedCard: old.data['number'] ?? null })
    }
    if (status === 'active') await registers.setStatus(card, 'Active', handed.by)
    else {
      const noted = await registers.change(card, { reason: 'student-not-active', since: dayInColombo(now) }, handed.by)
      await registers.setStatus(noted, 'Not In Use', handed.by)
    }
    return {}
  },
})

/** The old and the new number of an identity card as one value. */
function plain(value: string): string {
  const number = value.replaceAll(/[\s-]/g, '').toUpperCase()
  return isNic(number) ? longNic(number) : number
}
