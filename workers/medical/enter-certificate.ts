import Type from 'typebox'
import { CERTIFICATE, CERTIFICATES } from '../../api/medical/certificates.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { documentsOf } from '../../api/platform/records/documents/documents.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from '../platform/worker.ts'

/** Enters the issued certificate, so that examinations and leave read the days without the diagnosis. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, facts, submission, case: { id, reference, requesterId }, now }) {
    const issued = (await documentsOf(trx, id)).findLast(({ kind }) => kind === CERTIFICATE)
    const { number } = known(issued, 'the issued certificate')
    const noted = (await getCaseContent(trx, id)).facts
    const entry = await findOwnEntry(trx, requesterId)
    const about =
      entry?.register === 'platform/student'
        ? { student: entry.id }
        : entry?.register === 'platform/employee'
          ? { employee: entry.id }
          : {}
    await registers.create(
      CERTIFICATES,
      {
        ...{ number, ...about, purpose: known(submission['purpose'], 'what it is for') },
        holder: known(noted['holder'], 'the holder'),
        unfit_from: known(noted['unfitFrom'], 'the first day'),
        unfit_until: known(noted['unfitUntil'], 'the last day'),
        issued_on: dayInColombo(now),
        case_reference: reference,
      },
      null,
    )
    await facts({ certificateNumber: number })
    return {}
  },
})
