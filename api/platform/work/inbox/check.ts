import { type Kysely, type Transaction, sql } from 'kysely'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type Engine, EngineFault, EngineRefusal } from '../../kernel/engine/port.ts'
import type { OfferDependencies } from '../offers/offers.ts'
import { rebuildCase } from '../feed/rebuild.ts'
import type { MailDependencies } from '../../records/mail/mail.ts'
import { leaveInbox } from '../rows/inbox.ts'
import { lockFedCases, lockFeed } from '../rows/feed.ts'
import { known } from '../../kernel/known.ts'

export interface CheckDependencies extends OfferDependencies, MailDependencies {
  db: Kysely<DB>
  engine: Engine
}

/** How many cases to compare, and whether to repair differences. */
export interface CheckOptions {
  /** Maximum number of running cases. */
  cases: number
  /** Only cases after this one, by id. */
  after?: string | undefined
  /** Rewrites a case that differs; otherwise nothing is changed. */
  mend: boolean
}

/** A row that is missing from the lists or should not be there. */
export interface Difference {
  of: 'case' | 'task' | 'candidate' | 'inbox' | 'inbox_filter'
  /** Missing: it should be there. */
  is: 'missing' | 'surplus'
  row: Record<string, unknown>
}

/** Result of comparing some cases. */
export interface CheckResult {
  checked: number
  /** Cases whose rows differ from the engine's state. */
  drifted: { caseId: string; reference: string; differences: Difference[] }[]
  /** Cases that were skipped: an event was pending, or another transaction had locked them. */
  busy: number
  /** The last case compared; null at the end. */
  last: string | null
}

/** The rows of a case that follow from the engine's state. */
type Snapshot = Map<string, Omit<Difference, 'is'>>

/** Rolls back a transaction whose changes were only for comparison. */
class Undo extends Error {}

/**
 * Compares running cases with the engine one by one, under the feed's lock: it rebuilds each case and compares the rows
 * before and after. Without `mend`, or if nothing differs, the rebuild is rolled back.
 */
export async function checkInbox(
  dependencies: CheckDependencies,
  { cases, after, mend }: CheckOptions,
): Promise<CheckResult> {
  const { db } = dependencies
  const rows = await db
    .selectFrom('flow_case')
    .select(['id', 'reference'])
    .where('state', 'in', ['starting', 'running'])
    .where((one) => (after === undefined ? one.lit(true) : one('id', '>', after)))
    .orderBy('id')
    .limit(cases)
    .execute()
  const drifted: CheckResult['drifted'] = []
  let busy = 0
  for (const { id, reference } of rows) {
    const differences = await checkCase(dependencies, id, mend)
    if (differences === 'busy') busy += 1
    else if (differences.length > 0) drifted.push({ caseId: id, reference, differences })
  }
  return { checked: rows.length, drifted, busy, last: rows.length < cases ? null : (rows.at(-1)?.id ?? null) }
}

async function checkCase(dependencies: CheckDependencies, id: string, mend: boolean): Promise<Difference[] | 'busy'> {
  const { db, engine } = dependencies
  let found: Difference[] | 'busy' = 'busy'
  try {
    const changed = await db.transaction().execute(async (trx) => {
      await lockFeed(trx)
      const [row] = await lockFedCases(trx, [id])
      // A drifted case is rebuilt anyway, and a new case may not be in the engine yet.
      if (!row || row.drifted || row.process_instance_id === null) throw new Undo()
      const before = await snapshotOf(trx, id)
      const changes = await rebuildCase(trx, row, engine, dependencies)
      if (await isAwaited(trx, row.process_instance_id)) throw new Undo()
      found = differencesOf(before, await snapshotOf(trx, id))
      if (found.length === 0 || !mend) throw new Undo()
      return changes
    })
    await announce(db, changed)
  } catch (error) {
    if (error instanceof EngineFault || error instanceof EngineRefusal) return 'busy'
    if (!(error instanceof Undo)) throw error
  }
  return found
}

/** Whether the engine has an event for an instance that is not applied yet. */
async function isAwaited(trx: Transaction<DB>, instance: string): Promise<boolean> {
  const { rows } = await sql<{ awaited: boolean }>`
    select exists (select from engine_event where process_instance_id = ${instance}
      or body ->> 'rootProcessInstanceId' = ${instance}) as awaited`.execute(trx)
  return known(rows[0], 'the answer').awaited
}

async function snapshotOf(trx: Transaction<DB>, caseId: string): Promise<Snapshot> {
  const { rows } = await sql<Omit<Difference, 'is'>>`
    with mine as (select * from task where case_id = ${caseId})
    select 'case' as of, jsonb_build_object('state', state, 'status', status, 'statuses', statuses) as row
      from flow_case where id = ${caseId}
    union all select 'task', jsonb_build_object('task', id, 'desk', desk, 'state', state) from mine
    union all select 'candidate', jsonb_build_object('task', task_id, 'principal', principal, 'standsInFor', stands_in_for)
      from task_candidate where task_id in (select id from mine)
    union all select 'inbox', to_jsonb(i) from inbox i where task in (select id from mine)
    union all select 'inbox_filter', to_jsonb(f) from inbox_filter f where task in (select id from mine)`.execute(trx)
  return new Map(rows.map((one) => [`${one.of} ${JSON.stringify(one.row)}`, one]))
}

function differencesOf(before: Snapshot, after: Snapshot): Difference[] {
  const missing = [...after].filter(([key]) => !before.has(key)).map(([, one]) => ({ ...one, is: 'missing' as const }))
  const surplus = [...before].filter(([key]) => !after.has(key)).map(([, one]) => ({ ...one, is: 'surplus' as const }))
  return [...surplus, ...missing]
}

/** The tasks that are over and still in the lists; with `mend` they are removed. */
export async function sweepInbox(db: Kysely<DB>, mend: boolean): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ task: string }>`
      select distinct i.task from (select task from inbox union all select task from inbox_filter) i
      join task t on t.id = i.task where t.state not in ('open', 'held') order by i.task`.execute(trx)
    const tasks = rows.map(({ task }) => task)
    if (mend && tasks.length > 0) await leaveInbox(trx, tasks)
    return tasks
  })
}
