import type { Rules } from '../platform/model/deployed/rules.ts'
import { documentsOf } from './registration-documents.ts'

/** A document that a running case asks for is rejected at its desks. */
const rules: Rules = {
  async check({ data, trx }) {
    const asked = (await documentsOf(trx, String(data['student']))).find(({ id }) => id === data['document'])
    if (!asked?.isAsked) return []
    return [{ field: '/document', code: 'students.document-under-way', values: { reference: asked.case ?? '' } }]
  },
}

export default rules
