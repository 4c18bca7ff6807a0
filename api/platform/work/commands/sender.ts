import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { incidentRepository } from '../rows/incidents.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type Engine, EngineFault, EngineRefusal } from '../../kernel/engine/port.ts'
import { meaningOfMessage } from '../rows/cases.ts'
import { willAwaitAnswer } from '../rows/mailed-questions.ts'
import { PLACE_FREED, willAwaitPlace } from '../rows/places.ts'
import { listOpenTasks } from '../rows/task-reads.ts'
import type { MailDependencies } from '../../records/mail/mail.ts'
import { commandOutcomes } from './outcomes.ts'
import {
  type Attempt,
  type CommandState,
  type Underway,
  beginAttempt,
  commandTookEffect,
  getCommand,
  noteCommandFault,
  scheduleCommand,
  stateOfCommand,
} from '../rows/commands.ts'

export interface SenderDependencies extends MailDependencies {
  db: Kysely<DB>
  engine: Engine
  log: Logger
  /** Called whenever the engine has executed a command and its events are available. */
  answered?: () => void
}

/** Maximum concurrent commands of one process; the engine has 20 database connections. */
const atOnce = 16
/** Failed attempts before an operator is alerted. */
const ALERT_AFTER_ATTEMPTS = 5
/** Rejected attempts to move a case before it stays on its version. Nobody can decide its tasks until then. */
const MAX_REJECTED_MOVES = 8
/** Longest wait between two attempts, in seconds. */
const longestWait = 15

export type Sender = ReturnType<typeof commandSender>

interface Sending extends SenderDependencies {
  outcomes: ReturnType<typeof commandOutcomes>
}

/** Sends a command once, unless it has to wait or is over; returns its state afterwards. */
async function attemptCommand(context: Sending, { id, attempt }: Underway): Promise<CommandState> {
  const { db, engine, outcomes, answered } = context
  const command = attempt ?? (await beginAttempt(db, id))
  if (!command) return (await stateOfCommand(db, id)) ?? 'cancelled'
  try {
    // An earlier attempt may have succeeded although its answer was lost.
    if (!(command.attempts > 1 && (await commandTookEffect(db, id)))) await instruct(engine, command)
  } catch (error) {
    if (!(error instanceof EngineRefusal || error instanceof EngineFault)) throw error
    if (!(await commandTookEffect(db, id))) return stateAfter(context, command, error)
  }
  answered?.()
  await outcomes.done(command)
  return 'done'
}

/** State of a command that had no effect: refused for good, or to be sent again. */
async function stateAfter(
  context: Sending,
  command: Attempt,
  error: EngineRefusal | EngineFault,
): Promise<CommandState> {
  const { log, outcomes } = context
  const { id, caseId, kind, attempts, answers } = command
  // A case that an operator suspended is not a refusal: the command is sent when it is resumed.
  if (error instanceof EngineRefusal && error.reason !== 'suspended' && !(await isEarly(context, command, error))) {
    log.warn({ command: id, case: caseId, reason: error.reason, err: error }, 'the engine refused a command')
    await outcomes.refused(command, error.reason, error.message)
    return 'refused'
  }
  const answeredFault = error instanceof EngineFault && error.answered
  if (answeredFault && kind === 'migrate' && answers + 1 >= MAX_REJECTED_MOVES) {
    log.error(
      { command: id, case: caseId, answers, err: error },
      'the engine could not migrate a case; it stays on its version',
    )
    await outcomes.refused(command, 'not-movable', error.message)
    return 'refused'
  }
  log.info(
    { command: id, case: caseId, attempts, err: error },
    'the engine did not take a command; it will be sent again',
  )
  await noteFault(context, command, error)
  return 'pending'
}

/** Whether a case is told before it waits for it: of its place, its end, or an answer while a reminder goes out. */
async function isEarly(
  { db }: Sending,
  { kind, caseId, payload }: Attempt,
  { reason }: EngineRefusal,
): Promise<boolean> {
  if (kind !== 'correlate' || reason !== 'nothing-waits') return false
  if (payload.message === PLACE_FREED) return willAwaitPlace(db, caseId)
  // Between two steps; at a desk that does not wait for it, it comes too late.
  if (payload.withdraws === true) return (await listOpenTasks(db, caseId)).length === 0
  const meaning = await meaningOfMessage(db, caseId, payload.message)
  return typeof meaning === 'object' && willAwaitAnswer(db, caseId, meaning.answers)
}

async function instruct(engine: Engine, command: Attempt): Promise<void> {
  const about = { commandId: command.id, user: command.actingUser, caseId: command.caseId }
  switch (command.kind) {
    case 'start':
      await engine.start({ ...about, ...command.payload })
      break
    case 'complete':
      await engine.complete({ ...about, ...command.payload })
      break
    case 'correlate':
      await engine.correlate({ ...about, instanceId: command.instanceId, ...command.payload })
      break
    case 'cancel':
      await engine.cancel({ ...about, instanceId: command.instanceId, ...command.payload })
      break
    case 'migrate':
      await engine.migrate({ ...about, instanceId: command.instanceId, ...command.payload })
      break
    case 'modify':
      await engine.move({ ...about, instanceId: command.instanceId, ...command.payload })
      break
  }
}

async function noteFault({ db }: Sending, { id, caseId, kind, attempts }: Attempt, error: Error): Promise<void> {
  await noteCommandFault(db, id, error.message, error instanceof EngineFault && error.answered)
  if (attempts < ALERT_AFTER_ATTEMPTS) return
  const message = `${kind} not taken after ${attempts} attempts: ${error.message}`
  await incidentRepository(db).openIncident({ id: `command:${id}`, caseId, kind: 'command-not-taken', message })
}

/**
 * Sends commands to the engine. A command takes effect at most once, however often and by however many processes it is
 * sent: the engine records its id in the transaction of its effect. After any unclear answer the sender checks that
 * record first.
 */
export function commandSender(dependencies: SenderDependencies) {
  const { db, log } = dependencies
  const context: Sending = { ...dependencies, outcomes: commandOutcomes(dependencies) }
  const inTurn = limiter(atOnce)
  const underway = new Set<Promise<CommandState>>()

  return {
    /**
     * Sends a committed command at once and waits at most `patience` milliseconds for its result. After that it is
     * `pending` and continues in the background.
     */
    async deliver(command: Underway, patience = 5_000): Promise<CommandState> {
      const sending = inTurn(() => attemptCommand(context, command)).catch((error: unknown) => {
        log.error({ command: command.id, err: error }, 'sending a command failed; it will be sent again')
        return 'pending' as const
      })
      underway.add(sending)
      void sending.then(() => underway.delete(sending))
      let timer: NodeJS.Timeout | undefined
      const tooLate = new Promise<CommandState>((resolve) => (timer = setTimeout(resolve, patience, 'pending')))
      return Promise.race([sending, tooLate]).finally(() => clearTimeout(timer))
    },

    /** Sends a command that is due, and schedules the next attempt if one is needed. */
    async relay(id: string): Promise<void> {
      if ((await inTurn(() => attemptCommand(context, { id }))) !== 'pending') return
      const { attempts } = await getCommand(db, id)
      await scheduleCommand(db, id, { inSeconds: backOff(attempts) })
    },

    /** Resolves when no command is on its way to the engine. */
    async drained(): Promise<void> {
      await Promise.all(underway)
    },
  }
}

function backOff(attempts: number): number {
  return Math.min(2 ** Math.max(attempts - 1, 0), longestWait)
}

/** Runs at most `most` calls at a time; the others wait in order of arrival. */
function limiter(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (run) => {
    if (running < most) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
