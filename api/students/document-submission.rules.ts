import { findOwnEntry } from '../platform/people/identity/accounts.ts'
import { known } from '../platform/kernel/known.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import { checkDecisions, missingFiles, noFile, noneRejected } from './document-rules.ts'
import { documentsAsked, documentsOf, studentsWithoutDocuments } from './registration-documents.ts'
import type { WantedDocument } from './registration-rows.ts'

const rules: Rules = {
  async check({ data, requester, trx }) {
    const student = known(await findOwnEntry(trx, requester.id), 'the entry of the student')
    const asked = await documentsAsked(trx, String(data['intake']))
    const sent = await documentsOf(trx, student.id)
    const approved = new Set(sent.filter(({ status }) => status === 'Approved').map(({ document }) => document))
    const open = asked.filter(({ id }) => !approved.has(id))
    if (open.length === 0) return [{ field: '/intake', code: 'students.documents-complete' }]
    const others = open.map(({ id }) => sent.find(({ document, isAsked }) => document === id && isAsked)?.case)
    if (others.includes(undefined)) return []
    const reference = [...new Set(others)].join(', ')
    return [{ field: '/intake', code: 'students.documents-under-way', values: { reference } }]
  },

  /** Who has sent all that is required is not asked; they may still send what applies to them. */
  async leftOut({ trx, records }) {
    const lacking = await studentsWithoutDocuments(trx, records)
    return new Map(records.filter((id) => !lacking.has(id)).map((id) => [id, 'students.documents-complete']))
  },

  answers: {
    'students/document-upload': {
      check({ data }) {
        const { documents = [] } = checkedAs<{ documents?: WantedDocument[] }>(data)
        const missing = missingFiles(documents)
        return missing.length > 0 ? missing : noFile(documents)
      },
    },
    'students/document-check': { check: (input) => [...checkDecisions(input), ...noneRejected(input)] },
  },
}

export default rules
