import { type Kysely, type NotNull, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { pathOf } from '../../model/definitions/register.ts'
import { type Exception, excepts } from '../../work/cases/excepted.ts'

/** The name of the job that opens a part of a batch; its payload is `{ id }`. */
export const WORK_OFF_BATCH = 'work-off-batch'
/** Runs after work that people wait for. */
const PRIORITY = 10

/** A person that an entry is meant for, from their register, with their case if they have one. */
export type MemberRow = BatchMember & (CaseOfMember | NoCase)

interface BatchMember {
  id: string
  title: string
  status: string
  data: JsonObject
  account: string | null
  /** An entry of another register excepts the person (`unless`). */
  excepted: boolean
  withdrawn: boolean
  /** A task of the case waits for its requester. */
  asked: boolean
}

interface CaseOfMember {
  case_id: string
  reference: string
  case_status: string
  case_state: string
}

type NoCase = Record<keyof CaseOfMember, null>

/** A batch with its progress. */
export interface BatchRow {
  id: string
  state: 'running' | 'stopped' | 'done'
  total: number
  created_at: Date
  ended_at: Date | null
  by: string
  done: number
  refused: number
}

/** A batch, for the job that performs it. */
export interface BatchWork {
  flow: string
  /** The entry for whose people it is; null for a batch of chosen entries. */
  item: string | null
  accountId: string
  actedAs: string
  running: boolean
}

/* Batches of cases, and the result for each person. */

/** People whose entry meets the conditions, or who have a case already, by title. */
export async function listBatchMembers(
  db: Kysely<DB>,
  flow: string,
  item: string,
  {
    register,
    expected,
    exceptions,
  }: { register: string; expected: ReadonlyMap<string, unknown>; exceptions: readonly Exception[] },
): Promise<MemberRow[]> {
  const excepting = exceptions.map(
    (exception) => sql`exists (select from register_item e where ${excepts(exception, sql.ref('i.id'))})`,
  )
  const holds = [...expected].map(
    ([pointer, value]) => sql`i.data #> ${pathOf(pointer)}::text[] = ${JSON.stringify(value)}::jsonb`,
  )
  const { rows } = await sql<MemberRow>`
        select i.id, i.title, i.status, i.data, a.id as account, c.id as case_id, c.reference, c.status as case_status,
          c.state as case_state, c.withdrawn_at is not null as withdrawn, exists (
            select from task t join task_candidate k on k.task_id = t.id
            where t.case_id = c.id and t.state in ('open', 'held') and k.principal = 'user:' || a.id) as asked,
          (${sql.join([sql`false`, ...excepting], sql` or `)}) as excepted
        from register_item i
          left join account a on a.record_id = i.id and a.active
          left join lateral (
            select * from flow_case n where n.flow = ${flow} and n.once_key = ${item} and n.requester_id = a.id
            order by n.created_at desc limit 1) c on true
        where i.register = ${register} and (c.id is not null or (${sql.join([sql`true`, ...holds], sql` and `)}))
        order by i.title, i.id`.execute(db)
  return rows
}

/** Throws that the batch is running already, if that is the error. */
export function refuseSecondBatch(error: Error & { constraint?: string }): never {
  if (error.constraint === 'case_batch_one_at_a_time') throw new BusinessError('platform.batch-running')
  throw error
}

export async function createBatch(
  db: Kysely<DB>,
  id: string,
  given: { flow: string; item: string | null; accountId: string; actedAs: string },
  records: readonly string[],
): Promise<void> {
  await db
    .insertInto('case_batch')
    .values({
      id,
      flow: given.flow,
      item_id: given.item,
      account_id: given.accountId,
      acted_as: given.actedAs,
      total: records.length,
    })
    .execute()
  await sql`
        insert into case_batch_entry (batch_id, position, record_id)
        select ${id}, position - 1, record from unnest(${[...records]}::uuid[]) with ordinality as r(record, position)`.execute(
    db,
  )
}

/** Schedules the job of a batch; a second call replaces the first. */
export async function scheduleBatch(db: Kysely<DB>, id: string): Promise<void> {
  await sql`select graphile_worker.add_job(${WORK_OFF_BATCH}, json_build_object('id', ${id}::text),
        job_key := ${`batch:${id}`}, priority := ${PRIORITY})`.execute(db)
}

export async function findBatchWork(db: Kysely<DB>, id: string): Promise<BatchWork> {
  const row = await db.selectFrom('case_batch').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return {
    flow: row.flow,
    item: row.item_id,
    accountId: row.account_id,
    actedAs: row.acted_as,
    running: row.state === 'running',
  }
}

/** The next waiting people or entries of a batch, with the present accounts of people. */
export async function listWaitingEntries(db: Kysely<DB>, id: string, limit: number) {
  return db
    .selectFrom('case_batch_entry as e')
    .leftJoin('account as a', (join) => join.onRef('a.record_id', '=', 'e.record_id').on('a.active', '=', true))
    .select(['e.position', 'e.record_id as record', 'a.id as account'])
    .where('e.batch_id', '=', id)
    .where('e.state', '=', 'waiting')
    .orderBy('e.position')
    .limit(limit)
    .execute()
}

/** waiting → done with a case, or refused with a reason; false if it no longer waits. */
export async function settleEntry(
  db: Kysely<DB>,
  id: string,
  position: number,
  became: { caseId: string } | { code: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('case_batch_entry')
    .set({
      at: sql`clock_timestamp()`,
      ...('caseId' in became ? { state: 'done', case_id: became.caseId } : { state: 'refused', code: became.code }),
    })
    .where('batch_id', '=', id)
    .where('position', '=', position)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** running → done or stopped, with all that still waits; false if it is over. */
export async function endBatch(db: Kysely<DB>, id: string, state: 'done' | 'stopped'): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('case_batch')
    .set({ state, ended_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await db
    .updateTable('case_batch_entry')
    .set({ state: 'stopped', at: sql`clock_timestamp()` })
    .where('batch_id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
  return true
}

/** The newest batch of an entry; without one, the newest of chosen entries. */
export async function findLatestBatch(
  db: Kysely<DB>,
  flow: string,
  item: string | null,
): Promise<BatchRow | undefined> {
  const { rows } = await sql<BatchRow>`
        select b.id, b.state, b.total, b.created_at, b.ended_at, a.name as by,
          (select count(*)::int from case_batch_entry where batch_id = b.id and state = 'done') as done,
          (select count(*)::int from case_batch_entry where batch_id = b.id and state = 'refused') as refused
        from case_batch b join account a on a.id = b.account_id
        where b.flow = ${flow} and b.item_id is not distinct from ${item}::uuid order by b.created_at desc limit 1`.execute(
    db,
  )
  return rows[0]
}

/** The results of a batch of chosen entries, by title; `most` of them. */
export async function listBatchEntries(db: Kysely<DB>, batch: string, most: number) {
  return (
    db
      .selectFrom('case_batch_entry as e')
      .innerJoin('register_item as i', 'i.id', 'e.record_id')
      .leftJoin('flow_case as c', 'c.id', 'e.case_id')
      .select(['i.id', 'i.title', 'e.state', 'e.code', 'c.id as case_id', 'c.reference'])
      .where('e.batch_id', '=', batch)
      // Those that were refused first: somebody has to look at them.
      .orderBy(sql`e.state <> 'refused'`)
      .orderBy('i.title')
      .orderBy('i.id')
      .limit(most)
      .execute()
  )
}

/** Why the newest batch of an entry opened no case for some people, by their register entry. */
export async function listBatchRefusals(db: Kysely<DB>, batch: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('case_batch_entry')
    .select(['record_id', 'code'])
    .where('batch_id', '=', batch)
    .where('state', '=', 'refused')
    .$narrowType<{ code: NotNull }>()
    .execute()
  return new Map(rows.map(({ record_id, code }) => [record_id, code]))
}
