import { type Kysely, type Selectable, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Command, DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import type { MigrationPlan, Variables } from '../../kernel/engine/port.ts'
import { bound } from '../../kernel/bound.ts'

/** A command's instruction to the engine, by kind. */
export type Instruction =
  | { kind: 'start'; payload: { definitionId: string; variables: Variables } }
  | { kind: 'complete'; payload: { taskId: string; variables: Variables } }
  | { kind: 'correlate'; payload: { message: string; variables: Variables } }
  | { kind: 'cancel'; payload: { reason: string } }
  | { kind: 'migrate'; payload: MigrationPlan }
  | { kind: 'modify'; payload: { from: string; to: string; variables: Variables } }

type Lane = Selectable<Command>['lane']

/** State of a command; `pending` means that it will be tried, perhaps again. */
export type CommandState = Selectable<Command>['state']

/** A command for the outbox. */
export type NewCommand = Instruction & {
  caseId: string
  taskId?: string
  submissionId?: string
  /** Account that causes the command. */
  actingUser: string
  lane?: Lane
  /** Earliest time to send it; until then it can be taken back. */
  notBefore?: Date
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

const jobKey = (id: string) => `command:${id}`
const priorities = { interactive: 0, bulk: 10 }

/** One job per command; a second call replaces the first. */
export async function scheduleCommand(
  db: Kysely<DB>,
  id: string,
  lane: Lane,
  at: Date | { inSeconds: number },
): Promise<void> {
  const runAt = at instanceof Date ? sql`${at}::timestamptz` : sql`now() + make_interval(secs => ${at.inSeconds})`
  await sql`select graphile_worker.add_job('send-command', json_build_object('id', ${id}::text), run_at := ${runAt},
    job_key := ${jobKey(id)}, priority := ${priorities[lane]})`.execute(db)
}

/** Ends a pending command and deletes its job; false if it had already ended. */
export async function endCommand(
  db: Kysely<DB>,
  id: string,
  state: 'done' | 'refused' | 'cancelled',
  result: object = {},
): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    with ended as (
      update command set state = ${state}, result = ${JSON.stringify(result)}::jsonb, done_at = clock_timestamp()
      where id = ${id} and state = 'pending' returning id
    )
    select exists (select from ended) as ended, graphile_worker.remove_job(${jobKey(id)})::text as job`.execute(db)
  return known(rows[0], 'whether the command has ended').ended
}

/** Writes a command and its job in the transaction of the change it belongs to. */
export async function addCommand(db: Kysely<DB>, command: NewCommand): Promise<string> {
  const id = uuid()
  const { caseId, taskId, submissionId, kind, payload, actingUser, lane = 'interactive', notBefore } = command
  await db
    .insertInto('command')
    .values({
      id,
      case_id: caseId,
      task_id: taskId ?? null,
      submission_id: submissionId ?? null,
      kind,
      payload: JSON.stringify(payload),
      acting_user: actingUser,
      lane,
      ...(notBefore && { not_before: notBefore }),
    })
    .execute()
  // Nobody waits for the result of a bulk command, so only its job sends it.
  await scheduleCommand(db, id, lane, notBefore ?? { inSeconds: lane === 'bulk' ? 0 : 10 })
  return id
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

export async function getCommand(db: Kysely<DB>, id: string): Promise<{ lane: Lane; attempts: number }> {
  return db.selectFrom('command').select(['lane', 'attempts']).where('id', '=', id).executeTakeFirstOrThrow()
}

/** Takes back those commands that nobody has tried to send; returns how many. */
export async function takeBackCommands(db: Kysely<DB>, ids: readonly string[]): Promise<number> {
  const taken = await db
    .updateTable('command')
    .set({ state: 'cancelled', done_at: sql`clock_timestamp()` })
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('state', '=', 'pending')
    .where('attempts', '=', 0)
    .returning('id')
    .execute()
  const keys = taken.map(({ id }) => jobKey(id))
  await sql`select graphile_worker.remove_job(key) from unnest(${keys}::text[]) as key`.execute(db)
  return taken.length
}

/** Makes a held-back command due now; false if it was no longer held back. */
export async function sendCommandNow(db: Kysely<DB>, id: string): Promise<boolean> {
  const row = await db
    .updateTable('command')
    .set({ not_before: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('not_before', '>', sql<Date>`clock_timestamp()`)
    .returning('lane')
    .executeTakeFirst()
  if (row) await scheduleCommand(db, id, row.lane, { inSeconds: 0 })
  return row !== undefined
}

/** Cancels the untried command of a task, because the task ended without it. */
export async function overtakeCommand(
  db: Kysely<DB>,
  taskId: string,
  reason: string,
): Promise<{ id: string; submissionId: string | null; actingUser: string } | undefined> {
  const row = await db
    .updateTable('command')
    .set({ state: 'cancelled', result: JSON.stringify({ reason }), done_at: sql`clock_timestamp()` })
    .where('id', '=', (eb) => eb.selectFrom('task').select('command_id').where('id', '=', taskId))
    .where('state', '=', 'pending')
    .where('attempts', '=', 0)
    .returning(['id', 'submission_id as submissionId', 'acting_user as actingUser'])
    .executeTakeFirst()
  if (row) await sql`select graphile_worker.remove_job(${jobKey(row.id)})`.execute(db)
  return row
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
  const waiting = await db
    .selectFrom('command')
    .select(['id', 'lane'])
    .where('case_id', '=', caseId)
    .where('state', '=', 'pending')
    .where('not_before', '<=', sql<Date>`clock_timestamp()`)
    .orderBy('sequence')
    .execute()
  for (const { id, lane } of waiting) await scheduleCommand(db, id, lane, { inSeconds: 0 })
}

/** Schedules overdue commands whose job is lost; returns how many there were. */
export async function reviveForgottenCommands(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ id: string; lane: Lane }>`
    select c.id, c.lane from command c
    where c.state = 'pending' and c.not_before < now() - interval '1 minute'
      and not exists (select from graphile_worker.jobs j where j.key = 'command:' || c.id and j.attempts < j.max_attempts)
    limit 100`.execute(db)
  for (const { id, lane } of rows) await scheduleCommand(db, id, lane, { inSeconds: 0 })
  return rows.length
}

/** The outbox: commands, each with a job that sends it if the request did not. */
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
    reviveForgotten: reviveForgottenCommands,
  })
}
