import type { Transaction } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'

/** The document of the letters in which requests of students end. */
export const LETTER = 'students/letter'

/** A letter that was issued, and whether it is valid. */
export interface Letter {
  caseId: string
  requesterId: string
  isEnded: boolean
}

/** The letter with this number; undefined if there is none. */
export async function letterWith(trx: Transaction<DB>, number: string): Promise<Letter | undefined> {
  const row = await trx
    .selectFrom('document as d')
    .innerJoin('flow_case as c', 'c.id', 'd.case_id')
    .innerJoin('document_verification as v', 'v.document_id', 'd.id')
    .select(['d.case_id', 'c.requester_id', 'v.ended_at'])
    .where('d.kind', '=', LETTER)
    .where('d.number', '=', number)
    .executeTakeFirst()
  return row && { caseId: row.case_id, requesterId: row.requester_id, isEnded: row.ended_at !== null }
}
