import Type from 'typebox'
import { documentsOfCase } from '../../api/students/registration-documents.ts'
import { DOCUMENTS, type RegistrationFacts, type SentDocument } from '../../api/students/registration-rows.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from '../platform/worker.ts'

const FORMS = ['students/registration-check', 'students/document-check']

/**
 * Notes which documents are approved, and which are rejected and why: the student sends only these again. The others
 * stay approved.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, facts, submissions, case: { id, requesterId, reference } }) {
    const check = known(
      submissions.findLast(({ formKey }) => FORMS.includes(formKey)),
      'the check of the documents',
    )
    const { toCheck = [], checked = [] } = checkedAs<RegistrationFacts>((await getCaseContent(trx, id)).facts)
    // Somebody who approves many students at once sends no rows.
    const { documents = toCheck, reason = '' } = checkedAs<{ documents?: SentDocument[]; reason?: string }>(check.data)
    const student = known(await findOwnEntry(trx, requesterId), 'the entry of the student')
    const entries = await documentsOfCase(trx, student.id, reference)
    const rejected = documents.filter(({ decision }) => decision === 'reject')
    for (const { name, decision, reason: own } of documents) {
      const entry = await registers.lock(DOCUMENTS, known(entries.get(name), name))
      const isWrong = decision === 'reject'
      const noted = await registers.change(entry, { reason: isWrong ? (own ?? reason) : null }, check.by)
      await registers.setStatus(noted, isWrong ? 'Rejected' : 'Approved', check.by)
    }
    const all = [...new Map([...checked, ...toCheck].map((one) => [one.name, { ...one }])).values()]
    await facts({
      wanted: rejected.map(({ name, reason: own }) => ({ name, needed: 'yes', wrong: own ?? reason })),
      // A further check sees all of them, not only those of the last round.
      toCheck: all,
      checked: all,
    })
    return {}
  },
})
