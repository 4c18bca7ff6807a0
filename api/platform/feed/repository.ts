import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import type { EngineEvent } from './events.ts'

export type FedCase = Awaited<ReturnType<ReturnType<typeof feedRepository>['lockCases']>>[number]

/** One run through an element, as far as a batch of events tells it. */
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

/** Tables that only the feed writes, and what it needs to know. */
export function feedRepository(db: Kysely<DB> | Transaction<DB>) {
  return {
    /** One node at a time applies events, until the end of its transaction. */
    async lock(): Promise<void> {
      await sql`select pg_advisory_xact_lock(7001004)`.execute(db)
    },

    async hasEvents(aboveId: string): Promise<boolean> {
      return (
        (await db.selectFrom('engine_event').select('id').where('id', '>', aboveId).limit(1).executeTakeFirst()) !==
        undefined
      )
    },

    async listEvents(aboveId: string, limit: number): Promise<EngineEvent[]> {
      const rows = await db
        .selectFrom('engine_event')
        .selectAll()
        .where('id', '>', aboveId)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows as unknown as EngineEvent[]
    },

    async deleteEvents(ids: readonly string[]): Promise<void> {
      await sql`delete from engine_event where id = any(${[...ids]}::bigint[])`.execute(db)
    },

    async park(events: readonly EngineEvent[], caseId: string | null, reason: string): Promise<void> {
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
    },

    async dropParked(caseId: string): Promise<void> {
      await db.deleteFrom('parked_event').where('case_id', '=', caseId).execute()
    },

    /** Which case each instance runs, told by what we know or by the business key of its start. */
    async findCases(instances: readonly string[], caseIds: readonly string[]) {
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
    },

    /** The processes among these that are schedules. */
    async findSchedules(processes: readonly string[]): Promise<string[]> {
      if (processes.length === 0) return []
      const { rows } = await sql<{ process_key: string }>`
        select distinct d.process_key from process_definition d join artifact f on f.hash = d.flow_hash
        where d.process_key = any(${[...new Set(processes)]}::text[])
          and f.content::jsonb @> '{"schedule": true}'`.execute(db)
      return rows.map((row) => row.process_key)
    },

    /** The cases among these that nobody else is changing at this moment. */
    async lockCases(ids: readonly string[]) {
      if (ids.length === 0) return []
      return db
        .selectFrom('flow_case')
        .selectAll()
        .where('id', 'in', [...ids])
        .orderBy('id')
        .forNoKeyUpdate()
        .skipLocked()
        .execute()
    },

    async saveActivities(caseId: string, activities: readonly ActivityChange[]): Promise<void> {
      if (activities.length === 0) return
      await db
        .insertInto('activity')
        .values(
          activities.map((one) => ({
            id: one.id,
            case_id: caseId,
            process_definition_id: one.definitionId,
            element: one.element,
            type: one.type,
            name: one.name,
            task_id: one.taskId,
            // An end without its start does not occur; if it did, the row would be refused and the case rebuilt.
            started_at: one.startedAt ?? sql<Date>`(select started_at from activity where id = ${one.id})`,
            ended_at: one.endedAt,
            canceled: one.canceled,
          })),
        )
        .onConflict((oc) =>
          oc.column('id').doUpdateSet((eb) => ({
            process_definition_id: eb.ref('excluded.process_definition_id'),
            task_id: eb.fn.coalesce('excluded.task_id', 'activity.task_id'),
            ended_at: eb.fn.coalesce('excluded.ended_at', 'activity.ended_at'),
            canceled: sql<boolean>`excluded.canceled or activity.canceled`,
          })),
        )
        .execute()
    },

    async deleteActivities(caseId: string): Promise<void> {
      await db.deleteFrom('activity').where('case_id', '=', caseId).execute()
    },

    /** Type of the element that an instance ran through last. */
    async typeOfElement(caseId: string, element: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('activity')
        .select('type')
        .where('case_id', '=', caseId)
        .where('element', '=', element)
        .limit(1)
        .executeTakeFirst()
      return row?.type
    },

    /** Writes how a case stands; every call makes a new version of it. */
    async saveCase(
      id: string,
      change: {
        statuses?: Record<string, string>
        end?: { at: string; reason: string }
        drifted?: boolean
        instanceId?: string
      },
    ): Promise<void> {
      const { statuses, end, drifted, instanceId } = change
      await db
        .updateTable('flow_case')
        .set((eb) => ({
          version: eb('version', '+', 1),
          changed_at: sql`clock_timestamp()`,
          ...(statuses && { statuses: JSON.stringify(statuses), status: statuses['status'] ?? '' }),
          ...(drifted !== undefined && { drifted }),
          ...(instanceId && {
            process_instance_id: instanceId,
            state: sql`case when state = 'starting' then 'running' else state end`,
          }),
          ...(end && { state: 'ended', ended_at: end.at, end_reason: end.reason }),
        }))
        .where('id', '=', id)
        .execute()
    },

    async saveIncident(
      caseId: string | null,
      incident: { id: string; kind: string; element: string | null; message: string; at: string },
    ) {
      await db
        .insertInto('incident')
        .values({ ...incident, case_id: caseId })
        .onConflict((oc) => oc.doNothing())
        .execute()
    },

    async resolveIncidents(caseId: string, kinds: readonly string[], except: readonly string[]): Promise<void> {
      let query = db
        .updateTable('incident')
        .set({ resolved_at: sql`clock_timestamp()` })
        .where('case_id', '=', caseId)
        .where('kind', 'in', [...kinds])
        .where('resolved_at', 'is', null)
      if (except.length > 0) query = query.where('id', 'not in', [...except])
      await query.execute()
    },

    async listDrifted(): Promise<string[]> {
      const rows = await db
        .selectFrom('flow_case')
        .select('id')
        .where('drifted', '=', true)
        .where('process_instance_id', 'is not', null)
        .orderBy('changed_at')
        .limit(100)
        .execute()
      return rows.map((row) => row.id)
    },

    /** How far the feed is behind, and how many events wait for a rebuild. */
    async standing(): Promise<{ lagMilliseconds: number; parked: number }> {
      const { rows } = await sql<{ lag: string | null; parked: string }>`
        select (select extract(epoch from clock_timestamp() - min(at)) * 1000 from engine_event) as lag,
          (select count(*) from parked_event) as parked`.execute(db)
      return { lagMilliseconds: Math.max(0, Math.round(Number(rows[0]!.lag ?? 0))), parked: Number(rows[0]!.parked) }
    },
  }
}
