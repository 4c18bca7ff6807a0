import Type from 'typebox'
import { DOCUMENTS } from '../../api/students/registration-rows.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { inUse, textAt } from '../../api/platform/model/definitions/register.ts'
import { findAccountOfEntry } from '../../api/platform/people/identity/accounts.ts'
import { findAnyItem } from '../../api/platform/work/rows/items.ts'
import { worker } from '../platform/worker.ts'

/** Where a student sends a document again: an active one on its own, others with their registration. */
const PAGES = { active: '/student/Documents/send', other: '/student/paymet/registration' }

/** Rejects a document that was approved, and tells the student why, who is asked for it again. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, mail, submission, case: { id: caseId, requesterId } }) {
    const document = await registers.lock(DOCUMENTS, known(textAt(submission, '/document'), 'the document'))
    if (document.status !== inUse(registers.definitionOf(DOCUMENTS))) return {}
    const why = known(textAt(submission, '/reason'), 'the reason')
    await registers.setStatus(await registers.change(document, { reason: why }, requesterId), 'Rejected', requesterId)
    const student = known(await findAnyItem(trx, String(submission['student'])), 'the student')
    const account = await findAccountOfEntry(trx, student.id)
    if (account === undefined) return {}
    const page = student.status === 'active' ? PAGES.active : PAGES.other
    const values = { document: document.title, why }
    await mail.send({ to: `user:${account}`, template: 'students.mail.document-rejected', caseId, page, values })
    return {}
  },
})
