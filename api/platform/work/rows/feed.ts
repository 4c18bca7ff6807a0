import { type Kysely, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { ONE_PLAN } from '../../kernel/db/database.ts'
import { caseColumns } from './cases.ts'
import type { EngineEvent } from './engine-events.ts'

export type FedCase = Awaited<ReturnType<typeof lockFedCases>>[number]

/** One activity instance, as a batch of events describes it. */
export interface ActivityChange {
  id: string
  definitionId: string
  element: string
  type: string
  name: string | null
  taskId: string | null
  startedAt: string | null
  endedAt: string | null
  canceled: boolean
}

/** How a case changed in a batch; missing properties stay as they are. */
export interface CaseChange {
  id: string
  statuses?: Record<string, string>
  end?: { at: string; reason: string }
  drifted?: boolean
  instanceId?: string
  /** Its present version, with the hash of its manifest. */
  definition?: { id: string; flowHash: string }
}

/** Only one node at a time applies events, until the end of its transaction. */
export async function lockFeed(db: Kysely<DB>): Promise<void> {
  await sql`select pg_advisory_xact_lock(7001004)`.execute(db)
}

export async function hasEngineEvents(db: Kysely<DB>, aboveId: string): Promise<boolean> {
  return (
    (await db
      .selectFrom('engine_event')
      .select('id')
      .where('id', '>', aboveId)
      .limit(1)
      .modifyEnd(ONE_PLAN)
      .executeTakeFirst()) !== undefined
  )
}

export async function listEngineEvents(db: Kysely<DB>, aboveId: string, limit: number): Promise<EngineEvent[]> {
  return (
    db
      .selectFrom('engine_event')
      .select(['id', 'at', 'entity', 'event', 'process_instance_id', 'tenant_id', 'body'])
      .where('id', '>', aboveId)
      .orderBy('id')
      .limit(limit)
      .modifyEnd(ONE_PLAN)
      // The engine writes the body; `needed` throws for missing fields.
      .$castTo<EngineEvent>()
      .execute()
  )
}

export async function deleteEngineEvents(db: Kysely<DB>, ids: readonly string[]): Promise<void> {
  await sql`delete from engine_event where id = any(${[...ids]}::bigint[])`.execute(db)
}

export async function parkEvents(
  db: Kysely<DB>,
  events: readonly EngineEvent[],
  caseId: string | null,
  reason: string,
): Promise<void> {
  await db
    .insertInto('parked_event')
    .values(
      events.map(({ id, at, entity, event, process_instance_id, body }) => ({
        id,
        at,
        entity,
        event,
        process_instance_id,
        case_id: caseId,
        body: JSON.stringify(body),
        reason,
      })),
    )
    .execute()
}

export async function dropParkedEvents(db: Kysely<DB>, caseId: string): Promise<void> {
  await db.deleteFrom('parked_event').where('case_id', '=', caseId).execute()
}

/** The case of each instance, by our rows or by the business key of its start event. */
export async function findCasesOfInstances(db: Kysely<DB>, instances: readonly string[], caseIds: readonly string[]) {
  if (instances.length === 0) return []
  return db
    .selectFrom('flow_case')
    .select(['id', 'process_instance_id'])
    .where((eb) =>
      eb.or([
        eb('process_instance_id', 'in', [...instances]),
        eb('id', '=', sql<string>`any(${[...caseIds]}::uuid[])`),
      ]),
    )
    .execute()
}

/** Those of these processes that are schedules. */
export async function findSchedules(db: Kysely<DB>, processes: readonly string[]): Promise<string[]> {
  if (processes.length === 0) return []
  const { rows } = await sql<{ process_key: string }>`
    select distinct d.process_key from process_definition d join artifact f on f.hash = d.flow_hash
    where d.process_key = any(${[...new Set(processes)]}::text[])
      -- Diagrams are artifacts too, and the planner may look at contents before it joins.
      and case when f.content like '{%' then f.content::jsonb @> '{"schedule": true}' else false end`.execute(db)
  return rows.map((row) => row.process_key)
}

/** Locks and returns those of these cases that no other transaction has locked. */
export async function lockFedCases(db: Kysely<DB>, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('flow_case as c')
    .select(caseColumns)
    .where('c.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('c.id')
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
}

/** Pass each only once. */
export async function saveActivities(
  db: Kysely<DB>,
  activities: readonly (ActivityChange & { caseId: string })[],
): Promise<void> {
  if (activities.length === 0) return
  // An end without its start should not occur. If it does, PostgreSQL rejects the row and the case is rebuilt.
  await sql`
    insert into activity (id, case_id, process_definition_id, element, type, name, task_id, started_at, ended_at, canceled)
    select n.id, n."caseId", n."definitionId", n.element, n.type, n.name, n."taskId",
      coalesce(n."startedAt", (select started_at from activity where id = n.id)), n."endedAt", n.canceled
    from jsonb_to_recordset(${JSON.stringify(activities)}::jsonb) as n(id text, "caseId" uuid, "definitionId" text,
      element text, type text, name text, "taskId" text, "startedAt" timestamptz, "endedAt" timestamptz, canceled boolean)
    on conflict (id) do update set process_definition_id = excluded.process_definition_id,
      task_id = coalesce(excluded.task_id, activity.task_id), ended_at = coalesce(excluded.ended_at, activity.ended_at),
      canceled = excluded.canceled or activity.canceled`.execute(db)
}

export async function deleteActivities(db: Kysely<DB>, caseId: string): Promise<void> {
  await db.deleteFrom('activity').where('case_id', '=', caseId).execute()
}

/** Type of the element that an instance ran through last. */
export async function typeOfElement(db: Kysely<DB>, caseId: string, element: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('activity')
    .select('type')
    .where('case_id', '=', caseId)
    .where('element', '=', element)
    .limit(1)
    .executeTakeFirst()
  return row?.type
}

/** Saves the changes of cases; every call increments their versions. */
export async function saveCaseChanges(db: Kysely<DB>, ...changes: CaseChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    update flow_case c set version = c.version + 1, changed_at = clock_timestamp(),
      statuses = coalesce(n.statuses, c.statuses),
      status = case when n.statuses is null then c.status else coalesce(n.statuses ->> 'status', '') end,
      drifted = coalesce(n.drifted, c.drifted),
      process_definition_id = coalesce(n.definition ->> 'id', c.process_definition_id),
      flow_hash = coalesce(n.definition ->> 'flowHash', c.flow_hash),
      process_instance_id = coalesce(n."instanceId", c.process_instance_id),
      state = case when n."end" is not null then 'ended'
        when n."instanceId" is not null and c.state = 'starting' then 'running' else c.state end,
      ended_at = coalesce((n."end" ->> 'at')::timestamptz, c.ended_at),
      end_reason = case when n."end" is null then c.end_reason else n."end" ->> 'reason' end
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as n(id uuid, statuses jsonb, "end" jsonb, drifted boolean, "instanceId" text, definition jsonb)
    where c.id = n.id`.execute(db)
}

export async function saveIncident(
  db: Kysely<DB>,
  caseId: string | null,
  incident: { id: string; kind: string; element: string | null; message: string; at: string },
) {
  await db
    .insertInto('incident')
    .values({ ...incident, case_id: caseId })
    .onConflict((oc) => oc.doNothing())
    .execute()
}

export async function resolveIncidents(
  db: Kysely<DB>,
  caseId: string,
  kinds: readonly string[],
  except: readonly string[],
): Promise<void> {
  let query = db
    .updateTable('incident')
    .set({ resolved_at: sql`clock_timestamp()` })
    .where('case_id', '=', caseId)
    .where('kind', 'in', [...kinds])
    .where('resolved_at', 'is', null)
  if (except.length > 0) query = query.where('id', 'not in', [...except])
  await query.execute()
}

export async function listDriftedCases(db: Kysely<DB>): Promise<string[]> {
  const rows = await db
    .selectFrom('flow_case')
    .select('id')
    .where('drifted', '=', true)
    .where('process_instance_id', 'is not', null)
    .orderBy('changed_at')
    .limit(100)
    .modifyEnd(ONE_PLAN)
    .execute()
  return rows.map((row) => row.id)
}

/** How far the feed is behind, and how many events wait for a rebuild. */
export async function feedLag(db: Kysely<DB>): Promise<{ lagMilliseconds: number; parked: number }> {
  const { rows } = await sql<{ lag: string | null; parked: string }>`
    select (select extract(epoch from clock_timestamp() - min(at)) * 1000 from engine_event) as lag,
      (select count(*) from parked_event) as parked`.execute(db)
  const { lag, parked } = known(rows[0], 'the lag')
  return { lagMilliseconds: Math.max(0, Math.round(Number(lag ?? 0))), parked: Number(parked) }
}
