import Type from 'typebox'
import { documentsOf, waitForUpload } from '../../api/students/registration-documents.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { worker } from '../platform/worker.ts'

/** Of a case that is over, whatever is not approved waits for an upload again: nobody checks it any more. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, case: { requesterId, reference } }) {
    const student = known(await findOwnEntry(trx, requesterId), 'the entry of the student')
    for (const { id, status, case: asking } of await documentsOf(trx, student.id))
      if (asking === reference && status !== 'Approved') await waitForUpload(registers, id, {})
    return {}
  },
})
