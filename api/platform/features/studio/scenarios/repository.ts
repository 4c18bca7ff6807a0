import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../../kernel/db/database.generated.ts'
import { type Content, hashOf } from '../content/flow.ts'
import type { Result, Scenario } from '../../../model/definitions/scenario.ts'

/** The name of the job that runs scenarios on the engine; its payload is `{ id }`. */
export const RUN_SCENARIOS = 'tell-scenarios'
/** Runs after all work that people wait for. */
const PRIORITY = 20

function jobKey(run: string | RawBuilder<unknown>) {
  return sql`${`${RUN_SCENARIOS}:`}::text || ${run}::text`
}

/** A scenario and, in a replay, the path of the real case. */
export interface Wanted {
  scenario: Scenario
  /** The elements that it passed, in order. */
  path?: string[]
}

/** The scenarios of a flow, by name. */
export async function listScenarios(db: Kysely<DB>, process: string) {
  return db
    .selectFrom('scenario as s')
    .innerJoin('account as a', 'a.id', 's.changed_by')
    .select(['s.id', 's.content', 's.changed_at', 'a.name as changed_by'])
    .where('s.process', '=', process)
    .orderBy(sql`s.content ->> 'name'`)
    .$narrowType<{ content: Scenario }>()
    .execute()
}

/** False if the flow has another one with that name. */
export async function insertScenario(
  db: Kysely<DB>,
  id: string,
  process: string,
  scenario: Scenario,
  by: string,
): Promise<boolean> {
  const made = await db
    .insertInto('scenario')
    .values({ id, process, content: JSON.stringify(scenario), changed_by: by })
    .onConflict((oc) => oc.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** `absent` if it does not exist, `taken` if another one has the name. */
export async function updateScenario(
  db: Kysely<DB>,
  id: string,
  process: string,
  scenario: Scenario,
  by: string,
): Promise<'done' | 'absent' | 'taken'> {
  const other = await db
    .selectFrom('scenario')
    .select('id')
    .where('process', '=', process)
    .where('id', '<>', id)
    .where(sql<boolean>`content ->> 'name' = ${scenario.name}`)
    .executeTakeFirst()
  if (other) return 'taken'
  const changed = await db
    .updateTable('scenario')
    .set({ content: JSON.stringify(scenario), changed_by: by, changed_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('process', '=', process)
    .returning('id')
    .executeTakeFirst()
  return changed ? 'done' : 'absent'
}

/** False if it does not exist. */
export async function deleteScenario(db: Kysely<DB>, id: string, process: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('scenario')
    .where('id', '=', id)
    .where('process', '=', process)
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

/** Begins a run and its job. False if the flow has a run already. */
export async function insertRun(
  db: Kysely<DB>,
  id: string,
  run: {
    process: string
    kind: 'scenarios' | 'rehearsal'
    ofDraft: boolean
    content: Content
    wanted: readonly Wanted[]
    by: string
    actedAs: string
  },
): Promise<boolean> {
  const { process, kind, ofDraft, content, wanted, by, actedAs } = run
  const made = await db
    .insertInto('scenario_run')
    .values({
      id,
      process,
      kind,
      of_draft: ofDraft,
      wanted: JSON.stringify({ content, wanted }),
      content_hash: hashOf(content),
      total: wanted.length,
      asked_by: by,
      acted_as: actedAs,
    })
    // The generic plan of a prepared statement finds the index only by a literal.
    .onConflict((oc) =>
      oc
        .column('process')
        .where(sql<boolean>`state = 'running'`)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (!made) return false
  await sql`select graphile_worker.add_job(${RUN_SCENARIOS}, json_build_object('id', ${id}::text),
    job_key := ${jobKey(id)}, queue_name := 'scenarios', max_attempts := 3, priority := ${PRIORITY})`.execute(db)
  return true
}

/** A run with its results so far. */
export async function findRun(db: Kysely<DB>, process: string, id: string) {
  return db
    .selectFrom('scenario_run')
    .select(['id', 'kind', 'of_draft', 'content_hash', 'total', 'results', 'state', 'asked_at', 'ended_at'])
    .where('process', '=', process)
    .where('id', '=', id)
    .$narrowType<{ results: Result[]; kind: 'scenarios' | 'rehearsal'; state: 'running' | 'done' | 'failed' }>()
    .executeTakeFirst()
}

/** Whether a finished run used the scenarios of a flow with this model. */
export async function wasRunWith(db: Kysely<DB>, process: string, id: string, content: Content): Promise<boolean> {
  const row = await db
    .selectFrom('scenario_run')
    .select('id')
    .where('process', '=', process)
    .where('id', '=', id)
    .where('kind', '=', 'scenarios')
    .where('state', '=', 'done')
    .where('content_hash', '=', hashOf(content))
    .executeTakeFirst()
  return row !== undefined
}

/** The newest runs of a flow's scenarios, which have the last results. */
export async function listRuns(db: Kysely<DB>, process: string) {
  return db
    .selectFrom('scenario_run')
    .select(['id', 'kind', 'of_draft', 'content_hash', 'results', 'state', 'asked_at'])
    .where('process', '=', process)
    .orderBy('asked_at', 'desc')
    .limit(20)
    .$narrowType<{ results: Result[] }>()
    .execute()
}

/**
 * The work of a run; undefined if it is over, or its flow is not installed. Deletes the results of an interrupted
 * attempt.
 */
export async function findRunWork(db: Kysely<DB>, id: string, processes: readonly string[]) {
  const row = await db
    .updateTable('scenario_run')
    .set({ results: '[]' })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('process', 'in', processes)
    .returning(['process', 'kind', 'asked_by', 'acted_as'])
    .returning((eb) => eb.ref('wanted').$castTo<{ content: Content; wanted: Wanted[] }>().as('wanted'))
    .executeTakeFirst()
  return row && { ...row, ...row.wanted }
}

/** Adds the result of one scenario to its run. */
export async function addResult(db: Kysely<DB>, id: string, result: Result): Promise<void> {
  await db
    .updateTable('scenario_run')
    .set({ results: sql`results || ${JSON.stringify([result])}::jsonb` })
    .where('id', '=', id)
    .execute()
}

export async function endRun(db: Kysely<DB>, id: string, state: 'done' | 'failed'): Promise<void> {
  await db
    .updateTable('scenario_run')
    .set({ state, wanted: null, ended_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

/** → failed: the runs whose job is gone. Returns how many there were. */
export async function endForgottenRuns(db: Kysely<DB>): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('scenario_run as r')
    .set({ state: 'failed', wanted: null, ended_at: sql`clock_timestamp()` })
    .where('state', '=', 'running')
    .where(
      sql<boolean>`not exists (select from graphile_worker.jobs j where j.key = ${jobKey(sql.ref('r.id'))}
        and (j.attempts < j.max_attempts or j.locked_at is not null))`,
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function listGoingOn(db: Kysely<DB>): Promise<string[]> {
  const rows = await db.selectFrom('scenario_run').select('id').where('state', '=', 'running').execute()
  return rows.map(({ id }) => id)
}
