import Type from 'typebox'
import { askForDocuments } from '../../api/students/registration-documents.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { worker } from '../platform/worker.ts'

/** Lists which documents of the intake the student has to send. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, facts, submission, case: { requesterId, reference } }) {
    const student = known(await findOwnEntry(trx, requesterId), 'the entry of the student')
    const asked = { student: student.id, intake: String(submission['intake']), reference }
    const wanted = await askForDocuments(trx, registers, asked)
    await facts({ wanted: wanted.map((one) => ({ ...one })) })
    return {}
  },
})
