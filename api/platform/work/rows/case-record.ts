import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { bound } from '../../kernel/bound.ts'
import { uuidIn } from '../../kernel/db/uuid.ts'

export async function listActivities(db: Kysely<DB>, caseId: string) {
  return db
    .selectFrom('activity')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('started_at')
    .orderBy('position')
    .execute()
}

export async function listOpenElements(db: Kysely<DB>, caseId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('activity')
    .select('element')
    .where('case_id', '=', caseId)
    .where('ended_at', 'is', null)
    .execute()
  return rows.map((row) => row.element)
}

/** The moves of a case between versions, oldest first. */
async function listCaseMoves(db: Kysely<DB>, caseId: string): Promise<{ from: string; to: string; at: Date }[]> {
  const rows = await db
    .selectFrom('command')
    .select([
      sql<string>`payload ->> 'from'`.as('from'),
      sql<string>`payload ->> 'to'`.as('to'),
      sql<Date>`done_at`.as('at'),
    ])
    .where('case_id', '=', caseId)
    .where('kind', '=', 'migrate')
    .where('state', '=', 'done')
    .where('done_at', 'is not', null)
    .orderBy('done_at')
    .execute()
  return rows
}

/** The audit entries of a case; other tables hold what the engine reported. */
export async function listCaseAudit(db: Kysely<DB>, caseId: string) {
  return db
    .selectFrom('audit_entry as e')
    .leftJoin('audit_payload as p', 'p.entry_id', 'e.id')
    .leftJoin('account as a', (join) => join.on(sql<boolean>`a.id = ${uuidIn(sql`e.actor`)}`))
    .leftJoin('account as f', (join) => join.on(sql<boolean>`f.id = ${uuidIn(sql`p.payload ->> 'for'`)}`))
    .leftJoin('account as t', (join) => join.on(sql<boolean>`t.id = ${uuidIn(sql`p.payload ->> 'to'`)}`))
    .select(['e.id', 'e.at', 'e.actor', 'e.acted_as', 'e.action', 'e.object', 'p.payload', 'a.name as actor_name'])
    .select(['f.name as for_name', 't.name as to_name'])
    .where('e.case_id', '=', caseId)
    .where('e.action', '<>', 'case.progressed')
    .orderBy('e.id')
    .execute()
}

/** The sensitive fields of the case whose reading by this person was logged a short time ago. */
export async function listSensitiveRead(
  db: Kysely<DB>,
  caseId: string,
  accountId: string,
  within: string,
): Promise<string[]> {
  const { rows } = await sql<{ field: string }>`
    select distinct jsonb_array_elements_text(p.payload -> 'fields') as field
    from audit_entry e join audit_payload p on p.entry_id = e.id
    where e.case_id = ${caseId} and e.actor = ${accountId} and e.action = 'sensitive.read'
      and e.at > now() - ${within}::interval`.execute(db)
  return rows.map(({ field }) => field)
}

export async function listCaseMails(db: Kysely<DB>, caseId: string) {
  return db
    .selectFrom('mail')
    .select(['id', 'subject', 'recipient', 'recipient_id', 'state', 'created_at', 'sent_at'])
    .where('case_id', '=', caseId)
    .orderBy('created_at')
    .execute()
}

/** The history of a case. */
export function caseRecordRepository(db: Kysely<DB>) {
  return bound(db, {
    listActivities,
    listOpenElements,
    listMoves: listCaseMoves,
    listAudit: listCaseAudit,
    listSensitiveRead,
    listMails: listCaseMails,
  })
}
