import { type Kysely, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { SEND_MAIL } from '../../records/mail/mail.ts'

/** Something that needs an operator. */
export interface Trouble {
  /** `incident:<id>`, `event:<id>` of a parked event, or `job:<id>` of a failed job. */
  id: string
  kind: string
  element: string | null
  message: string
  at: Date
  caseId: string | null
  reference: string | null
  flow: string | null
  /** Groups troubles with the same cause. */
  cause: string
}

/** Troubles with the same cause. */
interface TroubleGroup {
  cause: string
  kind: string
  element: string | null
  flow: string | null
  /** The newest message. */
  message: string
  /** The process definition of the newest one's case. */
  definition: string | null
  count: number
  oldest: Date
}

/** Maximum causes listed, newest first, so that new problems are always shown. */
const MAX_CAUSES = 200

/**
 * Everything that needs an operator, from all tables. An event that waits for the rebuild of its case counts after a
 * minute. Messages that differ only in numbers and ids have the same cause.
 */
const troubles = sql`(
  select t.*, c.reference, c.flow, c.process_definition_id as definition,
    md5(concat_ws('|', t.kind, t.element, c.flow,
      regexp_replace(t.message, '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9]+', '…', 'g'))) as cause
  from (
    select 'incident:' || id as id, kind, element, message, at, case_id as "caseId" from incident where resolved_at is null
    union all
    select 'event:' || id, 'parked-event', entity || ' ' || event, reason, parked_at, case_id from parked_event
      where case_id is null or parked_at < now() - interval '1 minute'
    union all
    select 'job:' || id, 'job-given-up', task_identifier, coalesce(last_error, ''), run_at, null from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null
  ) t left join flow_case c on c.id = t."caseId"
) as trouble`

/** What needs an operator, by cause. */
export async function listTroubleGroups(db: Kysely<DB>): Promise<TroubleGroup[]> {
  const { rows } = await sql<TroubleGroup>`
    select cause, kind, element, flow, (array_agg(message order by at desc))[1] as message,
      (array_agg(definition order by at desc))[1] as definition,
      count(*)::int as count, min(at) as oldest
    from ${troubles} group by cause, kind, element, flow order by max(at) desc, cause limit ${MAX_CAUSES}`.execute(db)
  return rows
}

/** Troubles of one cause, oldest first, after a given one. */
export async function listTroubles(
  db: Kysely<DB>,
  cause: string,
  after: { at: string; id: string } | undefined,
  limit: number,
) {
  const beyond = after ? sql`and (at, id) > (${after.at}::timestamptz, ${after.id})` : sql``
  const { rows } = await sql<Trouble & { sort: string }>`
    select *, at::text as sort from ${troubles} where cause = ${cause} ${beyond} order by at, id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Troubles by their ids. */
export async function findTroubles(db: Kysely<DB>, ids: readonly string[]): Promise<Trouble[]> {
  const { rows } = await sql<Trouble>`select * from ${troubles} where id = any(${[...ids]})`.execute(db)
  return rows
}

/** The oldest troubles of one cause. */
export async function listTroubleIds(db: Kysely<DB>, cause: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${troubles} where cause = ${cause} order by at, id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Closes an incident; false if it was already closed. */
export async function closeIncident(db: Kysely<DB>, incident: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('incident')
    .set({ resolved_at: sql`clock_timestamp()` })
    .where('id', '=', incident)
    .where('resolved_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Sends a failed mail again; false if it had not failed. */
export async function sendMailAgain(db: Kysely<DB>, mail: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mail')
    .set({ state: 'pending', attempts: 0 })
    .where('id', '=', mail)
    .where('state', '=', 'failed')
    .executeTakeFirst()
  if (numUpdatedRows === 1n)
    await sql`select graphile_worker.add_job(${SEND_MAIL}, ${JSON.stringify({ id: mail })}::json,
      queue_name => ${SEND_MAIL}, job_key => ${`mail:${mail}`})`.execute(db)
  return numUpdatedRows === 1n
}

/** Marks a case for a rebuild from the engine. */
export async function rebuildCase(db: Kysely<DB>, caseId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('flow_case')
    .set({ drifted: true, changed_at: sql`clock_timestamp()` })
    .where('id', '=', caseId)
    .where('process_instance_id', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns an event without a case to the feed, as its newest. */
export async function applyEventAgain(db: Kysely<DB>, event: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with taken as (delete from parked_event where id = ${event}::bigint and case_id is null returning *)
    insert into engine_event (at, entity, event, process_instance_id, tenant_id, body)
    select at, entity, event, process_instance_id, body ->> 'tenantId', body from taken returning id`.execute(db)
  return rows.length === 1
}

/** Retries a failed job, with a fresh count of attempts. */
export async function retryJob(db: Kysely<DB>, job: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from graphile_worker.reschedule_jobs(array[${job}]::bigint[], run_at := now(), attempts := 0)`.execute(db)
  return rows.length === 1
}

/** A case by its id or number. */
export async function findCaseByKey(db: Kysely<DB>, key: string) {
  return db
    .selectFrom('flow_case')
    .select(['id', 'reference', 'flow', 'state', 'requester_id', 'sent_by'])
    .select(['process_definition_id', 'process_instance_id'])
    .where((eb) =>
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key) ? eb('id', '=', key) : eb('reference', '=', key),
    )
    .executeTakeFirst()
}

/** Why the engine refused a command; undefined if it did not. */
export async function findRefusal(db: Kysely<DB>, command: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('command')
    .select(sql<string | null>`result ->> 'reason'`.as('reason'))
    .where('id', '=', command)
    .executeTakeFirst()
  return row?.reason ?? undefined
}

/** The open elements of a case, and their assignees. */
export async function listOpenElements(db: Kysely<DB>, caseId: string) {
  return db
    .selectFrom('activity as a')
    .leftJoin('task as t', 't.id', 'a.task_id')
    .leftJoin('account as p', 'p.id', 't.assignee_id')
    .select(['a.element', 'a.type', 'a.process_definition_id', 'a.started_at', 'p.name as holder'])
    .where('a.case_id', '=', caseId)
    .where('a.ended_at', 'is', null)
    .orderBy('a.started_at')
    .execute()
}

/** Whether a token of the case is being moved, or the case is moving to another version. */
export async function isMoving(db: Kysely<DB>, caseId: string): Promise<boolean> {
  const { rows } = await sql<{ moving: boolean }>`
    select exists (select from command
        where case_id = ${caseId} and kind in ('modify', 'migrate') and state = 'pending')
      or exists (select from case_migration_entry where case_id = ${caseId} and state = 'sent') as moving`.execute(db)
  return known(rows[0], 'whether a case is moving').moving
}

/** Locks the case against concurrent moves. */
export async function lockCase(db: Kysely<DB>, caseId: string): Promise<void> {
  await db.selectFrom('flow_case').select('id').where('id', '=', caseId).forNoKeyUpdate().execute()
}
