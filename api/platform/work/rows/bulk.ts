import { type Kysely, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { BusinessError } from '../../kernel/errors.ts'
import { bound } from '../../kernel/bound.ts'

export type BulkKind = 'complete' | 'claim' | 'release' | 'assign'

/** The action on each task. */
export interface BulkPayload {
  data?: JsonObject
  /** Hash of the form that all tasks share. */
  form?: string
  /** When the first decision is sent. The others are held back as long as this is after `createdAt`. */
  notBefore?: string
  to?: string
}

/** An action, for the job that performs it. */
export interface BulkWork {
  accountId: string
  kind: BulkKind
  payload: BulkPayload
}

/** How long each decision of an action is held back, in milliseconds; undefined if none is. */
export function delayOf({ payload, createdAt }: { payload: BulkPayload; createdAt: Date }): number | undefined {
  return payload.notBefore === undefined ? undefined : Math.max(0, Date.parse(payload.notBefore) - createdAt.getTime())
}

/** An action with its progress. */
export interface BulkRow {
  id: string
  kind: BulkKind
  state: 'running' | 'stopped' | 'done'
  total: number
  created_at: Date
  ended_at: Date | null
  payload: BulkPayload
  done: number
  refused: number
  stopped: number
}

/** The name of the job that performs a part of an action; its payload is `{ id }`. */
export const WORK_OFF_BULK = 'work-off-bulk'
/** Runs after single decisions, which people wait for, and level with the commands of the action. */
const PRIORITY = 10
/** Maximum actions shown per person, newest first. */
const MAX_SHOWN = 20

function selectBulks(db: Kysely<DB>) {
  return db
    .selectFrom('bulk_action as b')
    .select(['b.id', 'b.kind', 'b.payload', 'b.state', 'b.total', 'b.created_at', 'b.ended_at'])
    .select(
      (['done', 'refused', 'stopped'] as const).map((state) =>
        sql<number>`(select count(*) from bulk_item where bulk_id = b.id and state = ${state})::int`.as(state),
      ),
    )
    .$castTo<BulkRow>()
}

/** The forms of these tasks; unknown tasks are left out. */
async function listTaskForms(
  db: Kysely<DB>,
  ids: readonly string[],
): Promise<{ id: string; form_hash: string | null }[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('task')
    .select(['id', 'form_hash'])
    .where('id', 'in', [...ids])
    .execute()
}

/** Whether an action of this person is running. No other can begin until the transaction ends. */
async function isBulkRunning(db: Kysely<DB>, accountId: string): Promise<boolean> {
  await sql`select id from account where id = ${accountId} for no key update`.execute(db)
  const row = await db
    .selectFrom('bulk_action')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return row !== undefined
}

async function createBulk(
  db: Kysely<DB>,
  id: string,
  { accountId, kind, payload }: BulkWork,
  tasks: readonly string[],
): Promise<void> {
  await db
    .insertInto('bulk_action')
    .values({ id, account_id: accountId, kind, payload: JSON.stringify(payload), total: tasks.length })
    .execute()
  await db
    .insertInto('bulk_item')
    .values(tasks.map((task_id, position) => ({ bulk_id: id, position, task_id })))
    .execute()
}

/** Schedules the job of an action; a second call replaces the first. */
async function scheduleBulk(db: Kysely<DB>, id: string): Promise<void> {
  await sql`select graphile_worker.add_job(${WORK_OFF_BULK}, json_build_object('id', ${id}::text),
    job_key := ${`bulk:${id}`}, priority := ${PRIORITY})`.execute(db)
}

async function findBulkWork(db: Kysely<DB>, id: string): Promise<BulkWork & { running: boolean; createdAt: Date }> {
  const row = await db
    .selectFrom('bulk_action')
    .select(['account_id', 'kind', 'state', 'created_at', sql<BulkPayload>`payload`.as('payload')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    accountId: row.account_id,
    kind: row.kind,
    payload: row.payload,
    running: row.state === 'running',
    createdAt: row.created_at,
  }
}

async function findWaitingItem(db: Kysely<DB>, id: string): Promise<{ position: number; task: string } | undefined> {
  return db
    .selectFrom('bulk_item')
    .select(['position', 'task_id as task'])
    .where('bulk_id', '=', id)
    .where('state', '=', 'waiting')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
}

/**
 * waiting → done or, with a reason, refused. `from` is the previous assignee, if there was one. False if it no longer
 * waits.
 */
async function settleBulkItem(
  db: Kysely<DB>,
  id: string,
  position: number,
  { reason, from }: { reason?: Pick<BusinessError, 'code' | 'values' | 'fields'>; from?: string } = {},
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bulk_item')
    .set({
      state: reason ? 'refused' : 'done',
      at: sql`clock_timestamp()`,
      ...(from !== undefined && { values: JSON.stringify({ from }) }),
      ...(reason && {
        code: reason.code,
        values: JSON.stringify({ values: reason.values, fields: reason.fields }),
      }),
    })
    .where('bulk_id', '=', id)
    .where('position', '=', position)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** running → done; false if it was stopped or finished before. */
async function finishBulk(db: Kysely<DB>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bulk_action')
    .set({ state: 'done', ended_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** How many tasks were taken, by previous assignee; null stands for nobody. */
async function countTasksTaken(db: Kysely<DB>, id: string): Promise<{ from: string | null; count: number }[]> {
  const { rows } = await sql<{ from: string | null; count: number }>`
    select "values" ->> 'from' as "from", count(*)::int as count from bulk_item
    where bulk_id = ${id} and state = 'done' group by 1`.execute(db)
  return rows
}

/** running → stopped, with all that still waits; false if it is over. */
async function stopBulk(db: Kysely<DB>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bulk_action')
    .set({ state: 'stopped', ended_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await db
    .updateTable('bulk_item')
    .set({ state: 'stopped', at: sql`clock_timestamp()` })
    .where('bulk_id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
  return true
}

/** Marks a task of an action as refused, because its decision did not take effect. */
export async function refuseBulkDecision(
  db: Kysely<DB>,
  taskId: string,
  accountId: string,
  code: string,
): Promise<void> {
  await sql`
    update bulk_item i set state = 'refused', code = ${code} from bulk_action b
    where b.id = i.bulk_id and b.kind = 'complete' and b.account_id = ${accountId}
      and i.task_id = ${taskId} and i.state = 'done'`.execute(db)
}

/** Marks a task of an action as left, because the person took their decision back. */
export async function leaveBulkDecision(db: Kysely<DB>, taskId: string, accountId: string): Promise<void> {
  await sql`
    update bulk_item i set state = 'stopped', "values" = '{}' from bulk_action b
    where b.id = i.bulk_id and b.kind = 'complete' and b.account_id = ${accountId}
      and i.task_id = ${taskId} and i.state = 'done'`.execute(db)
}

async function findBulk(db: Kysely<DB>, id: string, accountId: string): Promise<BulkRow | undefined> {
  return selectBulks(db).where('b.id', '=', id).where('b.account_id', '=', accountId).executeTakeFirst()
}

async function listBulks(db: Kysely<DB>, accountId: string): Promise<BulkRow[]> {
  return selectBulks(db)
    .where('b.account_id', '=', accountId)
    .orderBy('b.created_at', 'desc')
    .limit(MAX_SHOWN)
    .execute()
}

async function listBulkItems(db: Kysely<DB>, id: string) {
  return db
    .selectFrom('bulk_item as i')
    .innerJoin('task as t', 't.id', 'i.task_id')
    .innerJoin('flow_case as c', 'c.id', 't.case_id')
    .select(['i.task_id', 'i.state', 'i.code', 'i.values', 'c.reference', 'c.subject', 't.process_definition_id'])
    .where('i.bulk_id', '=', id)
    .orderBy('i.position')
    .execute()
}

/** Bulk actions, and the result for each task. */
export function bulkRepository(db: Kysely<DB>) {
  return bound(db, {
    listForms: listTaskForms,
    isRunning: isBulkRunning,
    create: createBulk,
    schedule: scheduleBulk,
    findWork: findBulkWork,
    findWaiting: findWaitingItem,
    settle: settleBulkItem,
    finish: finishBulk,
    countTaken: countTasksTaken,
    stop: stopBulk,
    takeBack: refuseBulkDecision,
    leave: leaveBulkDecision,
    find: findBulk,
    list: listBulks,
    listItems: listBulkItems,
  })
}
