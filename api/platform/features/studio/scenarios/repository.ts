import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely'
import type { DB } from '../../../kernel/db/database.generated.ts'
import type { Variables } from '../../../kernel/engine/port.ts'
import type { PromiseKind } from '../../../model/bpmn/promises.ts'
import { type Content, hashOf } from '../flow.ts'
import type { Result, Scenario } from '../../../model/definitions/scenario.ts'

/** The name of the job that tells scenarios to the engine; its payload is `{ id }`. */
export const TELL_SCENARIOS = 'tell-scenarios'
/** After everything that people wait for. */
const PRIORITY = 20

function jobKey(run: string | RawBuilder<unknown>) {
  return sql`${`${TELL_SCENARIOS}:`}::text || ${run}::text`
}

/** A scenario, and in a rehearsal the way that the real case went. */
export interface Wanted {
  scenario: Scenario
  /** The elements that it passed, in the order in which it reached them. */
  path?: string[]
}

/** One case as it was recorded. */
export interface RecordedCase {
  id: string
  reference: string
  /** An operator moved a token of it, or it was moved to another version: the way that it went is no model's. */
  moved: boolean
  startedAt: Date
  end: string | null
  commands: { kind: string; payload: { taskId?: string; message?: string; variables?: Variables }; at: Date }[]
  path: {
    element: string
    type: string
    task: string | null
    startedAt: Date
    endedAt: Date | null
    canceled: boolean
  }[]
  /** What its desks promised and did. */
  promises: { desk: string; kind: PromiseKind; at: Date }[]
  /** The versions that it ran on. */
  definitions: string[]
  runs: { topic: string; error: string | null; output: Variables; at: Date }[]
}

/** Scenarios of owners, and what became of telling them. */
export function scenarioRepository(db: Kysely<DB> | Transaction<DB>) {
  return {
    async list(process: string) {
      return db
        .selectFrom('scenario as s')
        .innerJoin('account as a', 'a.id', 's.changed_by')
        .select(['s.id', 's.content', 's.changed_at', 'a.name as changed_by'])
        .where('s.process', '=', process)
        .orderBy(sql`s.content ->> 'name'`)
        .$narrowType<{ content: Scenario }>()
        .execute()
    },

    /** False where another one of the flow has the name. */
    async create(id: string, process: string, scenario: Scenario, by: string): Promise<boolean> {
      const made = await db
        .insertInto('scenario')
        .values({ id, process, content: JSON.stringify(scenario), changed_by: by })
        .onConflict((oc) => oc.doNothing())
        .returning('id')
        .executeTakeFirst()
      return made !== undefined
    },

    /** `absent` where it is not there, `taken` where another one has the name. */
    async update(id: string, process: string, scenario: Scenario, by: string): Promise<'done' | 'absent' | 'taken'> {
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
    },

    /** False where it is not there. */
    async remove(id: string, process: string): Promise<boolean> {
      const gone = await db
        .deleteFrom('scenario')
        .where('id', '=', id)
        .where('process', '=', process)
        .returning('id')
        .executeTakeFirst()
      return gone !== undefined
    },

    // ---- runs --------------------------------------------------------------------------------

    /** Begins a run and the job that works it off. False where one of the flow goes on. */
    async begin(
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
        .onConflict((oc) => oc.column('process').where('state', '=', 'running').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!made) return false
      await sql`select graphile_worker.add_job(${TELL_SCENARIOS}, json_build_object('id', ${id}::text),
        job_key := ${jobKey(id)}, queue_name := 'scenarios', max_attempts := 3, priority := ${PRIORITY})`.execute(db)
      return true
    },

    async find(process: string, id: string) {
      return db
        .selectFrom('scenario_run')
        .select(['id', 'kind', 'of_draft', 'content_hash', 'total', 'results', 'state', 'asked_at', 'ended_at'])
        .where('process', '=', process)
        .where('id', '=', id)
        .$narrowType<{ results: Result[] }>()
        .executeTakeFirst()
    },

    /** Whether a run is over that told scenarios of a flow to this model. */
    async wasToldTo(process: string, id: string, content: Content): Promise<boolean> {
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
    },

    /** The newest runs of a flow's scenarios, for what became of each. */
    async listRuns(process: string) {
      return db
        .selectFrom('scenario_run')
        .select(['id', 'kind', 'of_draft', 'content_hash', 'results', 'state', 'asked_at'])
        .where('process', '=', process)
        .orderBy('asked_at', 'desc')
        .limit(20)
        .$narrowType<{ results: Result[] }>()
        .execute()
    },

    /**
     * What a run of one of these processes tells the engine; undefined where it is over, or of a flow that is not here.
     * What a run that broke off found before is dropped.
     */
    async findWork(id: string, processes: readonly string[]) {
      const row = await db
        .updateTable('scenario_run')
        .set({ results: '[]' })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .where('process', 'in', processes)
        .returning(['process', 'kind', 'wanted', 'asked_by', 'acted_as'])
        .executeTakeFirst()
      return row && { ...row, ...(row.wanted as unknown as { content: Content; wanted: Wanted[] }) }
    },

    async add(id: string, result: Result): Promise<void> {
      await db
        .updateTable('scenario_run')
        .set({ results: sql`results || ${JSON.stringify([result])}::jsonb` })
        .where('id', '=', id)
        .execute()
    },

    async end(id: string, state: 'done' | 'failed'): Promise<void> {
      await db
        .updateTable('scenario_run')
        .set({ state, wanted: null, ended_at: sql`clock_timestamp()` })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .execute()
    },

    /** → failed: the runs whose job nobody works off any more. Answers how many there were. */
    async endForgotten(): Promise<number> {
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
    },

    /** The runs that go on. */
    async listRunning(): Promise<string[]> {
      const rows = await db.selectFrom('scenario_run').select('id').where('state', '=', 'running').execute()
      return rows.map(({ id }) => id)
    },

    // ---- what real cases did -----------------------------------------------------------------

    /** The newest ended cases of a flow with all that happened to them. */
    async recordedCases(flow: string, last: number): Promise<RecordedCase[]> {
      const cases = await db
        .selectFrom('flow_case')
        .select(['id', 'reference', 'end_reason'])
        .where('flow', '=', flow)
        .where('state', '=', 'ended')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(last)
        .execute()
      return Promise.all(
        cases.map(async ({ id, reference, end_reason: end }) => ({ id, reference, end, ...(await recorded(id)) })),
      )
    },

    /** One ended case of a flow by its reference; undefined where there is none. */
    async recordedCase(flow: string, reference: string): Promise<RecordedCase | undefined> {
      const found = await db
        .selectFrom('flow_case')
        .select(['id', 'end_reason'])
        .where('flow', '=', flow)
        .where('reference', '=', reference)
        .where('state', '=', 'ended')
        .executeTakeFirst()
      return found && { id: found.id, reference, end: found.end_reason, ...(await recorded(found.id)) }
    },
  }

  async function recorded(id: string): Promise<Omit<RecordedCase, 'id' | 'reference' | 'end'>> {
    const commands = await db
      .selectFrom('command')
      .select(['kind', 'payload', 'created_at', 'done_at'])
      .where('case_id', '=', id)
      .where('state', '=', 'done')
      .orderBy('sequence')
      .execute()
    const path = await db
      .selectFrom('activity')
      .select(['element', 'type', 'task_id as task', 'started_at as startedAt', 'ended_at as endedAt', 'canceled'])
      .select('process_definition_id as definition')
      .where('case_id', '=', id)
      .orderBy('started_at')
      .orderBy('id')
      .execute()
    const promises = await db
      .selectFrom('desk_promise as p')
      .innerJoin('task as t', 't.id', 'p.task_id')
      .select(['t.desk', 'p.kind', 'p.done_at as at'])
      .where('t.case_id', '=', id)
      .where('p.done_at', 'is not', null)
      .orderBy('p.done_at')
      .$narrowType<{ kind: PromiseKind; at: Date }>()
      .execute()
    const runs = await db
      .selectFrom('worker_run')
      .select(['topic', 'error_code as error', 'output', 'at'])
      .where('case_id', '=', id)
      .orderBy('at')
      .execute()
    const told = commands.map(({ kind, payload, created_at, done_at }) => ({
      kind,
      payload: payload as RecordedCase['commands'][number]['payload'],
      at: done_at ?? created_at,
    }))
    return {
      commands: told,
      moved: told.some(({ kind }) => kind === 'modify' || kind === 'migrate'),
      path: path.map(({ definition: _version, ...step }) => step),
      promises,
      definitions: [...new Set(path.map(({ definition }) => definition))],
      runs: runs.map((run) => ({ ...run, output: run.output as Variables })),
      startedAt: told[0]?.at ?? path[0]?.startedAt ?? new Date(),
    }
  }
}
