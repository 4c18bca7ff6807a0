import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import type { Language } from '../../model/library/library.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type MailDependencies, mail } from '../../records/mail/mail.ts'
import type { Person } from '../../people/persons/person.ts'
import { countCheques } from '../../work/rows/run-cheques.ts'
import {
  type LineRow,
  type LineState,
  findLine,
  findLines,
  isClaimedElsewhere,
  canBeOwed,
  isTakenUp,
  listLineEvents,
  moveLine,
} from '../../work/rows/run-lines.ts'
import { findRun, lockRun } from '../../work/rows/runs.ts'
import { mailReturned } from './student-mails.ts'
import { reverseLine, settleLine } from '../../work/runs/pay.ts'
import { type ReachedRun, type RunDependencies, decidable, reachRun, rightOf, notifyRunChanged } from './context.ts'

export const lineActs = ['question', 'answer', 'withdraw', 'hold', 'release', 'strike'] as const
export type LineAct = (typeof lineActs)[number]

interface LineChange {
  state?: LineState
  reason?: string | null
  question_open?: boolean
  question_desk?: string | null
}

interface Effect {
  kind: 'questioned' | 'answered' | 'withdrawn' | 'held' | 'released' | 'struck'
  from: readonly LineState[]
  to(text: string, desk: string | null): LineChange
}

const answered = () => ({ question_open: false, question_desk: null })
const effects: Record<LineAct, Effect> = {
  question: {
    kind: 'questioned',
    from: ['included', 'held'],
    to: (_, desk) => ({ question_open: true, question_desk: desk }),
  },
  answer: { kind: 'answered', from: ['included', 'held', 'struck'], to: answered },
  withdraw: { kind: 'withdrawn', from: ['included', 'held', 'struck'], to: answered },
  hold: { kind: 'held', from: ['included'], to: (reason) => ({ state: 'held', reason }) },
  release: { kind: 'released', from: ['held'], to: () => ({ state: 'included', reason: null }) },
  strike: { kind: 'struck', from: ['included', 'held'], to: (reason) => ({ state: 'struck', reason }) },
}

/**
 * Acts on one line while a desk decides about the run; the other lines are not affected. Only people who may decide at
 * the desk now can do it. The preparer of the run can also answer questions; only the desk that asked can withdraw one.
 */
export async function actOnLine(
  deps: RunDependencies & MailDependencies,
  person: Person,
  { caseId, line, act, text }: { caseId: string; line: string; act: LineAct; text: string },
): Promise<void> {
  const reached = await reachRun(deps, person, caseId)
  const permit = await decidable(deps, person, caseId)
  const answersOwn = act === 'answer' && reached.of.requester_id === person.id
  if (!permit && !answersOwn) throw new BusinessError('platform.not-allowed')
  const { kind, from, to } = effects[act]
  await deps.db.transaction().execute(async (trx) => {
    if (permit) await stillUndecided(trx, permit.task.id)
    const found = await lockLine(trx, reached, line)
    const desk = permit?.task.desk ?? null
    checkQuestion(found, act, desk)
    const event = { line, caseId, kind, by: person.id, text }
    if (!(await moveLine(trx, event, from, to(text, desk)))) throw new BusinessError('platform.run-line-final')
    await note(trx, person, permit?.actedAs ?? null, {
      action: `run-line.${kind}`,
      caseId,
      line: found,
      more: { text },
    })
    if (act === 'question' && reached.of.requester_id !== person.id)
      await mail(trx, deps).send({
        to: reached.of.requester_id,
        template: 'platform.mail.line-questioned',
        caseId,
        values: { question: text, student: found.name },
      })
    if (act === 'answer') await tellAsker(trx, deps, person, { caseId, line: found, answer: text })
  })
  await notifyRunChanged(deps, reached)
}

/** Acts that many lines can get at once, with one reason. */
export const actsOnMany = ['hold', 'release', 'strike'] as const satisfies readonly LineAct[]

/** A line on which an act had no effect, and why. */
export interface RefusedLine {
  line: string
  name: string
  /** The registration number. */
  code: string
  message: string
}

/** Holds back, releases or strikes many lines with one reason, as `actOnLine` does one; says which not, and why. */
export async function actOnLines(
  deps: RunDependencies,
  person: Person,
  {
    caseId,
    lines,
    act,
    text,
  }: { caseId: string; lines: readonly string[]; act: (typeof actsOnMany)[number]; text: string },
  language?: Language,
): Promise<{ done: number; refused: RefusedLine[] }> {
  const reached = await reachRun(deps, person, caseId)
  const permit = await decidable(deps, person, caseId)
  if (!permit) throw new BusinessError('platform.not-allowed')
  const { kind, from, to } = effects[act]
  const refused: RefusedLine[] = []
  const asked = [...new Set(lines)]
  await deps.db.transaction().execute(async (trx) => {
    await stillUndecided(trx, permit.task.id)
    await lockRunIn(trx, reached, 'open')
    const found = await findLines(trx, caseId, asked)
    if (found.length < asked.length) throw new BusinessError('platform.not-found')
    for (const line of found) {
      const event = { line: line.id, caseId, kind, by: person.id, text }
      const own = isOwn(reached, line)
      if (!own && (await moveLine(trx, event, from, to(text, permit.task.desk)))) {
        await note(trx, person, permit.actedAs, { action: `run-line.${kind}`, caseId, line, more: { text } })
        continue
      }
      const why = own ? 'platform.run-own-line' : 'platform.run-line-final'
      refused.push({ line: line.id, name: line.name, code: line.code, message: deps.library.text(why, {}, language) })
    }
  })
  await notifyRunChanged(deps, reached)
  return { done: asked.length - refused.length, refused }
}

/** Who asked the question that is answered gets the answer. */
async function tellAsker(
  trx: Transaction<DB>,
  deps: MailDependencies,
  person: Person,
  { caseId, line, answer }: { caseId: string; line: LineRow; answer: string },
): Promise<void> {
  const asked = (await listLineEvents(trx, line.id)).findLast(({ kind }) => kind === 'questioned')
  if (!asked?.byId || asked.byId === person.id) return
  const values = { question: asked.text ?? '', answer, student: line.name }
  await mail(trx, deps).send({ to: asked.byId, template: 'platform.mail.line-answered', caseId, values })
}

/**
 * Records that the bank returned the payment of a line. The payment is reversed, and the next run of the scheme pays it
 * as arrears.
 */
export async function giveBackLine(
  deps: RunDependencies & MailDependencies,
  person: Person,
  { caseId, line, reason, bankReference }: { caseId: string; line: string; reason: string; bankReference: string },
): Promise<void> {
  const reached = await reachRun(deps, person, caseId)
  const actedAs = rightOf(person, reached.manifest.run.returnedBy)
  if (actedAs === undefined) throw new BusinessError('platform.not-allowed')
  await deps.db.transaction().execute(async (trx) => {
    const found = await lockLine(trx, reached, line, 'paid')
    if (found.state !== 'included') throw new BusinessError('platform.run-line-final')
    const { method, bank_file_at: taken } = known(await findRun(trx, caseId), 'the run')
    if (method === 'transfer' && taken === null) throw new BusinessError('platform.run-file-not-taken')
    const reversal = await reverseLine(trx, reached.run, { line, amount: found.total })
    const event = { line, caseId, kind: 'returned', by: person.id, text: reason } as const
    const to = { state: 'returned', reason, bank_reference: bankReference, reversal_key: reversal } as const
    if (!(await moveLine(trx, event, ['included'], to))) throw new BusinessError('platform.run-line-final')
    const more = { reason, bankReference, amount: found.total }
    await note(trx, person, actedAs, { action: 'run-line.returned', caseId, line: found, more })
    const { run, of } = reached
    await mailReturned(trx, deps, { flow: of.flow, run, student: found.student_id, amount: found.total, reason })
  })
  await notifyRunChanged(deps, reached)
}

/**
 * Records that a payment which came back was made after all, such as when the wrong line was entered as returned. Who
 * entered the return does not take it back, and nobody does once a later run pays it again.
 */
export async function settleReturned(
  deps: RunDependencies,
  person: Person,
  { caseId, line, reason }: { caseId: string; line: string; reason: string },
): Promise<void> {
  const reached = await reachRun(deps, person, caseId)
  const actedAs = rightOf(person, reached.manifest.run.returnedBy)
  if (actedAs === undefined) throw new BusinessError('platform.not-allowed')
  await deps.db.transaction().execute(async (trx) => {
    const found = await lockLine(trx, reached, line, 'paid')
    if (found.state !== 'returned') throw new BusinessError('platform.run-line-final')
    const returned = (await listLineEvents(trx, line)).findLast(({ kind }) => kind === 'returned')
    if (returned?.byId === person.id) throw new BusinessError('platform.run-return-own')
    if (await isTakenUp(trx, line)) throw new BusinessError('platform.run-line-taken-up')
    if (found.cheque === null && (await countCheques(trx, caseId)) > 0)
      throw new BusinessError('platform.run-line-without-cheque')
    await settleLine(trx, reached.run, { line, amount: found.total })
    const event = { line, caseId, kind: 'settled', by: person.id, text: reason } as const
    const to = { state: 'included', reason: null, reversal_key: null } as const
    if (!(await moveLine(trx, event, ['returned'], to))) throw new BusinessError('platform.run-line-final')
    const more = { reason, amount: found.total }
    await note(trx, person, actedAs, { action: 'run-line.settled', caseId, line: found, more })
  })
  await notifyRunChanged(deps, reached)
}

/**
 * Records that a month is owed after all to somebody left out by the paid run because attendance was not recorded, or
 * a document was missing. The next run of the scheme pays it, and its desks see why.
 */
export async function oweLine(
  deps: RunDependencies,
  person: Person,
  { caseId, line, reason }: { caseId: string; line: string; reason: string },
): Promise<void> {
  const reached = await reachRun(deps, person, caseId)
  const actedAs = rightOf(person, reached.manifest.run.owedBy)
  if (actedAs === undefined) throw new BusinessError('platform.not-allowed')
  await deps.db.transaction().execute(async (trx) => {
    const found = await lockLine(trx, reached, line, 'paid')
    if (!canBeOwed(found)) throw new BusinessError('platform.run-line-final')
    if (await isClaimedElsewhere(trx, line)) throw new BusinessError('platform.run-month-claimed')
    const event = { line, caseId, kind: 'owed', by: person.id, text: reason } as const
    if (!(await moveLine(trx, event, ['left-out'], { owed_at: new Date() })))
      throw new BusinessError('platform.run-line-final')
    const more = { reason, amount: found.amount }
    await note(trx, person, actedAs, { action: 'run-line.owed', caseId, line: found, more })
  })
  await notifyRunChanged(deps, reached)
}

/** Throws if the act is about a question that is not there, or is another desk's. */
function checkQuestion({ question_open, question_desk }: LineRow, act: LineAct, desk: string | null): void {
  const isOthers = question_open && question_desk !== desk
  if ((act === 'answer' || act === 'withdraw') && !question_open)
    throw new BusinessError('platform.run-question-missing')
  if (act === 'withdraw' && isOthers) throw new BusinessError('platform.run-question-of-others')
  if (act === 'question' && isOthers) throw new BusinessError('platform.run-question-waits')
}

const isOwn = ({ own }: ReachedRun, { student_id }: LineRow) => student_id === own

/** The line, with its run locked. Throws if it is the reader's own, or the run is in the wrong state. */
async function lockLine(
  trx: Transaction<DB>,
  reached: ReachedRun,
  line: string,
  state: 'open' | 'paid' = 'open',
): Promise<LineRow> {
  await lockRunIn(trx, reached, state)
  const found = await findLine(trx, reached.of.id, line)
  if (!found) throw new BusinessError('platform.not-found')
  if (isOwn(reached, found)) throw new BusinessError('platform.run-own-line')
  return found
}

/** Locks a run. Throws if it is in the wrong state. */
async function lockRunIn(trx: Transaction<DB>, { of }: ReachedRun, state: 'open' | 'paid'): Promise<void> {
  const run = await lockRun(trx, of.id)
  if (!run) throw new BusinessError('platform.not-found')
  if (run.state !== state)
    throw new BusinessError(state === 'open' ? 'platform.run-not-open' : 'platform.run-line-final')
}

/** No line may change after the desk has decided. */
async function stillUndecided(trx: Transaction<DB>, task: string): Promise<void> {
  const row = await trx
    .selectFrom('task')
    .select('id')
    .where('id', '=', task)
    .where('state', 'in', ['open', 'held'])
    .forShare()
    .executeTakeFirst()
  if (!row) throw new BusinessError('platform.task-gone')
}

async function note(
  trx: Transaction<DB>,
  person: Person,
  actedAs: string | null,
  { action, caseId, line, more }: { action: string; caseId: string; line: LineRow; more: object },
): Promise<void> {
  await audit(trx).record({
    actor: person.id,
    actedAs: person.through ?? actedAs,
    action,
    caseId,
    object: `run-line:${line.id}`,
    payload: { student: line.student_id, code: line.code, ...more },
  })
}
