import Type from 'typebox'
import { STAYS, findStay } from '../../api/hostel/stays.ts'
import { worker } from '../platform/worker.ts'

/** Gives back the room of an application that ends before the student has moved in, if it has one. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, facts, case: { reference } }) {
    const stay = await findStay(trx, reference)
    if (stay === undefined) return {}
    await registers.setStatus(await registers.lock(STAYS, stay), 'Released', null)
    await facts({ hostel: null, room: null, bed: null, fee: null, deposit: null, toPay: null })
    return {}
  },
})
