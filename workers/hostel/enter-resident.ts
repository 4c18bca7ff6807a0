import Type from 'typebox'
import { lockStay } from '../../api/hostel/stays.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { takeFee } from '../../api/platform/records/ledger/fees.ts'
import { holdDeposit } from '../../api/platform/records/ledger/deposits.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from '../platform/worker.ts'

/** Enters that the student lives in the room from today, with the key and what was in the room. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, facts, submissions, case: { id, reference }, now }) {
    const confirmed = submissions.findLast(({ formKey }) => formKey === 'hostel/registration-check')
    if (confirmed?.data['outcome'] !== 'confirm') throw new Error('no desk has confirmed the registration')
    const key = known(textAt(confirmed.data, '/key_no'), 'the key')
    const stay = await lockStay(trx, registers, reference)
    const receipt = known(textAt(confirmed.data, '/receipt_no'), 'the receipt')
    const entered = { registered_on: dayInColombo(now), key_no: key, receipt_no: receipt }
    await registers.change(stay, entered, confirmed.by)
    const room = await registers.item('hostel/room', known(textAt(stay.data, '/room'), 'the room'))
    const { fee, deposit } = (await getCaseContent(trx, id)).facts
    if (Number(fee) > 0) await takeFee(trx, { caseId: id, amount: Number(fee), area: 'hostel', by: confirmed.by })
    if (Number(deposit) > 0) await holdDeposit(trx, { caseId: id, amount: Number(deposit), by: confirmed.by })
    await facts({ key, receipt, inventory: room.data['inventory'] ?? null })
    return {}
  },
})
