import type { FieldError } from '../platform/kernel/errors.ts'
import type { DeskInput } from '../platform/model/deployed/rules.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import type { SentDocument, WantedDocument } from './registration-rows.ts'

/** Every required document has a file. */
export function missingFiles(documents: readonly WantedDocument[]): FieldError[] {
  return documents.flatMap(({ needed, file }, at) =>
    needed === 'yes' && !file ? [{ field: `/documents/${at}/file`, code: 'platform.field-required' }] : [],
  )
}

/** At least one file is sent, also where every document is optional. */
export function noFile(documents: readonly WantedDocument[]): FieldError[] {
  return documents.some(({ file }) => file) ? [] : [{ field: '/documents', code: 'students.no-file' }]
}

/** Returned only if a document is rejected: nothing else would be asked for again. */
export function noneRejected({ data }: Pick<DeskInput, 'data'>): FieldError[] {
  const { documents = [] } = checkedAs<{ documents?: SentDocument[] }>(data)
  if (data['outcome'] !== 'return' || documents.some(({ decision }) => decision === 'reject')) return []
  return [{ field: documents.length > 0 ? '/documents/0/decision' : '/documents', code: 'students.none-rejected' }]
}

/** Approved only if no document is rejected; one that is rejected may have a reason of its own. */
export function checkDecisions({ data }: DeskInput): FieldError[] {
  const { documents = [] } = checkedAs<{ documents?: SentDocument[] }>(data)
  if (data['outcome'] !== 'approve') return []
  return documents.flatMap(({ decision }, at) =>
    decision === 'reject' ? [{ field: `/documents/${at}/decision`, code: 'students.rejected-among-approved' }] : [],
  )
}
