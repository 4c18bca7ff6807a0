import type { TaskList } from 'graphile-worker'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { audit } from '../../kernel/audit/audit.ts'
import { caseRepository } from '../../work/rows/cases.ts'
import { deadlinesOf } from '../../work/cases/routing.ts'
import { announce } from '../../kernel/db/changed.ts'
import { commandRepository } from '../../work/rows/commands.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { isTransient } from '../../kernel/db/database.ts'
import type { Variables } from '../../kernel/engine/port.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { requestersOf } from '../../work/offers/four-eyes.ts'
import { taskRepository } from '../../work/rows/tasks.ts'
import { type MigrationWork, STOPPED, WORK_OFF_MIGRATION, migrationRepository } from '../../work/rows/migrations.ts'

/** Length of one step before other jobs run, in milliseconds. */
const STEP_MS = 1_000
/** Cases handled before the time is checked again. */
const CASES_PER_ROUND = 20

export interface MigrationWorkContext {
  db: Kysely<DB>
  definitions: Definitions
  log: Logger
}

/** Deadlines from now, for cases that come to another desk or to a changed timer; otherwise the old ones continue. */
async function deadlinesFor(
  { definitions }: MigrationWorkContext,
  on: Kysely<DB>,
  { from, to, instructions }: MigrationWork,
): Promise<Variables> {
  const { diagram } = await definitions.get(to)
  const old = (await definitions.get(from)).diagram.desks
  const restart = instructions.some(({ source, target, renew }) => {
    const desk = diagram.desks.get(target)
    return renew || (desk !== undefined && (source !== target || old.get(source)?.due !== desk.due))
  })
  return restart ? deadlinesOf(on, new Date()) : {}
}

async function moveCase(context: MigrationWorkContext, id: string, work: MigrationWork, caseId: string): Promise<void> {
  const { db } = context
  await db.transaction().execute(async (trx) => {
    const row = await caseRepository(trx).hold(caseId)
    if (requestersOf(row).includes(work.accountId)) throw new Stays('platform.case-move-own')
    if (row.withdrawn_at !== null) throw new Stays('platform.case-move-withdrawn')
    if (row.state === 'ended' || row.state === 'failed') throw new Stays('platform.case-move-ended')
    if (row.process_definition_id !== work.from) throw new Stays('platform.case-move-elsewhere')
    if (row.state !== 'running') throw new Stays('platform.case-move-starting')
    // Lock the tasks first: a concurrent decision is then either seen, or too late.
    await taskRepository(trx).makeWait(caseId)
    const migrations = migrationRepository(trx)
    const pending = await migrations.findPending(caseId)
    if (pending === 'complete') throw new Stays('platform.case-move-deciding')
    if (pending === 'modify') throw new Stays('platform.case-move-token')
    const { from, to, instructions, reason, accountId, actedAs } = work
    const command = await commandRepository(trx).add({
      kind: 'migrate',
      caseId,
      actingUser: accountId,
      lane: 'bulk',
      payload: { from, to, instructions, variables: await deadlinesFor(context, trx, work) },
    })
    // Another process has handled it.
    if (!(await migrations.send(id, caseId, command))) throw new NotWaiting()
    await audit(trx).record({
      actor: accountId,
      actedAs,
      action: 'case.migrated',
      caseId,
      object: `case:${caseId}`,
      payload: { migration: id, from, to, reason },
    })
  })
}

async function moveOrFail(
  context: MigrationWorkContext,
  id: string,
  work: MigrationWork,
  caseId: string,
): Promise<void> {
  const { db, log } = context
  try {
    await moveCase(context, id, work, caseId)
  } catch (error) {
    if (error instanceof NotWaiting) return
    if (isTransient(error)) throw error
    if (!(error instanceof Stays)) log.error({ err: error, migration: id, case: caseId }, 'migrating a case failed')
    const code = error instanceof Stays ? error.code : 'platform.fault'
    await migrationRepository(db).fail(id, caseId, code)
  }
}

/** Unblocks a case whose command was taken back, and records that the move in its history did not happen. */
async function unblockCase(
  { db }: MigrationWorkContext,
  id: string,
  { by, as, reason }: Stopped,
  { caseId, command }: TakenBack,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await caseRepository(trx).hold(caseId)
    // Another run of this job has done so, and the case may be moving again.
    if (!(await migrationRepository(trx).refuse(command, STOPPED, null))) return
    await taskRepository(trx).stay(caseId)
    await commandRepository(trx).wakeWaiting(caseId)
    await audit(trx).record({
      actor: by,
      actedAs: as,
      action: 'case.migration-stopped',
      caseId,
      object: `case:${caseId}`,
      payload: { migration: id, reason },
    })
  })
  await announce(db, { principals: [], cases: [caseId], tasks: [] })
}

/** Handles the next cases; returns how many. */
async function doNext(context: MigrationWorkContext, id: string, work: MigrationWork): Promise<number> {
  const { db } = context
  const { stopped } = work
  const migrations = migrationRepository(db)
  if (stopped) {
    const found = await migrations.listTakenBack(id, CASES_PER_ROUND)
    for (const one of found) await unblockCase(context, id, stopped, one)
    return found.length
  }
  const found = await migrations.listWaiting(id, CASES_PER_ROUND)
  for (const one of found) await moveOrFail(context, id, work, one)
  return found.length
}

async function workOff(context: MigrationWorkContext, id: string): Promise<void> {
  const { db } = context
  const migrations = migrationRepository(db)
  const work = await migrations.findWork(id)
  const began = performance.now()
  while (performance.now() - began < STEP_MS)
    if ((await doNext(context, id, work)) === 0) return announceProgress(context, work)
  await migrations.schedule(id)
  await announceProgress(context, work)
}

async function announceProgress({ db }: MigrationWorkContext, { accountId }: MigrationWork): Promise<void> {
  await announce(db, { principals: [`user:${accountId}`], cases: [], tasks: [] })
}

/**
 * Moves the cases of migrations one by one. Each gets a command in the transaction that marks it as sent. From then on
 * nobody can decide its tasks until the engine has answered. The result comes from the engine's refusal, or from the
 * feed when it finds the case on its new version. Nobody can move their own request, because that could skip its desks.
 * When a migration is stopped, cases whose commands were taken back are unblocked. The job does this, so that it
 * happens even if the request to stop fails halfway.
 */
export function migrationTasks(context: MigrationWorkContext): TaskList {
  return { [WORK_OFF_MIGRATION]: ({ id }) => workOff(context, id) }
}

declare global {
  namespace GraphileWorker {
    interface Tasks {
      [WORK_OFF_MIGRATION]: { id: string }
    }
  }
}

type Stopped = NonNullable<MigrationWork['stopped']>
type TakenBack = Awaited<ReturnType<ReturnType<typeof migrationRepository>['listTakenBack']>>[number]

/** Thrown if a case no longer waits. */
class NotWaiting extends Error {}

/** Thrown if a case stays on its version; the code is the key of the reason. */
class Stays extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}
