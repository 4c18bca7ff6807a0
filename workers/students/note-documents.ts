import Type from 'typebox'
import { documentsOfCase } from '../../api/students/registration-documents.ts'
import {
  DOCUMENTS,
  type ElectiveRow,
  type RegistrationFacts,
  type WantedDocument,
  creditsOf,
} from '../../api/students/registration-rows.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { takenOf } from '../../api/students/subject-choice.ts'
import { worker } from '../platform/worker.ts'

const FORMS = ['students/registration-documents', 'students/document-upload']

/** Notes which documents the student has sent, to be checked, and in a registration which subjects they take. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, facts, submissions, case: { id, requesterId, reference }, now }) {
    const sent = known(
      submissions.findLast(({ formKey }) => FORMS.includes(formKey)),
      'what the student has sent',
    )
    const { documents = [], electives } = checkedAs<{ documents?: WantedDocument[]; electives?: ElectiveRow[] }>(
      sent.data,
    )
    const student = known(await findOwnEntry(trx, requesterId), 'the entry of the student')
    const entries = await documentsOfCase(trx, student.id, reference)
    const toCheck = documents.flatMap(({ name, file }) => (file ? [{ name, file, decision: 'approve' }] : []))
    for (const { name, file } of toCheck) {
      const entry = await registers.lock(DOCUMENTS, known(entries.get(name), name))
      const noted = await registers.change(entry, { file, uploaded_on: dayInColombo(now), reason: null }, sent.by)
      await registers.setStatus(noted, 'Uploaded', sent.by)
    }
    await facts({ toCheck })
    if (electives === undefined) return {}
    const { core } = checkedAs<RegistrationFacts>((await getCaseContent(trx, id)).facts)
    const taken = takenOf(core, electives)
    await facts({
      // Who has to choose again, because a subject is full, sends the same files.
      wanted: documents.map(({ name, needed, file }) => ({ name, needed, ...(file && { file }) })),
      electives: electives.map((one) => ({ ...one })),
      credits: creditsOf(taken),
      subjects: taken.map(({ subject }) => subject).join(', '),
    })
    return {}
  },
})
