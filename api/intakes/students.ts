import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'

export const STUDENTS = 'platform/student'

/** Statuses of students who are not on the roll. */
export const OFF_ROLL: readonly string[] = ['unregistered', 'deactivated']

/** A student as a case saw them when it was sent, or corrected. */
export interface SeenStudent {
  id: string
  title: string
  status: string
  data: JsonObject
}

/** The students that a case names, as they were when it was sent, in the order of their ids. */
export async function studentsSeen(trx: Transaction<DB>, caseId: string): Promise<SeenStudent[]> {
  const { rows } = await sql<SeenStudent>`
    select i.id, i.title, v.status, v.data from case_item c
    join register_item i on i.id = c.item_id and i.register = ${STUDENTS}
    join register_item_version v on v.item_id = c.item_id and v.version = c.item_version
    where c.case_id = ${caseId}::uuid order by i.id`.execute(trx)
  return rows
}

/** The accounts of these students, by the id of their entry. */
export async function accountsOf(trx: Transaction<DB>, students: readonly string[]): Promise<Map<string, string>> {
  if (students.length === 0) return new Map()
  const rows = await trx.selectFrom('account').select(['id', 'record_id']).where('record_id', 'in', students).execute()
  return new Map(rows.map(({ id, record_id }) => [String(record_id), id]))
}
