import Type from 'typebox'
import { CERTIFICATE, CERTIFICATES, findCertificate } from '../../api/medical/certificates.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { documents, documentsOf } from '../../api/platform/records/documents/documents.ts'
import { withdrawDocuments } from '../../api/platform/records/documents/verification.ts'
import { worker } from '../platform/worker.ts'

/** Ends a certificate: neither its print nor `/verify` says that it is valid, and its entry is withdrawn. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, submissions, case: { id, reference } }) {
    const { by } = known(
      submissions.findLast(({ formKey }) => formKey === 'medical/certificate-withdrawal'),
      'the withdrawal',
    )
    for (const { kind, number, endedAt } of await documentsOf(trx, id))
      if (kind === CERTIFICATE && endedAt === null) await documents(trx).end({ caseId: id, kind, number, by })
    await withdrawDocuments(trx, { caseId: id, kind: CERTIFICATE })
    const entry = known(await findCertificate(trx, reference), 'the entry of the certificate')
    await registers.setStatus(await registers.lock(CERTIFICATES, entry), 'Withdrawn', by)
    return {}
  },
})
