import type { Transaction } from 'kysely'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { documents } from '../platform/records/documents/documents.ts'
import type { numbers } from '../platform/records/numbers/numbers.ts'

/** The part of a worker's context that a document needs. */
export interface PaperContext {
  trx: Transaction<DB>
  case: { id: string; reference: string; subject: JsonObject }
  submission: JsonObject
  numbers: ReturnType<typeof numbers>
  now: Date
}

const series = { invoice: 'INV', receipt: 'RC', 'credit-note': 'CN', settlement: 'ST' } as const

/**
 * Issues a document of a booking under the next gap-free number of the year, `INV-2026-000001`; `by` is an account, or
 * the system.
 */
export async function issuePaper(
  { trx, case: found, submission, numbers, now }: PaperContext,
  { kind, facts, by, data }: { kind: keyof typeof series; facts: JsonObject; by: string | null; data: JsonObject },
): Promise<{ number: string; documentId: string }> {
  const { id: caseId, reference, subject } = found
  const name = `resource-reservation/${kind}`
  const issuedOn = dayInColombo(now)
  const number = await numbers.written(name, `${series[kind]}-{yyyy}-{sequence:6}`, now)
  const about = {
    reference,
    reservationId: facts['reservationId'] ?? null,
    issuedOn,
    booker: [submission['salutation'], submission['poc_name']].filter(Boolean).join(' '),
    event: subject['event'] ?? null,
    resource: subject['resource'] ?? null,
    from: submission['from'] ?? null,
    until: submission['until'] ?? null,
  }
  const { id: documentId } = await documents(trx).issue({ caseId, kind: name, number, by, data: { ...about, ...data } })
  return { number, documentId }
}
