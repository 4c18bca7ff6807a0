import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import type { registers } from '../platform/records/registers/registers.ts'
import { DOCUMENTS, type WantedDocument } from './registration-rows.ts'
import { naming } from '../platform/records/registers/naming.ts'

/** A document of a student, as its register holds it. */
export interface DocumentEntry {
  id: string
  status: string
  name: string
  document: string
  /** Reference of the case that asked for it last, and whether that case still runs. */
  case: string | null
  isAsked: boolean
}

/** The documents of a student. */
export async function documentsOf(trx: Transaction<DB>, student: string): Promise<DocumentEntry[]> {
  return trx
    .selectFrom('register_item')
    .select([
      'id',
      'status',
      sql<string>`data ->> 'name'`.as('name'),
      sql<string>`data ->> 'document'`.as('document'),
      sql<string | null>`data ->> 'case_reference'`.as('case'),
      sql<boolean>`exists (select from flow_case c
        where c.reference = register_item.data ->> 'case_reference' and c.state in ('starting', 'running'))`.as(
        'isAsked',
      ),
    ])
    .where('register', '=', DOCUMENTS)
    .where('id', 'in', naming(['/student'], [student]))
    .execute()
}

/** Reference of the registration of a student that runs: it asks for nothing that was approved before. */
export async function runningRegistrationOf(trx: Transaction<DB>, student: string): Promise<string | undefined> {
  const running = await trx
    .selectFrom('flow_case as c')
    .innerJoin('account as a', 'a.id', 'c.requester_id')
    .select('c.reference')
    .where('a.record_id', '=', student)
    .where('c.flow', '=', 'students/registration')
    .where('c.state', 'in', ['starting', 'running'])
    .executeTakeFirst()
  return running?.reference
}

/**
 * The entries that a case asks for, by the name of their document. An earlier intake may have asked for another document
 * with the same name.
 */
export async function documentsOfCase(
  trx: Transaction<DB>,
  student: string,
  reference: string,
): Promise<ReadonlyMap<string, string>> {
  const asked = (await documentsOf(trx, student)).filter((one) => one.case === reference)
  return new Map(asked.map(({ name, id }) => [name, id]))
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

/**
 * Lists what a student has to send and makes each an entry that waits for it. What was approved earlier is not asked
 * for again, nor what another case asks for at present; nothing else of what was sent before counts.
 */
export async function askForDocuments(
  trx: Transaction<DB>,
  on: ReturnType<typeof registers>,
  { student, intake, reference }: { student: string; intake: string; reference: string },
): Promise<WantedDocument[]> {
  const present = new Map((await documentsOf(trx, student)).map((one) => [one.document, one]))
  const wanted: WantedDocument[] = []
  for (const { id, name, required } of await documentsAsked(trx, intake)) {
    const earlier = present.get(id)
    if (earlier?.status === 'Approved' || (earlier?.isAsked && earlier.case !== reference)) continue
    if (earlier === undefined)
      await on.create(DOCUMENTS, { name, student, document: id, case_reference: reference }, null, {
        status: 'Pending Upload',
      })
    // The document may have another name by now.
    else await waitForUpload(on, earlier.id, { name, case_reference: reference })
    wanted.push({ name, needed: required ? 'yes' : 'no' })
  }
  return wanted
}

/** Lets an entry wait for a file, with nothing of what was sent before. */
export async function waitForUpload(on: ReturnType<typeof registers>, id: string, changed: JsonObject): Promise<void> {
  const entry = await on.lock(DOCUMENTS, id)
  const waiting = await on.change(entry, { ...changed, reason: null, uploaded_on: null, file: null }, null)
  if (waiting.status !== 'Pending Upload') await on.setStatus(waiting, 'Pending Upload', null)
}

/** Which of these students have a required document of their intake that is not approved. */
export async function studentsWithoutDocuments(
  trx: Transaction<DB>,
  students: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select s.id from register_item s
    where s.id = any(${[...students]}::uuid[]) and exists (
      select from (
        select distinct on (data ->> 'name') id, data ->> 'required' as required from register_item
        where register = 'setup/registration-document' and status = 'Active'
          and (data ->> 'intake' is null or data ->> 'intake' = s.data ->> 'intake')
        order by data ->> 'name', data ->> 'intake' nulls last) as asked
      where required = 'true' and not exists (
        select from register_reference r join register_item d on d.id = r.item_id
        where r.target_id = s.id and d.register = ${DOCUMENTS} and d.status = 'Approved'
          and d.data ->> 'document' = asked.id::text))`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}
