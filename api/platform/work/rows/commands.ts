import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Command, DB } from '../../kernel/db/database.generated.ts'
import { asStored } from '../../kernel/db/as-stored.ts'
import { known } from '../../kernel/known.ts'
import type { MigrationPlan, Variables } from '../../kernel/engine/port.ts'
import { bound } from '../../kernel/bound.ts'

/** A command's instruction to the engine, by kind. */
export type Instruction =
  | { kind: 'start'; payload: { definitionId: string; variables: Variables } }
  | { kind: 'complete'; payload: { taskId: string; variables: Variables } }
  | { kind: 'correlate'; payload: { message: string; variables: Variables; withdraws?: boolean } }
  | { kind: 'cancel'; payload: { reason: string } }
  | { kind: 'migrate'; payload: MigrationPlan }
  | { kind: 'modify'; payload: { from: string; to: string; variables: Variables } }

type Lane = Selectable<Command>['lane']

/** State of a command; `pending` means that it will be tried, perhaps again. */
export type CommandState = Selectable<Command>['state']

/** A command for the outbox. */
export type NewCommand = Instruction & {
  /** Given if something has to name it before. */
  id?: string
  caseId: string
  taskId?: string
  submissionId?: string
  /** Account that causes the command. */
  actingUser: string
  lane?: Lane
  /** Earliest time to send it; until then it can be taken back. */
  notBefore?: Date
}

/** A stored command; with its attempt if that has begun, and only its caller sends it now. */
export interface Underway {
  id: string
  attempt?: Attempt
}

/** A command that is about to be sent. Only the first two kinds can precede the confirmed start of their case. */
export type Attempt = AttemptDetails &
  (
    | (Extract<Instruction, { kind: 'start' | 'complete' }> & { instanceId: string | null })
    | (Exclude<Instruction, { kind: 'start' | 'complete' }> & { instanceId: string })
  )

interface AttemptDetails {
  id: string
  caseId: string
  taskId: string | null
  submissionId: string | null
  actingUser: string
  /** Including this one. */
  attempts: number
  /** Earlier attempts that the engine answered. */
  answers: number
}

/** Interactive commands are sent by their request; after this many seconds the sweep sends those that are left. */
const GRACE_SECONDS = 10

/** A time, or how long from now. */
type When = Date | { inSeconds: number }

const moment = (at: When) =>
  at instanceof Date
    ? sql<Date>`${at}::timestamptz`
    : sql<Date>`clock_timestamp() + make_interval(secs => ${at.inSeconds})`

/** When a pending command is sent next. */
export async function scheduleCommand(db: Kysely<DB>, id: string, at: When): Promise<void> {
  await db
    .updateTable('command')
    .set({ next_attempt_at: moment(at) })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute()
}

/** Ends a pending command; false if it had already ended. */
export async function endCommand(
  db: Kysely<DB>,
  id: string,
  state: 'done' | 'refused' | 'cancelled',
  result: object = {},
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('command')
    .set({ state, result: JSON.stringify(result), done_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Ends commands that the engine has executed: their submissions took effect, the drafts that they came from are
 * deleted, and commands of their cases that waited for them are due. One statement, because every decision pays for it.
 */
export async function finishCommands(db: Kysely<DB>, ids: readonly string[]): Promise<void> {
  await sql`
    with ended as (
      update command set state = 'done', result = '{}', done_at = clock_timestamp()
      where id = any(${[...ids]}::uuid[]) and state = 'pending'
      returning case_id, submission_id, acting_user, case when kind = 'complete' then task_id end as decided
    ), sent as (
      update submission set effect = 'done' where id in (select submission_id from ended) and effect = 'pending'
    ), drafts as (
      delete from task_draft d using ended where d.task_id = ended.decided and d.account_id::text = ended.acting_user
    )
    update command set next_attempt_at = clock_timestamp()
    where case_id in (select case_id from ended) and state = 'pending' and id <> all (${[...ids]}::uuid[])
      and attempts = 0 and not_before <= clock_timestamp()`.execute(db)
}

/** Writes a command in the transaction of the change it belongs to. The caller or the sweep sends it. */
export async function addCommand(db: Kysely<DB>, command: NewCommand): Promise<string> {
  return (await insertCommand(db, command, sql`0`)).id
}

/**
 * Writes a command like `addCommand` and takes it for its first attempt at once, which saves the sender a transaction.
 * There is no attempt if the command has to wait; then it is sent like any other.
 */
export async function addCommandUnderway(db: Kysely<DB>, command: NewCommand): Promise<Underway> {
  const { caseId, taskId = null } = command
  const { id, attempts } = await insertCommand(
    db,
    command,
    sql`case when exists (
      select from command e where e.case_id = ${caseId} and e.state = 'pending'
        and (e.kind in ('start', 'migrate') or e.task_id = ${taskId})) then 0 else 1 end`,
  )
  if (attempts === 0 || (command.kind !== 'start' && command.kind !== 'complete')) return { id }
  const { submissionId = null, actingUser, ...instruction } = command
  const details = { id, caseId, taskId, submissionId, actingUser, attempts, answers: 0, instanceId: null }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kind and payload stay together
  return { id, attempt: { ...details, kind: instruction.kind, payload: asStored(instruction.payload) } as Attempt }
}

async function insertCommand(db: Kysely<DB>, command: NewCommand, attempts: RawBuilder<unknown>) {
  const { id = uuid(), caseId, taskId, submissionId, kind, payload, actingUser, lane = 'interactive' } = command
  const { notBefore } = command
  // Nobody waits for the result of a bulk command, so only the sweep sends it.
  const due = notBefore ?? { inSeconds: lane === 'bulk' ? 0 : GRACE_SECONDS }
  const { rows } = await sql<{ id: string; attempts: number }>`
    insert into command (id, case_id, task_id, submission_id, kind, payload, acting_user, lane, not_before,
      next_attempt_at, attempts)
    values (${id}, ${caseId}, ${taskId ?? null}, ${submissionId ?? null}, ${kind}, ${JSON.stringify(payload)}::jsonb,
      ${actingUser}, ${lane}, coalesce(${notBefore ?? null}::timestamptz, now()), ${moment(due)}, ${attempts})
    returning id, attempts`.execute(db)
  return known(rows[0], 'the new command')
}

/** Takes some commands that are due, and puts off the next attempt of each meanwhile. */
export async function takeDueCommands(db: Kysely<DB>, atMost: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update command set next_attempt_at = ${moment({ inSeconds: GRACE_SECONDS })}
    where id in (
      select id from command where state = 'pending' and next_attempt_at <= clock_timestamp()
      order by lane desc, next_attempt_at limit ${atMost} for update skip locked)
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Takes a command for one attempt. Undefined if it is not pending, not due, or has to wait: for the start of its case,
 * for an earlier command of its task or, if its case moves to another version, for all earlier ones.
 */
export async function beginAttempt(db: Kysely<DB>, id: string): Promise<Attempt | undefined> {
  const { rows } = await sql<Attempt>`
    update command c set attempts = c.attempts + 1
    from flow_case f
    where c.id = ${id} and f.id = c.case_id and c.state = 'pending' and c.not_before <= clock_timestamp()
      and (c.kind = 'start' or c.kind = 'complete' or f.process_instance_id is not null)
      and not exists (
        select from command e where e.case_id = c.case_id and e.sequence < c.sequence and e.state = 'pending'
          and (e.kind in ('start', 'migrate') or c.kind = 'migrate' or e.task_id = c.task_id))
    returning c.id, c.case_id as "caseId", c.task_id as "taskId", c.submission_id as "submissionId", c.kind, c.payload,
      c.acting_user as "actingUser", c.attempts, c.answers, f.process_instance_id as "instanceId"`.execute(db)
  return rows[0]
}

/** Whether the engine has executed a command; the engine records that in the transaction of its effect. */
export async function commandTookEffect(db: Kysely<DB>, id: string): Promise<boolean> {
  return (await db.selectFrom('engine_command').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function stateOfCommand(db: Kysely<DB>, id: string): Promise<CommandState | undefined> {
  return (await db.selectFrom('command').select('state').where('id', '=', id).executeTakeFirst())?.state
}

export async function getCommand(db: Kysely<DB>, id: string): Promise<{ attempts: number }> {
  return db.selectFrom('command').select('attempts').where('id', '=', id).executeTakeFirstOrThrow()
}

/** Takes back those commands that nobody has tried to send; returns how many. */
export async function takeBackCommands(db: Kysely<DB>, ids: readonly string[]): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('command')
    .set({ state: 'cancelled', done_at: sql`clock_timestamp()` })
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('state', '=', 'pending')
    .where('attempts', '=', 0)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Makes a held-back command due now; false if it was no longer held back. */
export async function sendCommandNow(db: Kysely<DB>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('command')
    .set({ not_before: sql`clock_timestamp()`, next_attempt_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('not_before', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Cancels the untried command of a task, because the task ended without it. */
export async function overtakeCommand(
  db: Kysely<DB>,
  taskId: string,
  reason: string,
): Promise<{ id: string; submissionId: string | null; actingUser: string } | undefined> {
  return db
    .updateTable('command')
    .set({ state: 'cancelled', result: JSON.stringify({ reason }), done_at: sql`clock_timestamp()` })
    .where('id', '=', (eb) => eb.selectFrom('task').select('command_id').where('id', '=', taskId))
    .where('state', '=', 'pending')
    .where('attempts', '=', 0)
    .returning(['id', 'submission_id as submissionId', 'acting_user as actingUser'])
    .executeTakeFirst()
}

/** Cancels commands that wait for the start of a case that failed. */
export async function cancelWaitingCommands(db: Kysely<DB>, caseId: string): Promise<void> {
  const waiting = await db
    .selectFrom('command')
    .select('id')
    .where('case_id', '=', caseId)
    .where('state', '=', 'pending')
    .execute()
  for (const { id } of waiting) await endCommand(db, id, 'cancelled')
}

/** Records the error of an attempt, and whether the engine answered. */
export async function noteCommandFault(db: Kysely<DB>, id: string, message: string, answered: boolean): Promise<void> {
  const answers = sql<number>`answers + ${answered ? 1 : 0}`
  await db.updateTable('command').set({ last_error: message, answers }).where('id', '=', id).execute()
}

/** Makes commands of a case due now that may have waited for another one. */
export async function wakeWaitingCommands(db: Kysely<DB>, caseId: string): Promise<void> {
  await db
    .updateTable('command')
    .set({ next_attempt_at: sql`clock_timestamp()` })
    .where('case_id', '=', caseId)
    .where('state', '=', 'pending')
    .where('attempts', '=', 0)
    .where('not_before', '<=', sql<Date>`clock_timestamp()`)
    .execute()
}

/** The outbox: the sweep sends every pending command that is due. */
export function commandRepository(db: Kysely<DB>) {
  return bound(db, {
    schedule: scheduleCommand,
    end: endCommand,
    add: addCommand,
    begin: beginAttempt,
    tookEffect: commandTookEffect,
    stateOf: stateOfCommand,
    get: getCommand,
    takeBack: takeBackCommands,
    hasten: sendCommandNow,
    overtake: overtakeCommand,
    cancelWaiting: cancelWaitingCommands,
    noteFault: noteCommandFault,
    wakeWaiting: wakeWaitingCommands,
  })
}
