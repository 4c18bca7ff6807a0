import dayjs from 'dayjs'
import Type from 'typebox'
import { CARDS, CARD_NUMBER, earlierCard, findPreparedCard, photoOf } from '../../api/id-cards/cards.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { type WorkerContext, worker } from '../platform/worker.ts'

/** Years for which a card without an earlier one is valid. */
const VALID_YEARS = 4

/**
 * Enters the new card under the next number, from what the student register holds now. It is valid as long as the card
 * that it replaces would have been. A card that the office cancelled
 * counts, too. Its photo is the one that the student has sent with the request, else that of the
 * earlier card, else that of their particulars.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ cardNumber: Type.String() }),
  raises: ['id-cards.not-active'],
  run: prepareCard,
})

/** Enters the card, and tells its number. */
export async function prepareCard(context: WorkerContext<unknown>): Promise<{ cardNumber: string }> {
  const { trx, registers, numbers, facts, submission, case: found, now } = context
  const { requesterId, reference } = found
  if ((await findPreparedCard(trx, reference)) !== undefined) throw new Error('a card is in preparation already')
  const student = known(await findOwnEntry(trx, requesterId), 'the entry of the student')
  if (student.status !== 'active') throw new BusinessError('id-cards.not-active')
  const earlier = await earlierCard(trx, student.id)
  const before = earlier?.data ?? {}
  const today = dayInColombo(now)
  const kept = textAt(before, '/valid_until')
  const valid_until =
    kept !== undefined && kept > today ? kept : dayjs(today).add(VALID_YEARS, 'year').format('YYYY-MM-DD')
  const photo = textAt(submission, '/photo') ?? textAt(before, '/photo') ?? (await photoOf(trx, student.id))
  const number = await numbers.written(CARDS, CARD_NUMBER, now)
  const name = textAt(student.data, '/name_with_initials') ?? textAt(student.data, '/full_name')
  await registers.create(
    CARDS,
    {
      number,
      student: student.id,
      reg_no: known(textAt(student.data, '/reg_no'), 'the registration number'),
      name: known(name, 'the name of the student'),
      issued_on: today,
      valid_until,
      case_reference: reference,
      ...(earlier && { replaces: earlier.number }),
      ...(photo && { photo }),
    },
    null,
    { status: 'In Preparation' },
  )
  await facts({ cardNumber: number, cardValidUntil: valid_until })
  return { cardNumber: number }
}
