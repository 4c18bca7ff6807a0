import Type from 'typebox'
import { STAYS, findStay } from '../../api/hostel/stays.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { findAccountOfEntry } from '../../api/platform/people/identity/accounts.ts'
import { worker } from '../platform/worker.ts'

/** Tells the other student who asks to swap rooms with them, and how to agree or not. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, mail, submission, case: { reference, subject } }) {
    const other = await findStay(trx, String(submission['other']))
    if (other === undefined) return {}
    const { data } = await registers.item(STAYS, other)
    const to = await findAccountOfEntry(trx, known(textAt(data, '/student'), 'the other student'))
    if (to === undefined) return {}
    const { student = '', regNo = '', room = '' } = subject
    await mail.send({
      to,
      template: 'hostel.mail.swap-other-asked',
      values: { reference, student, regNo, room },
      page: '/welfare/hostel/student-hostel',
    })
    return {}
  },
})
