import Type from 'typebox'
import { CARDS, findPreparedCard } from '../../api/id-cards/cards.ts'
import { worker } from '../platform/worker.ts'

/** Cancels the card that was prepared for the case, if there is one: it never becomes valid. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, facts, case: { reference } }) {
    const prepared = await findPreparedCard(trx, reference)
    if (prepared === undefined) return {}
    await registers.setStatus(await registers.lock(CARDS, prepared), 'Cancelled', null)
    await facts({ cardNumber: null, cardValidUntil: null })
    return {}
  },
})
