import Type from 'typebox'
import { withoutFirstCard } from '../../api/id-cards/cards.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { worker } from '../platform/worker.ts'
import { prepareCard } from './prepare-card.ts'

/**
 * Enters the first card of a student. Since the batch was opened, the student may have got a card otherwise, have taken
 * out the photo, or be active no more; then none is entered.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ cardNumber: Type.String() }),
  raises: ['id-cards.has-card', 'id-cards.no-photo', 'id-cards.not-active'],
  async run(context) {
    const { trx, registers, case: found } = context
    const student = known(await findOwnEntry(trx, found.requesterId), 'the entry of the student')
    // Two cases of a student wait for each other here.
    await registers.lock('platform/student', student.id)
    const refusal = (await withoutFirstCard(trx, [student.id])).get(student.id)
    if (refusal !== undefined) throw new BusinessError(refusal)
    return prepareCard(context)
  },
})
