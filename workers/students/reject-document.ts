import type { Transaction } from 'kysely'
import Type from 'typebox'
import { runningRegistrationOf } from '../../api/students/registration-documents.ts'
import { DOCUMENTS } from '../../api/students/registration-rows.ts'
import type { DB } from '../../api/platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { inUse, textAt } from '../../api/platform/model/definitions/register.ts'
import type { Library } from '../../api/platform/model/library/library.ts'
import { findAccountOfEntry } from '../../api/platform/people/identity/accounts.ts'
import { entryAsked } from '../../api/platform/work/cases/requester.ts'
import { worker } from '../platform/worker.ts'

/** Where a student sends a document again: on its own, or with the registration. */
const AGAIN = ['students/document-submission', 'students/registration']

/**
 * Rejects a document that is still approved, and tells the student why and where it is sent again: at the page that is
 * open to them, or at the office. Nothing is done while a registration runs that began meanwhile.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['platform.record-not-as-expected'],
  async run({ trx, registers, library, mail, submission, case: { id: caseId, requesterId } }) {
    const student = String(submission['student'])
    const document = await registers.lock(DOCUMENTS, known(textAt(submission, '/document'), 'the document'))
    const isApproved = document.status === inUse(registers.definitionOf(DOCUMENTS))
    if (!isApproved || (await runningRegistrationOf(trx, student)) !== undefined)
      throw new BusinessError('platform.record-not-as-expected')
    const why = known(textAt(submission, '/reason'), 'the reason')
    await registers.setStatus(await registers.change(document, { reason: why }, requesterId), 'Rejected', requesterId)
    const account = await findAccountOfEntry(trx, student)
    if (account === undefined) return {}
    const page = await openPage(trx, library, account)
    const template = page === null ? 'students.mail.document-rejected-office' : 'students.mail.document-rejected'
    await mail.send({ to: `user:${account}`, template, caseId, page, values: { document: document.title, why } })
    return {}
  },
})

/** The page at which this account may send the document again; null if there is none. */
async function openPage(trx: Transaction<DB>, { flows, registers }: Library, account: string): Promise<string | null> {
  for (const key of AGAIN) {
    const { manifest } = known(flows.get(key), key)
    try {
      await entryAsked(trx, { manifest, requesterId: account, registers })
      return known(manifest.startPage, `the page of ${key}`)
    } catch (error) {
      if (!(error instanceof BusinessError)) throw error
    }
  }
  return null
}
