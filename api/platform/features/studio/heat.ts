import { type Kysely, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { ownedFlow } from './content/flow.ts'

/** Statistics of one element in a period. */
export interface Heat {
  element: string
  name: string
  /** How often it was entered, and by how many cases. */
  passes: number
  cases: number
  /** Waiting time, for cases still there until now; null if the element does not wait. */
  waitingSeconds: { median: number; p90: number } | null
  /** Passes that have not ended. */
  present: number
  /** Passes of a case that had been there before. */
  rework: number
  /** Negative decisions. */
  rejections: number
  /** Mails of its promises: reminders to the assignee or candidates, and escalations to the people above. */
  reminders: number
  escalations: number
}

/** Maximum cases read: the newest that had begun by the end of the period. */
const MAX_CASES = 20_000
/** Default period, in days. */
const DEFAULT_DAYS = 90
/** Types of elements at which a case waits. */
const WAITING = ['userTask', 'receiveTask', 'intermediateTimer', 'intermediateMessageCatch', 'eventBasedGateway']
/** Negative outcomes. */
const REJECTING = ['reject', 'refuse', 'decline']
/** Suffix that the engine gives to the body of a multi-instance element. */
const BODY = '#multiInstanceBody'

/** Statistics of the elements of a flow, from the stored paths of its cases. */
export function studioHeat({
  db,
  library,
  definitions,
}: {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
}) {
  return {
    /** For a period, and optionally one version; `whole` is false if there were too many cases. */
    async get(
      person: Person,
      process: string,
      { from, until, definition }: { from?: string; until?: string; definition?: string },
    ): Promise<{ from: string; until: string; cases: number; whole: boolean; elements: Heat[] }> {
      const { flow } = ownedFlow(library, person, process)
      const end = until === undefined ? new Date() : new Date(until)
      const begin = from === undefined ? new Date(end.getTime() - DEFAULT_DAYS * 86_400_000) : new Date(from)
      const rows = await walked(db, { flow: flow.key, begin, end, definition: definition ?? null })
      const names = (await definitions.findLatest(flow.key))?.diagram.names
      const total = known(
        rows.find(({ element }) => element === null),
        'the row of all cases',
      )
      const bodies = new Map(rows.map((row) => [row.element, row]))
      const elements = rows.flatMap((row): Heat[] => {
        if (row.element === null || row.element.endsWith(BODY)) return []
        const { median, p90 } = row
        return [
          {
            element: row.element,
            name: names?.get(row.element) ?? row.name ?? row.element,
            passes: row.passes,
            cases: row.cases,
            waitingSeconds: median === null || p90 === null ? null : { median: Number(median), p90: Number(p90) },
            present: row.present,
            // Parallel instances count as one pass.
            rework: (bodies.get(row.element + BODY) ?? row).rework,
            rejections: row.rejections,
            reminders: row.reminders,
            escalations: row.escalations,
          },
        ]
      })
      return {
        from: begin.toISOString(),
        until: end.toISOString(),
        cases: total.cases,
        whole: total.looked < MAX_CASES,
        elements,
      }
    },
  }
}

interface Walked {
  /** Null: all of them. */
  element: string | null
  name: string | null
  passes: number
  cases: number
  median: number | string | null
  p90: number | string | null
  present: number
  rework: number
  rejections: number
  reminders: number
  escalations: number
  looked: number
}

async function walked(
  db: Kysely<DB>,
  { flow, begin, end, definition }: { flow: string; begin: Date; end: Date; definition: string | null },
): Promise<Walked[]> {
  const seconds = sql`extract(epoch from coalesce(ended_at, clock_timestamp()) - started_at)`
  const stands = sql`ended_at is null and case_ended_at is null`
  const waits = sql`type = any(${WAITING}::text[])`
  const waited = sql`${waits} and not canceled and (ended_at is not null or ${stands})`
  const { rows } = await sql<Walked>`
    with newest as (
      select id, ended_at from flow_case where flow = ${flow} and created_at < ${end}
      order by created_at desc, id limit ${MAX_CASES}
    ), steps as (
      select a.element, a.name, a.type, a.case_id, a.process_definition_id, a.started_at, a.ended_at, a.canceled, t.outcome,
        c.ended_at as case_ended_at, p.kinds,
        row_number() over (partition by a.case_id, a.element order by a.started_at, a.position) as nth
      from newest c join activity a on a.case_id = c.id left join task t on t.id = a.task_id
        left join lateral (
          select array_agg(kind) as kinds from desk_promise
          where task_id = a.task_id and done_at >= ${begin} and done_at < ${end}
        ) p on true
      where c.ended_at is null or c.ended_at >= ${begin}
    )
    select element, max(name) as name, count(*)::int as passes, count(distinct case_id)::int as cases,
      round((percentile_cont(0.5) within group (order by ${seconds}) filter (where ${waited}))::numeric, 3) as median,
      round((percentile_cont(0.9) within group (order by ${seconds}) filter (where ${waited}))::numeric, 3) as p90,
      count(*) filter (where ${waits} and ${stands})::int as present,
      count(*) filter (where nth > 1)::int as rework,
      count(*) filter (where outcome = any(${REJECTING}::text[]))::int as rejections,
      count(*) filter (where 'remind' = any(kinds))::int as reminders,
      count(*) filter (where 'escalate' = any(kinds))::int as escalations,
      (select count(*)::int from newest) as looked
    from steps
    where started_at >= ${begin} and started_at < ${end}
      and (${definition}::text is null or process_definition_id = ${definition})
    group by grouping sets ((element), ())
    order by element nulls first`.execute(db)
  return rows
}
