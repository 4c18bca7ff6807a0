import Type from 'typebox'
import { documentsOf, waitForUpload } from '../../api/students/registration-documents.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { type WorkerContext, worker } from '../platform/worker.ts'

/** Of a case that is over, whatever is not approved waits for an upload again: nobody checks it any more. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run(context) {
    await releaseDocuments(context)
    return {}
  },
})

/** Lets the documents of a case that are not approved wait for an upload again. */
export async function releaseDocuments({ trx, registers, case: found }: WorkerContext<unknown>): Promise<void> {
  const student = known(await findOwnEntry(trx, found.requesterId), 'the entry of the student')
  for (const { id, status, case: asking } of await documentsOf(trx, student.id))
    if (asking === found.reference && status !== 'Approved') await waitForUpload(registers, id, {})
}
