import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { DOCUMENTS } from './registration-rows.ts'

/** A document of a student, as its register holds it. */
export interface DocumentEntry {
  id: string
  status: string
  name: string
  document: string
}

/** The documents of a student, required ones first. */
export async function documentsOf(trx: Transaction<DB>, student: string): Promise<DocumentEntry[]> {
  return trx
    .selectFrom('register_item')
    .select(['id', 'status', sql<string>`data ->> 'name'`.as('name'), sql<string>`data ->> 'document'`.as('document')])
    .where('register', '=', DOCUMENTS)
    .where(sql<string>`data ->> 'student'`, '=', student)
    .execute()
}

/** What a student of an intake has to send: the documents of every intake and those of this one, required ones first. */
export async function documentsAsked(trx: Transaction<DB>, intake: string) {
  return trx
    .selectFrom('register_item')
    .select([
      'id',
      sql<string>`data ->> 'name'`.as('name'),
      sql<boolean>`(data ->> 'required')::boolean`.as('required'),
    ])
    .where('register', '=', 'setup/registration-document')
    .where('status', '=', 'Active')
    .where((eb) =>
      eb.or([
        eb(sql<string | null>`data ->> 'intake'`, 'is', null),
        eb(sql<string | null>`data ->> 'intake'`, '=', intake),
      ]),
    )
    .orderBy(sql`(data ->> 'required')::boolean`, 'desc')
    .orderBy(sql`data ->> 'name'`)
    .execute()
}

/** The data of an entry of a register. */
export async function dataOf(trx: Transaction<DB>, id: string): Promise<JsonObject> {
  const { data } = await trx.selectFrom('register_item').select('data').where('id', '=', id).executeTakeFirstOrThrow()
  return data
}
