import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { DOCUMENTS } from './registration-rows.ts'

/** A document of a student, as its register holds it. */
export interface DocumentEntry {
  id: string
  status: string
  name: string
  document: string
}

/** The documents of a student. */
export async function documentsOf(trx: Transaction<DB>, student: string): Promise<DocumentEntry[]> {
  return trx
    .selectFrom('register_item')
    .select(['id', 'status', sql<string>`data ->> 'name'`.as('name'), sql<string>`data ->> 'document'`.as('document')])
    .where('register', '=', DOCUMENTS)
    .where(sql<string>`data ->> 'student'`, '=', student)
    .execute()
}

interface AskedDocument {
  id: string
  name: string
  required: boolean
}

/**
 * What a student of an intake has to send: the documents of every intake and those of this one, which take the place of
 * others with their name; required ones first.
 */
export async function documentsAsked(trx: Transaction<DB>, intake: string): Promise<AskedDocument[]> {
  const { rows } = await sql<AskedDocument>`
    select id, name, required from (
      select distinct on (data ->> 'name') id, data ->> 'name' as name, (data ->> 'required')::boolean as required
      from register_item
      where register = 'setup/registration-document' and status = 'Active'
        and (data ->> 'intake' is null or data ->> 'intake' = ${intake})
      order by data ->> 'name', data ->> 'intake' nulls last) as asked
    order by required desc, name`.execute(trx)
  return rows
}
