import Type from 'typebox'
import { batchOf, setupOf } from '../../api/students/registration-setup.ts'
import { rowsOf, subjectsOfYear } from '../../api/students/year-subjects.ts'
import { documentsAsked, documentsOf } from '../../api/students/registration-documents.ts'
import { DOCUMENTS, type WantedDocument } from '../../api/students/registration-rows.ts'
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
    const present = new Map((await documentsOf(trx, student.id)).map((one) => [one.document, one]))
    const wanted: WantedDocument[] = []
    for (const { id, name, required } of await documentsAsked(trx, String(batch.data['intake']))) {
      const earlier = present.get(id)
      if (earlier?.status === 'Approved') continue
      if (earlier === undefined)
        await registers.create(
          DOCUMENTS,
          { name, student: student.id, document: id, case_reference: reference },
          null,
          { status: 'Pending Upload' },
        )
      else {
        // The document may have another name by now, and nothing of the earlier registration counts.
        const entry = await registers.lock(DOCUMENTS, earlier.id)
        const asked = await registers.change(entry, { name, reason: null, uploaded_on: null }, null)
        if (asked.status !== 'Pending Upload') await registers.setStatus(asked, 'Pending Upload', null)
      }
      wanted.push({ name, needed: required ? 'yes' : 'no' })
    }
    const subjects = await subjectsOfYear(trx, batch.id, 1)
    await facts({ wanted: wanted.map((one) => ({ ...one })), ...rowsOf(subjects) })
    return {}
  },
})
