import type { Transaction } from 'kysely'
import { type Units, readUnits } from '../access/units.ts'
import { audit } from '../audit/audit.ts'
import { caseRepository } from '../cases/repository.ts'
import type { DB } from '../db/database.generated.ts'
import type { Definitions } from '../flows/definitions.ts'
import { accounts } from '../identity/accounts.ts'
import { everything } from '../inbox/refresh.ts'
import { rightOn } from '../tasks/permission.ts'
import { barredFrom } from '../tasks/four-eyes.ts'
import { type TaskRow, taskRepository } from '../tasks/repository.ts'
import { isAbsent, isHeld, objection } from './principals.ts'

export interface OfferDependencies {
  definitions: Definitions
  roles: ReadonlySet<string>
}

/**
 * Keeps whom the tasks of a case are offered to. Links come before their task and go with it; what may not be offered is
 * refused. A task that nobody can see becomes an incident, and while a post is vacant, or held only by who may not decide
 * this very case, whoever stands in is offered its tasks as well. Who holds a task without being offered it any more gives it back.
 */
export function taskOffers(trx: Transaction<DB>, caseId: string, { definitions, roles }: OfferDependencies) {
  const cases = caseRepository(trx)
  const tasks = taskRepository(trx)
  const touched = new Set<string>()
  const principals = new Set<string>()
  const released: string[] = []
  let units: Units | undefined
  const refusals = (task: string) => `unseen:${task}`
  const vacancy = (task: string) => `vacant:${task}`

  async function check(id: string): Promise<void> {
    const task = await tasks.find(id)
    if (task?.state !== 'open' && task?.state !== 'held') return
    const rows = await tasks.listCandidates([id])
    const drawn = await dropRefused(
      task,
      rows.filter((row) => row.stands_in_for === null).map(({ principal }) => principal),
    )
    const standing = await fillIn(
      task,
      drawn,
      rows.filter((row) => row.stands_in_for !== null).map(({ principal }) => principal),
    )
    if (task.state === 'held') await takeBack(task, [...drawn, ...standing])
  }

  /** Drops what the desk of a task may not be offered to. */
  async function dropRefused(task: TaskRow, offered: readonly string[]): Promise<string[]> {
    const drawnFor = (await definitions.find(task.process_definition_id))?.diagram.desks.get(task.desk)?.roles ?? []
    const left: string[] = []
    const refused: string[] = []
    const absent: string[] = []
    for (const principal of offered) {
      const reason = objection(principal, roles, drawnFor)
      if (!reason) {
        left.push(principal)
        continue
      }
      const list = isAbsent(principal, drawnFor) ? absent : refused
      list.push(`"${principal}" (${reason})`)
      await tasks.removeCandidate(task.id, principal)
    }
    // A desk may be drawn for units of which a case has only one; without any it is nobody's.
    if (left.length === 0) refused.push(...absent)
    if (left.length === 0 || refused.length > 0) {
      const message = `${task.name} was offered to ${[...left, ...refused].join(', ') || 'nobody'}`
      await tell(refusals(task.id), task, message)
    }
    return left
  }

  /** Offers the task to whoever stands in while nobody holds what it is drawn for; answers who that is. */
  async function fillIn(task: TaskRow, drawn: readonly string[], before: readonly string[]): Promise<string[]> {
    const barred = await barredFrom(trx, definitions, task)
    const vacant = drawn.length > 0 && !(await isHeld(trx, drawn, barred))
    const now = new Map<string, string>()
    if (vacant) {
      units ??= await readUnits(trx)
      for (const principal of drawn)
        for (const next of units.standIns(principal))
          if (await isHeld(trx, [next], barred)) {
            now.set(next, principal)
            break
          }
    }
    for (const principal of before.filter((one) => !now.has(one))) {
      principals.add(principal)
      await tasks.removeCandidate(task.id, principal)
    }
    for (const [principal, vacancyOf] of now) await tasks.addCandidate(task.id, principal, vacancyOf)
    if (vacant) {
      const names = (some: Iterable<string>) => [...some].map((one) => units!.named(one)).join('; ')
      const instead = now.size === 0 ? 'nobody stands in' : `${names(now.keys())} stands in`
      const who = barred.length > 0 && (await isHeld(trx, drawn)) ? 'nobody else' : 'nobody'
      await tell(vacancy(task.id), task, `${who} holds ${names(drawn)}: ${task.name} waits, ${instead}`)
    } else await cases.resolveIncident(vacancy(task.id))
    return [...now.keys()]
  }

  async function takeBack(task: TaskRow, offered: readonly string[]): Promise<void> {
    const holder = task.assignee_id!
    // Whoever is asked for an opinion has it by the right of whoever asks.
    const owner = task.delegated_by ?? holder
    const person = await accounts(trx).findPerson(owner)
    const right = person && rightOn(person, { ...task, assignee_id: owner }, offered)
    if (right && (right.standsFor?.id ?? null) === task.held_for) return
    if (!(await tasks.release(task.id, holder))) return
    released.push(task.id)
    for (const one of [holder, owner, ...(task.held_for === null ? [] : [task.held_for])]) principals.add(`user:${one}`)
    await audit(trx).record({
      actor: 'system:access',
      action: 'task.released',
      caseId,
      object: `task:${task.id}`,
      payload: { task: task.name, desk: task.desk, from: holder, reason: 'no longer offered to whoever held it' },
    })
  }

  async function tell(id: string, { desk }: TaskRow, message: string): Promise<void> {
    await cases.openIncident({ id, caseId, kind: 'task-nobody-can-see', element: desk, message })
  }

  return {
    touch: (task: string) => void touched.add(task),
    touched: () => [...touched],
    /** The tasks that were taken back from whoever held them. */
    released: () => released,

    async offer(task: string, principal: string): Promise<void> {
      touched.add(task)
      await tasks.addCandidate(task, principal)
    },

    async withdraw(task: string, principal: string): Promise<void> {
      touched.add(task)
      principals.add(principal)
      await tasks.removeCandidate(task, principal)
    },

    /** Called before a task ends, because then its links are gone. */
    async ends(task: string): Promise<void> {
      touched.add(task)
      for (const { principal } of await tasks.listCandidates([task])) principals.add(principal)
      await cases.resolveIncident(refusals(task))
      await cases.resolveIncident(vacancy(task))
    },

    /** Checks what was touched and writes its inbox anew; answers whose inbox that is. */
    async settle(): Promise<string[]> {
      for (const task of touched) await check(task)
      await tasks.refreshInbox([...touched])
      for (const { principal } of await tasks.listCandidates([...touched])) principals.add(principal)
      if (touched.size > 0) principals.add(everything)
      return [...principals]
    },
  }
}
