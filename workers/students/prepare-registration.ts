import Type from 'typebox'
import { batchOf, setupOf } from '../../api/students/registration-setup.ts'
import { rowsOf, subjectsOfYear } from '../../api/students/year-subjects.ts'
import { askForDocuments } from '../../api/students/registration-documents.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { worker } from '../platform/worker.ts'

/**
 * Lists what the student has to send and which subjects the first year has. Documents that were approved in an earlier
 * registration are not asked for again.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, facts, submission, case: { requesterId, reference } }) {
    const student = known(await findOwnEntry(trx, requesterId), 'the entry of the student')
    const batch = await batchOf(trx, await setupOf(trx, submission))
    const intake = String(batch.data['intake'])
    const wanted = await askForDocuments(trx, registers, { student: student.id, intake, reference })
    const subjects = await subjectsOfYear(trx, batch.id, 1)
    await facts({ wanted: wanted.map((one) => ({ ...one })), ...rowsOf(subjects) })
    return {}
  },
})
