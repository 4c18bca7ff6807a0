import Type from 'typebox'
import { lockStay } from '../../api/hostel/stays.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { worker } from '../platform/worker.ts'

/** Enters that the student lives in the room from today, with the key and what was in the room. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, facts, submissions, case: { reference }, now }) {
    const confirmed = submissions.findLast(({ formKey }) => formKey === 'hostel/registration-check')
    if (confirmed?.data['outcome'] !== 'confirm') throw new Error('no desk has confirmed the registration')
    const key = known(textAt(confirmed.data, '/key_no'), 'the key')
    const stay = await lockStay(trx, registers, reference)
    const receipt = known(textAt(confirmed.data, '/receipt_no'), 'the receipt')
    const entered = { registered_on: dayInColombo(now), key_no: key, receipt_no: receipt }
    await registers.change(stay, entered, confirmed.by)
    const room = await registers.item('hostel/room', known(textAt(stay.data, '/room'), 'the room'))
    await facts({ key, receipt, inventory: room.data['inventory'] ?? null })
    return {}
  },
})
