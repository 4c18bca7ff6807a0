import type { Rules } from '../platform/model/deployed/rules.ts'
import { documentsOf, runningRegistrationOf } from './registration-documents.ts'

/**
 * A document that a running case asks for is rejected at its desks. While a registration runs, the others stay as they
 * are, too: it would end without them.
 */
const rules: Rules = {
  async check({ data, trx }) {
    const student = String(data['student'])
    const asked = (await documentsOf(trx, student)).find(({ id }) => id === data['document'])
    if (asked?.isAsked)
      return [{ field: '/document', code: 'students.document-under-way', values: { reference: asked.case ?? '' } }]
    const reference = await runningRegistrationOf(trx, student)
    if (reference === undefined) return []
    return [{ field: '/student', code: 'students.registration-under-way', values: { reference } }]
  },
}

export default rules
