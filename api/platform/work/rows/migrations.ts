import { type Kysely, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { MigrationInstruction } from '../../kernel/engine/port.ts'
import { bound } from '../../kernel/bound.ts'
import { takeBackCommands } from './commands.ts'
import {
  arriveCase,
  failCaseMove,
  findPendingCommand,
  listCasesToMove,
  listMovesTakenBack,
  refuseCaseMove,
  sendCaseMove,
} from './case-moves.ts'

/** The name of the job that moves some cases of a migration; its payload is `{ id }`. */
export const WORK_OFF_MIGRATION = 'work-off-migration'

/** Why a case was not moved: its migration was stopped first. */
export const STOPPED = 'platform.case-move-stopped'

/** Runs after work that people wait for. */
const PRIORITY = 10

/** Key of the advisory lock that keeps two migrations of a process from beginning at once. The number is arbitrary. */
const LOCK = 7_001_010

/** A migration, for the job that performs it. */
export interface MigrationWork {
  process: string
  from: string
  to: string
  instructions: MigrationInstruction[]
  reason: string
  accountId: string
  actedAs: string
  /** Who stopped it and why; null while it runs. */
  stopped: { by: string; as: string | null; reason: string } | null
}

/** Begins a migration of these cases of a flow, or of all that run on the version; returns how many there are. */
async function createMigration(
  db: Kysely<DB>,
  id: string,
  flow: string,
  work: Omit<MigrationWork, 'stopped'>,
  cases: readonly string[] | undefined,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${work.process}))`.execute(db)
  await db
    .insertInto('case_migration')
    .values({
      id,
      process: work.process,
      from_id: work.from,
      to_id: work.to,
      instructions: JSON.stringify(work.instructions),
      reason: work.reason,
      account_id: work.accountId,
      acted_as: work.actedAs,
    })
    .execute()
  const wanted =
    cases === undefined
      ? sql`c.process_definition_id = ${work.from} and c.state in ('starting', 'running')`
      : sql`c.id = any(${[...cases]}::uuid[])`
  const { rows } = await sql<{ total: number }>`
    with entered as (
      insert into case_migration_entry (migration_id, position, case_id, state, code, at)
      select ${id}, row_number() over (order by c.created_at, c.id), c.id,
        case when m.case_id is null then 'waiting' else 'failed' end,
        case when m.case_id is not null then 'platform.case-move-twice' end,
        case when m.case_id is not null then clock_timestamp() end
      from flow_case c left join case_migration_entry m on m.case_id = c.id and m.state in ('waiting', 'sent')
      where c.flow = ${flow} and ${wanted}
      returning 1
    )
    select count(*)::int as total from entered`.execute(db)
  return known(rows[0], 'the number of cases').total
}

/** Schedules the job of a migration; a second call replaces the first. */
async function scheduleMigration(db: Kysely<DB>, id: string): Promise<void> {
  await sql`select graphile_worker.add_job(${WORK_OFF_MIGRATION}, json_build_object('id', ${id}::text),
    job_key := ${`migration:${id}`}, priority := ${PRIORITY})`.execute(db)
}

async function findMigrationWork(db: Kysely<DB>, id: string): Promise<MigrationWork> {
  const row = await db
    .selectFrom('case_migration')
    .select(['process', 'from_id', 'to_id', 'reason', 'account_id', 'acted_as'])
    .select(['stopped_by', 'stopped_as', 'stop_reason', sql<MigrationInstruction[]>`instructions`.as('instructions')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    process: row.process,
    from: row.from_id,
    to: row.to_id,
    instructions: row.instructions,
    reason: row.reason,
    accountId: row.account_id,
    actedAs: row.acted_as,
    stopped:
      row.stopped_by === null
        ? null
        : { by: row.stopped_by, as: row.stopped_as, reason: known(row.stop_reason, 'why the migration was stopped') },
  }
}

/**
 * Stops a migration. Waiting cases stay on their version, and so do cases whose command nobody has tried to send.
 * Returns how many these are; undefined if it is over or stopped already.
 */
async function stopMigration(
  db: Kysely<DB>,
  id: string,
  { by, as, reason }: NonNullable<MigrationWork['stopped']>,
): Promise<number | undefined> {
  const underway = db
    .selectFrom('case_migration_entry')
    .select('command_id')
    .where('migration_id', '=', id)
    .where('state', 'in', ['waiting', 'sent'])
  const { numUpdatedRows: stopped } = await db
    .updateTable('case_migration')
    .set({ stopped_by: by, stopped_as: as, stopped_at: sql`clock_timestamp()`, stop_reason: reason })
    .where('id', '=', id)
    .where('stopped_at', 'is', null)
    .where(({ exists }) => exists(underway))
    .executeTakeFirst()
  if (stopped === 0n) return undefined
  const { numUpdatedRows: waited } = await db
    .updateTable('case_migration_entry')
    .set({ state: 'failed', code: STOPPED, at: sql`clock_timestamp()` })
    .where('migration_id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  // A job that was sending one has either finished, or finds that it no longer waits.
  const sent = (await underway.execute()).flatMap(({ command_id }) => command_id ?? [])
  return Number(waited) + (await takeBackCommands(db, sent))
}

/** Schedules stopped migrations that still block cases and have no job; returns how many there are. */
export async function reviveStoppedMigrations(db: Kysely<DB>): Promise<number> {
  const left = await db
    .selectFrom('case_migration as m')
    .innerJoin('case_migration_entry as e', 'e.migration_id', 'm.id')
    .innerJoin('command as c', 'c.id', 'e.command_id')
    .select('m.id')
    .distinct()
    .where('m.stopped_at', '<', sql<Date>`now() - interval '1 minute'`)
    .where('e.state', '=', 'sent')
    .where('c.state', '=', 'cancelled')
    .execute()
  for (const { id } of left) await scheduleMigration(db, id)
  return left.length
}

/** The running migrations of these processes. */
async function listMigrationsGoingOn(
  db: Kysely<DB>,
  processes: readonly string[],
): Promise<{ process: string; id: string; from: string; to: string }[]> {
  return db
    .selectFrom('case_migration as m')
    .select(['m.process', 'm.id', 'm.from_id as from', 'm.to_id as to'])
    .where('m.process', 'in', [...processes])
    .where('m.id', 'in', (eb) =>
      eb.selectFrom('case_migration_entry').select('migration_id').where('state', 'in', ['waiting', 'sent']),
    )
    .orderBy('m.created_at')
    .execute()
}

/** The progress of a migration of this process; undefined if there is none. */
async function findMigration(db: Kysely<DB>, process: string, id: string) {
  const { rows } = await sql<{
    total: number
    done: number
    failed: number
    from_id: string
    to_id: string
    stopped_by: string | null
    stopped_at: Date | null
    stop_reason: string | null
  }>`
    select m.from_id, m.to_id, m.stopped_at, m.stop_reason, s.name as stopped_by, count(e.case_id)::int as total,
      count(*) filter (where e.state = 'done')::int as done, count(*) filter (where e.state = 'failed')::int as failed
    from case_migration m left join case_migration_entry e on e.migration_id = m.id
      left join account s on s.id = m.stopped_by
    where m.id = ${id} and m.process = ${process} group by m.id, s.id`.execute(db)
  return rows[0]
}

/** A page of its cases, failed ones first; `after` is the rank and place of the last one seen. */
async function listMigrationEntries(
  db: Kysely<DB>,
  id: string,
  after: readonly [rank: string, position: string] | undefined,
  limit: number,
) {
  const rank = sql<number>`case when e.state = 'failed' then 0 else 1 end`
  const later = after ? sql<boolean>`(${rank}, e.position) > (${after[0]}::int, ${after[1]}::int)` : sql<boolean>`true`
  return db
    .selectFrom('case_migration_entry as e')
    .innerJoin('flow_case as c', 'c.id', 'e.case_id')
    .select(['e.case_id', 'c.reference', 'e.state', 'e.code', 'e.detail', 'e.position', rank.as('rank')])
    .where('e.migration_id', '=', id)
    .where(later)
    .orderBy(rank)
    .orderBy('e.position')
    .limit(limit)
    .execute()
}

/** The elements where running cases of a version are, without the given ones. */
async function listOccupiedElements(db: Kysely<DB>, definitionId: string, except: readonly string[]) {
  const { rows } = await sql<{ element: string; name: string | null; cases: number }>`
    select a.element, max(a.name) as name, count(distinct a.case_id)::int as cases
    from flow_case c join activity a on a.case_id = c.id and a.ended_at is null
    where c.process_definition_id = ${definitionId} and c.state = 'running'
      and a.element <> all(${[...except]}::text[])
    group by a.element order by cases desc, a.element`.execute(db)
  return rows
}

/** Migrations of running cases to another version, with the result for each case. */
export function migrationRepository(db: Kysely<DB>) {
  return bound(db, {
    create: createMigration,
    schedule: scheduleMigration,
    findWork: findMigrationWork,
    stop: stopMigration,
    listTakenBack: listMovesTakenBack,
    reviveStopped: reviveStoppedMigrations,
    listGoingOn: listMigrationsGoingOn,
    listWaiting: listCasesToMove,
    findPending: findPendingCommand,
    send: sendCaseMove,
    fail: failCaseMove,
    refuse: refuseCaseMove,
    arrive: arriveCase,
    find: findMigration,
    listEntries: listMigrationEntries,
    listOccupied: listOccupiedElements,
  })
}
