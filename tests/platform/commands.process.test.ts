import { afterEach, beforeAll, expect, test } from '@jest/globals'
import { commandRepository } from '../../api/platform/work/rows/commands.ts'
import type { Operaton } from '../../api/platform/kernel/engine/operaton/operaton.ts'
import { EngineFault, EngineRefusal } from '../../api/platform/kernel/engine/port.ts'
import type { Person } from '../../api/platform/people/persons/person.ts'
import { asOperator } from './fixtures/instances.ts'
import { type Heart, aRequest, heart, people } from './fixtures/two-desks.ts'
import { until } from './kit/poll.ts'

const open: Heart[] = []
const killed: Heart[] = []
let who: Awaited<ReturnType<typeof people>>

beforeAll(async () => {
  const one = await heart()
  who = await people(one)
  await one.close()
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  for (const one of killed.splice(0)) await one.database.close()
})

/** A working node: its feed and its relay run. */
async function node(over?: (engine: Operaton) => Operaton): Promise<Heart> {
  const one = await heart(over && { over })
  one.feed.start()
  one.jobs.start()
  open.push(one)
  return one
}

/** A node that handles a request and then nothing more: as if killed at that point. */
async function dyingNode(over: (engine: Operaton) => Operaton): Promise<Heart> {
  const one = await heart({ over })
  killed.push(one)
  return one
}

const never = () => new Promise<never>(() => undefined)
const lost = (): never => {
  throw new EngineFault('the answer was lost', { maybe: true })
}
const away = (): never => {
  throw new EngineFault('nobody listens', { maybe: false })
}

async function commandOf(one: Heart, caseId: string, kind: string) {
  return one.db
    .selectFrom('command')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
}

async function instancesOf(one: Heart, caseId: string): Promise<number> {
  const { count } = (await asOperator(one.engine, 'POST', '/history/process-instance/count', {
    processInstanceBusinessKey: caseId,
  })) as { count: number }
  return count
}

/** A person's case with an open task at the head's desk. */
async function aCase(one: Heart) {
  const { case: begun } = await one.cases.submit(who.requester, aRequest(who.department))
  return { id: begun.id, reference: begun.reference, task: await openTask(one, who.head, begun.reference) }
}

function openTask(one: Heart, person: Person, reference: string) {
  return until(`a task of ${reference}`, async () => (await one.tasks.list(person, { search: reference })).items[0])
}

function ended(one: Heart, id: string, kind: string, state = 'done') {
  return until(`the ${kind} is ${state}`, async () => (await commandOf(one, id, kind)).state === state)
}

/** Makes a command due now instead of ten seconds after its request. */
async function hurry(one: Heart, commandId: string): Promise<void> {
  await commandRepository(one.db).schedule(commandId, { inSeconds: 0 })
}

test('a start whose answer is lost has taken effect once, and its sender finds out', async () => {
  const one = await node((engine) => ({ ...engine, start: async (given) => (await engine.start(given), lost()) }))
  const { case: begun } = await one.cases.submit(who.requester, aRequest(who.department))
  expect((await commandOf(one, begun.id, 'start')).state).toBe('done')
  await until('the case runs', async () => (await one.cases.get(who.requester, begun.id)).state === 'running')
  expect(await instancesOf(one, begun.id)).toBe(1)
})

test('a process killed between commit and engine: another one sends the command', async () => {
  const dying = await dyingNode((engine) => ({ ...engine, start: never }))
  const request = aRequest(who.department)
  const { case: begun } = await dying.cases.submit(who.requester, request)
  expect(begun.state).toBe('starting')
  const one = await node()
  expect(await instancesOf(one, begun.id)).toBe(0)
  await until('the case runs', async () => (await one.cases.get(who.requester, begun.id)).state === 'running')
  expect(await instancesOf(one, begun.id)).toBe(1)
})

test('a process killed after the answer of the engine, before recording it: nothing happens twice', async () => {
  const one = await node()
  const begun = await aCase(one)
  const dying = await dyingNode((engine) => ({
    ...engine,
    complete: async (given) => (await engine.complete(given), never()),
  }))
  const { state } = await dying.tasks.complete(who.head, begun.task.id, { data: { outcome: 'approve' } })
  expect(state).toBe('accepted')
  await hurry(one, (await commandOf(one, begun.id, 'complete')).id)
  await ended(one, begun.id, 'complete')
  await openTask(one, who.registrar, begun.reference)
  const view = await one.cases.get(who.requester, begun.id)
  expect(view.submissions.map(({ effect }) => effect)).toEqual(['done', 'done'])
  expect(view.waitsWith).toHaveLength(1)
})

test('while the engine is unavailable a submission is kept, and takes effect afterwards', async () => {
  let back = false
  const one = await node((engine) => ({ ...engine, start: (given) => (back ? engine.start(given) : away()) }))
  const { case: begun } = await one.cases.submit(who.requester, aRequest(who.department))
  expect(begun).toMatchObject({ state: 'starting', status: { key: 'asked' } })
  back = true
  await hurry(one, (await commandOf(one, begun.id, 'start')).id)
  await openTask(one, who.head, begun.reference)
})

test('a decision while the engine is unavailable is accepted, and done afterwards', async () => {
  let back = false
  const one = await node((engine) => ({
    ...engine,
    complete: async (given) => (back ? engine.complete(given) : away()),
  }))
  const begun = await aCase(one)
  const { state } = await one.tasks.complete(who.head, begun.task.id, { data: { outcome: 'approve' } })
  expect(state).toBe('accepted')
  expect((await one.tasks.list(who.head, { search: begun.reference })).items).toEqual([])
  const again = one.tasks.complete(who.head, begun.task.id, { data: { outcome: 'reject' } })
  await expect(again).rejects.toMatchObject({ code: 'platform.task-decided', values: { name: who.head.name } })
  back = true
  await hurry(one, (await commandOf(one, begun.id, 'complete')).id)
  await openTask(one, who.registrar, begun.reference)
})

test('four processes that send one command at once execute it once', async () => {
  const one = await node()
  const begun = await aCase(one)
  const quiet = await dyingNode((engine) => ({ ...engine, complete: never }))
  await quiet.tasks.complete(who.head, begun.task.id, { data: { outcome: 'approve' } })
  const { id } = await commandOf(one, begun.id, 'complete')
  const others = [await node(), await node(), await node()]
  await Promise.all([one, ...others].map((each) => each.sender.deliver({ id })))
  await ended(one, begun.id, 'complete')
  await openTask(one, who.registrar, begun.reference)
  expect((await one.cases.get(who.requester, begun.id)).waitsWith).toHaveLength(1)
})

test('a decision after the deadline has no effect, and its author is notified', async () => {
  const one = await node((engine) => ({
    ...engine,
    async complete(given) {
      const instance = await one.db
        .selectFrom('flow_case')
        .select('process_instance_id')
        .where('id', '=', begun.id)
        .executeTakeFirstOrThrow()
      const jobs = (await asOperator(engine, 'GET', `/job?processInstanceId=${instance.process_instance_id}`)) as {
        id: string
      }[]
      await asOperator(engine, 'POST', `/job/${jobs[0]!.id}/execute`)
      return engine.complete(given)
    },
  }))
  const begun = await aCase(one)
  const late = one.tasks.complete(who.head, begun.task.id, { data: { outcome: 'approve' } })
  await expect(late).rejects.toMatchObject({ code: 'platform.task-gone' })
  await until('the case ended', async () => (await one.cases.get(who.requester, begun.id)).state === 'ended')
  const view = await one.cases.get(who.requester, begun.id)
  expect(view.status.key).toBe('expired')
  expect(view.submissions.at(-1)).toMatchObject({ outcome: 'approve', effect: 'void', voidReason: 'task-gone' })
  const told = await one.db
    .selectFrom('mail')
    .select(['recipient', 'template'])
    .where('case_id', '=', begun.id)
    .execute()
  expect(told).toEqual([{ recipient: who.head.email, template: 'platform.mail.decision-without-effect' }])
  const history = await one.cases.history(who.requester, begun.id)
  expect(history.map(({ kind }) => kind)).toContain('incident')
})

test('a decision that the engine refuses while it still has the task reopens the task', async () => {
  let refuses = true
  const one = await node((engine) => ({
    ...engine,
    complete: async (given) => {
      if (refuses) throw new EngineRefusal('bad-variable', 'test')
      return engine.complete(given)
    },
  }))
  const begun = await aCase(one)
  await one.tasks.claim(who.head, begun.task.id)
  const decision = one.tasks.complete(who.head, begun.task.id, { data: { outcome: 'approve' } })
  await expect(decision).rejects.toMatchObject({ code: 'platform.task-held' })
  const [mine] = (await one.tasks.list(who.head, { queue: 'mine', search: begun.reference })).items
  expect(mine).toMatchObject({ id: begun.task.id, state: 'held' })
  refuses = false
  await one.tasks.complete(who.head, begun.task.id, { data: { outcome: 'approve' } })
  await openTask(one, who.registrar, begun.reference)
})

test('commands to a suspended case wait instead of failing', async () => {
  const one = await node()
  const begun = await aCase(one)
  const instance = await one.db
    .selectFrom('flow_case')
    .select('process_instance_id')
    .where('id', '=', begun.id)
    .executeTakeFirstOrThrow()
  const pause = (suspended: boolean) =>
    asOperator(one.engine, 'PUT', `/process-instance/${instance.process_instance_id}/suspended`, { suspended })
  await pause(true)
  const { state } = await one.tasks.complete(who.head, begun.task.id, { data: { outcome: 'approve' } })
  expect(state).toBe('accepted')
  await pause(false)
  await hurry(one, (await commandOf(one, begun.id, 'complete')).id)
  await openTask(one, who.registrar, begun.reference)
})

test('a start that is refused permanently releases what the case had taken', async () => {
  const one = await node((engine) => ({
    ...engine,
    start: async () => {
      throw new EngineRefusal('unknown-definition', 'test')
    },
  }))
  const request = aRequest(who.department)
  const { case: begun } = await one.cases.submit(who.requester, request)
  expect(begun).toMatchObject({ state: 'failed', endReason: 'unknown-definition' })
  expect(begun.submissions[0]).toMatchObject({ effect: 'void', voidReason: 'unknown-definition' })
  const healthy = await node()
  const { case: other } = await healthy.cases.submit(who.requester, request)
  expect(other.state).not.toBe('failed')
})

test('commands that wait for a start are dropped when it is refused permanently', async () => {
  const dying = await dyingNode((engine) => ({ ...engine, start: never }))
  const { case: begun } = await dying.cases.submit(who.requester, aRequest(who.department))
  const one = await dyingNode((engine) => ({
    ...engine,
    start: async () => {
      throw new EngineRefusal('unknown-definition', 'test')
    },
  }))
  const waiting = await one.db.transaction().execute((trx) =>
    commandRepository(trx).add({
      kind: 'cancel',
      caseId: begun.id,
      actingUser: who.admin.id,
      payload: { reason: 'test' },
    }),
  )
  expect(await one.sender.deliver({ id: (await commandOf(one, begun.id, 'start')).id })).toBe('refused')
  expect(await commandRepository(one.db).stateOf(waiting)).toBe('cancelled')
})

test('a command waits for the start of its case, and for nothing of other cases', async () => {
  const dying = await dyingNode((engine) => ({ ...engine, start: never }))
  const { case: begun } = await dying.cases.submit(who.requester, aRequest(who.department))
  const one = await node()
  const commands = commandRepository(one.db)
  const cancel = await one.db.transaction().execute((trx) =>
    commandRepository(trx).add({
      kind: 'cancel',
      caseId: begun.id,
      actingUser: who.admin.id,
      payload: { reason: 'test' },
    }),
  )
  expect(await commands.begin(cancel)).toBeUndefined()
  await aCase(one)
  await hurry(one, (await commandOf(one, begun.id, 'start')).id)
  await ended(one, begun.id, 'cancel')
  await until('the case is over', async () => (await one.cases.get(who.requester, begun.id)).endReason === 'canceled')
})

test('a delayed decision can be undone until it is sent, or sent at once', async () => {
  const one = await node()
  const begun = await aCase(one)
  const soon = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
  const decide = (notBefore: string) =>
    one.tasks.complete(who.head, begun.task.id, { data: { outcome: 'approve' }, notBefore })
  await expect(decide(soon(3_600))).rejects.toMatchObject({ fields: [{ code: 'platform.delay-too-long' }] })
  expect(await decide(soon(30))).toMatchObject({ state: 'accepted' })
  expect(await one.tasks.undo(who.head, begun.task.id)).toMatchObject({ state: 'open' })
  expect(await decide(soon(58))).toMatchObject({ state: 'accepted' })
  await expect(one.tasks.send(who.registrar, begun.task.id)).rejects.toMatchObject({
    code: expect.stringMatching(/^platform\./),
  })
  const asked = Date.now()
  expect(await one.tasks.send(who.head, begun.task.id)).toMatchObject({ state: 'accepted' })
  // Within less than its delay.
  await openTask(one, who.registrar, begun.reference)
  expect(Date.now() - asked).toBeLessThan(45_000)
  // A second press changes nothing.
  expect(await one.tasks.send(who.head, begun.task.id)).toMatchObject({ state: 'done' })
  await expect(one.tasks.undo(who.head, begun.task.id)).rejects.toMatchObject({
    code: expect.stringMatching(/^platform\./),
  })
  const { submissions } = await one.cases.get(who.requester, begun.id)
  expect(submissions.map(({ effect, voidReason }) => voidReason ?? effect)).toEqual(['done', 'undone', 'done'])
})
