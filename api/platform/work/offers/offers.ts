import type { Transaction } from 'kysely'
import { known } from '../../kernel/known.ts'
import { type Units, readUnits } from '../../people/access/units.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { incidentRepository } from '../rows/incidents.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { findPerson } from '../../people/identity/accounts.ts'
import { everything } from '../../people/persons/person.ts'
import { rightOn } from './right-on.ts'
import { barredFrom } from './four-eyes.ts'
import { type Candidate, addCandidates, listCandidates, removeCandidates } from '../rows/candidates.ts'
import type { TaskRow } from '../rows/tasks.ts'
import { listSomeTasks } from '../rows/task-reads.ts'
import { markTaskReleased } from '../rows/task-acts.ts'
import { areHeld, isAbsent, isHeld, objection } from '../../people/access/principals.ts'
import { refreshInbox } from '../rows/inbox.ts'
import { bound } from '../../kernel/bound.ts'

export interface OfferDependencies {
  definitions: Definitions
  roles: ReadonlySet<string>
}

/** The offers of one transaction, and what they have changed so far. */
interface Offering extends OfferDependencies {
  trx: Transaction<DB>
  /** Tasks whose inbox rows need rewriting. */
  touched: Set<string>
  /** Principals whose inbox changes. */
  principals: Set<string>
  /** Tasks that were taken back from their assignee. */
  released: string[]
  /** Loaded on first use. */
  units?: Units
}

/** Id of the incident for a task that its desk may not be offered to. */
const refusals = (task: string) => `unseen:${task}`
/** Id of the incident for a task whose post is vacant. */
const vacancy = (task: string) => `vacant:${task}`

async function checkOffers(context: Offering, ids: readonly string[]): Promise<void> {
  const { trx, definitions } = context
  const open = (await listSomeTasks(trx, ids)).filter(({ state }) => state === 'open' || state === 'held')
  if (open.length === 0) return
  const rows = Map.groupBy(
    await listCandidates(
      trx,
      open.map(({ id }) => id),
    ),
    ({ task_id }) => task_id,
  )
  const looked = await Promise.all(
    open.map(async (task) => {
      const candidates = rows.get(task.id) ?? []
      const drawn = candidates.filter((row) => row.stands_in_for === null).map(({ principal }) => principal)
      const standIns = candidates.filter((row) => row.stands_in_for !== null).map(({ principal }) => principal)
      return { task, standIns, ...(await siftOffered(context, task, drawn)) }
    }),
  )
  await removeCandidates(
    trx,
    looked.flatMap(({ task, dropped }) => dropped.map((principal) => ({ task: task.id, principal }))),
  )
  for (const { task, complaint } of looked)
    if (complaint) await notifyOperators(context, refusals(task.id), task, complaint)
  const barred = await barredFrom(trx, definitions, open)
  const barredOf = (task: TaskRow) => known(barred.get(task.id), 'the people who may not decide the task')
  const held = await areHeld(
    trx,
    looked.map(({ task, drawn }) => ({ principals: drawn, barred: barredOf(task) })),
  )
  const filled: string[] = []
  for (const [n, { task, drawn, standIns }] of looked.entries()) {
    const vacant = drawn.length > 0 && !held[n]
    if (!vacant) filled.push(vacancy(task.id))
    const now = vacant
      ? await fillIn(context, task, drawn, { before: standIns, barred: barredOf(task) })
      : await standDown(context, task, standIns)
    if (task.state === 'held') await takeBack(context, task, [...drawn, ...now])
  }
  await incidentRepository(trx).resolveIncident(...filled)
}

/**
 * Splits the principals of a task into those its desk may be offered to and the others, with a message for operators.
 */
async function siftOffered(
  { definitions, roles }: Offering,
  task: TaskRow,
  offered: readonly string[],
): Promise<{ drawn: string[]; dropped: string[]; complaint: string | undefined }> {
  const drawnFor = (await definitions.find(task.process_definition_id))?.diagram.desks.get(task.desk)?.roles ?? []
  const drawn: string[] = []
  const dropped: string[] = []
  const refused: string[] = []
  const absent: string[] = []
  for (const principal of offered) {
    const reason = objection(principal, roles, drawnFor)
    if (!reason) {
      drawn.push(principal)
      continue
    }
    const list = isAbsent(principal, drawnFor) ? absent : refused
    list.push(`"${principal}" (${reason})`)
    dropped.push(principal)
  }
  // A desk may list units of which a case has only one; an incident is due only if none is left.
  if (drawn.length === 0) refused.push(...absent)
  const told = drawn.length === 0 || refused.length > 0
  const complaint = told ? `${task.name} was offered to ${[...drawn, ...refused].join(', ') || 'nobody'}` : undefined
  return { drawn, dropped, complaint }
}

/** Offers a task whose post is vacant to its substitutes; returns them. */
async function fillIn(
  context: Offering,
  task: TaskRow,
  drawn: readonly string[],
  { before, barred }: { before: readonly string[]; barred: readonly string[] },
): Promise<string[]> {
  const { trx } = context
  const now = new Map<string, string>()
  const units = (context.units ??= await readUnits(trx))
  for (const principal of drawn)
    for (const next of units.standIns(principal))
      if (await isHeld(trx, [next], barred)) {
        now.set(next, principal)
        break
      }
  await standDown(
    context,
    task,
    before.filter((one) => !now.has(one)),
  )
  await addCandidates(
    trx,
    [...now].map(([principal, standsInFor]) => ({ task: task.id, principal, standsInFor })),
  )
  const names = (some: Iterable<string>) => [...some].map((one) => units.named(one)).join('; ')
  const instead = now.size === 0 ? 'nobody stands in' : `${names(now.keys())} stands in`
  const who = barred.length > 0 && (await isHeld(trx, drawn)) ? 'nobody else' : 'nobody'
  await notifyOperators(context, vacancy(task.id), task, `${who} holds ${names(drawn)}: ${task.name} waits, ${instead}`)
  return [...now.keys()]
}

/** Withdraws the offer from substitutes. */
async function standDown({ trx, principals }: Offering, task: TaskRow, before: readonly string[]): Promise<string[]> {
  for (const principal of before) principals.add(principal)
  await removeCandidates(
    trx,
    before.map((principal) => ({ task: task.id, principal })),
  )
  return []
}

async function takeBack(
  { trx, principals, released }: Offering,
  task: TaskRow,
  offered: readonly string[],
): Promise<void> {
  const holder = known(task.assignee_id, 'the assignee of a held task')
  // A colleague asked for an opinion holds the task by the right of the person who asks.
  const owner = task.delegated_by ?? holder
  const person = await findPerson(trx, owner)
  const right = person && rightOn(person, { ...task, assignee_id: owner }, offered)
  if (right && (right.standsFor?.id ?? null) === task.held_for) return
  if (!(await markTaskReleased(trx, task.id, holder))) return
  released.push(task.id)
  for (const one of [holder, owner, ...(task.held_for === null ? [] : [task.held_for])]) principals.add(`user:${one}`)
  await audit(trx).record({
    actor: 'system:access',
    action: 'task.released',
    caseId: task.case_id,
    object: `task:${task.id}`,
    payload: { task: task.name, desk: task.desk, from: holder, reason: 'no longer offered to whoever held it' },
  })
}

async function notifyOperators(
  { trx }: Offering,
  id: string,
  { case_id: caseId, desk }: TaskRow,
  message: string,
): Promise<void> {
  await incidentRepository(trx).openIncident({ id, caseId, kind: 'task-nobody-can-see', element: desk, message })
}

function touchTasks({ touched }: Offering, ...some: string[]) {
  return some.forEach((task) => touched.add(task))
}

function touchedTasks({ touched }: Offering) {
  return [...touched]
}

/** The tasks that were taken back from their assignees. */
function releasedTasks({ released }: Offering) {
  return released
}

/** Pass each link only once. */
async function linkOffers({ trx, touched }: Offering, links: readonly Candidate[]): Promise<void> {
  for (const { task } of links) touched.add(task)
  await addCandidates(trx, links)
}

/** Pass each link only once. */
async function unlinkOffers({ trx, touched, principals }: Offering, links: readonly Candidate[]): Promise<void> {
  for (const { task, principal } of links) {
    touched.add(task)
    principals.add(principal)
  }
  await removeCandidates(trx, links)
}

/** Call it before tasks end, because their links go with them. */
async function endOffers({ trx, touched, principals }: Offering, ended: readonly string[]): Promise<void> {
  if (ended.length === 0) return
  for (const task of ended) touched.add(task)
  for (const { principal } of await listCandidates(trx, ended)) principals.add(principal)
  await incidentRepository(trx).resolveIncident(...ended.flatMap((task) => [refusals(task), vacancy(task)]))
}

/** Checks the touched tasks and rewrites their inbox rows; returns the principals whose inbox changes. */
async function settleOffers(context: Offering): Promise<string[]> {
  const { trx, touched, principals } = context
  if (touched.size === 0) return [...principals]
  await checkOffers(context, [...touched])
  await refreshInbox(trx, [...touched])
  for (const { principal } of await listCandidates(trx, [...touched])) principals.add(principal)
  principals.add(everything)
  return [...principals]
}

/**
 * Maintains the candidates of tasks. Links may arrive before their task and are deleted with it; principals that the
 * desk may not be offered to are removed. A task that nobody can see becomes an incident. If a post is vacant, or all
 * its holders are barred from the case, its substitutes are offered the task too. An assignee who is no longer offered
 * a task loses it.
 */
export function taskOffers(trx: Transaction<DB>, { definitions, roles }: OfferDependencies) {
  const context: Offering = { trx, definitions, roles, touched: new Set(), principals: new Set(), released: [] }
  return bound(context, {
    touch: touchTasks,
    touched: touchedTasks,
    released: releasedTasks,
    link: linkOffers,
    unlink: unlinkOffers,
    ends: endOffers,
    settle: settleOffers,
  })
}
