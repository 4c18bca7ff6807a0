import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import Type from 'typebox'
import { type Database, connect } from '../../api/platform/kernel/db/database.ts'
import type { Operaton } from '../../api/platform/kernel/engine/operaton/operaton.ts'
import { EngineFault } from '../../api/platform/kernel/engine/port.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { type AnyWorker, type WorkerContext, worker } from '../../workers/platform/worker.ts'
import { type StartedCase, WITHDRAW, aHarness, engineOf, fixture } from './fixtures/harnesses.ts'
import { until } from './kit/poll.ts'
import { stack } from './kit/stack.ts'

let database: Database
let engine: Operaton
let start: Awaited<ReturnType<typeof fixture>>['start']
let made: Awaited<ReturnType<typeof fixture>>
const running: ReturnType<typeof aHarness>[] = []
const closing: (() => void)[] = []

beforeAll(async () => {
  database = connect(stack().databaseUrl, { name: 'worker-harness-test', max: 20 })
  engine = engineOf(stack())
  made = await fixture(database.db, engine)
  start = made.start
})
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  await Promise.all(running.splice(0).map((one) => one.harness.drain()))
})
afterAll(() => database.close())

/** Starts a harness that is drained after the test. */
function work(workers: Record<string, AnyWorker>, more: Parameters<typeof aHarness>[3] = {}, over: Operaton = engine) {
  const one = aHarness(database.db, over, workers, more)
  running.push(one)
  one.harness.start()
  return one
}

/** A worker with a countable effect that then does what the test wants. */
function counted(then: (context: WorkerContext<unknown>) => unknown = () => undefined, raises: string[] = []) {
  const runs: WorkerContext<unknown>[] = []
  const definition = worker({
    input: Type.Object({}),
    output: Type.Object({}),
    raises,
    async run(context) {
      runs.push(context)
      await context.numbers.next(context.case.id, 'effects')
      await then(context)
      return {}
    },
  })
  return { definition, runs }
}

/** How often a counting worker took effect for a case. */
async function effects({ id }: StartedCase): Promise<number> {
  const row = await database.db.selectFrom('number_series').select('last').where('series', '=', id).executeTakeFirst()
  return Number(row?.last ?? 0)
}

function ended(of: StartedCase, reason: string): Promise<unknown> {
  return until(`the case ends at ${reason}`, async () => (await engine.state(of.instanceId)).end?.reason === reason)
}

function runOf({ id }: StartedCase) {
  return database.db.selectFrom('worker_run').selectAll().where('case_id', '=', id).execute()
}

interface ExternalTask {
  id: string
  topicName: string
  retries: number | null
  workerId: string | null
  lockExpirationTime: string | null
}

async function externalTask(of: StartedCase): Promise<ExternalTask | undefined> {
  const path = `/external-task?processInstanceId=${of.instanceId}`
  const response = await fetch(engine.baseUrl + path, { headers: engine.headers })
  return ((await response.json()) as ExternalTask[])[0]
}

/** Opens once; waiting callers then continue. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/** A proxy in front of the engine that may change a request's handling. */
async function before(
  handle: (pass: (spoil?: string) => void, incoming: IncomingMessage, outgoing: ServerResponse) => void,
) {
  const server = createServer((incoming, outgoing) => {
    const pass = (contentType?: string) => {
      const { method, url, headers } = incoming
      const onward = request(`${stack().engineUrl}${url}`, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, {
          ...answer.headers,
          ...(contentType && { 'content-type': contentType }),
        })
        answer.pipe(outgoing)
      })
      onward.on('error', () => outgoing.destroy())
      incoming.pipe(onward)
    }
    handle(pass, incoming, outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/engine-rest`
}

test('a worker gets exactly the variables that its schema names, and the engine exactly its outputs', async () => {
  const begun = await start()
  const seen: unknown[] = []
  const copying = worker({
    input: Type.Object({ given: Type.String(), caseId: Type.String(), absent: Type.Optional(Type.String()) }),
    output: Type.Object({ answer: Type.Integer() }),
    async run({ variables, submission, case: found }) {
      seen.push(variables, submission, found.id)
      return { answer: 42, more: 'not named' }
    },
  })
  work({ [begun.topic]: copying })
  await ended(begun, 'endEvent_done')
  expect(seen).toEqual([{ given: 'by the diagram', caseId: begun.id }, { wish: 'a hall' }, begun.id])
  const variables = await engine.variables(begun.instanceId)
  expect(variables.find(({ name }) => name === 'answer')).toEqual({ name: 'answer', type: 'Integer', value: 42 })
  expect(variables.map(({ name }) => name)).not.toContain('more')
  const [run] = await runOf(begun)
  expect(run).toMatchObject({
    outcome: 'completed',
    output: { answer: 42 },
    orphaned: false,
    reported_at: expect.any(Date),
  })
})

test('a task without its worker’s required variables is an incident at once, and nothing is run', async () => {
  const begun = await start()
  let runs = 0
  const demanding = worker({
    input: Type.Object({ amount: Type.Integer() }),
    output: Type.Object({}),
    run: async () => ({ ...(++runs && {}) }),
  })
  work({ [begun.topic]: demanding }, { retryDelays: [60_000] })
  await until('an incident', async () => (await engine.state(begun.instanceId)).incidents.length === 1)
  const { incidents } = await engine.state(begun.instanceId)
  expect(incidents[0]!.message).toMatch(/amount/)
  expect(runs).toBe(0)
})

test('a worker that throws is retried, then becomes an incident; its effects are rolled back each time', async () => {
  const begun = await start()
  const { definition, runs } = counted(() => {
    throw new Error('a hidden defect')
  })
  work({ [begun.topic]: definition })
  await until('an incident', async () => (await engine.state(begun.instanceId)).incidents.length === 1)
  expect((await externalTask(begun))!.retries).toBe(0)
  expect(runs).toHaveLength(3)
  expect(await effects(begun)).toBe(0)
  expect(await runOf(begun)).toEqual([])
})

test('a business error rolls back the effects and takes the boundary event of the diagram', async () => {
  const begun = await start()
  const { definition, runs } = counted(() => {
    throw new BusinessError('fixture.taken', { resource: 'the hall' })
  }, ['fixture.taken'])
  work({ [begun.topic]: definition })
  await until('the boundary event', async () => {
    const { activities } = await engine.state(begun.instanceId)
    return activities.some(({ element }) => element === 'endEvent_taken')
  })
  await ended(begun, 'endEvent_done')
  expect(runs).toHaveLength(1)
  expect(await effects(begun)).toBe(0)
  await until('the report is noted', async () => (await runOf(begun))[0]?.reported_at)
  expect(await runOf(begun)).toMatchObject([{ outcome: 'business-error', error_code: 'fixture.taken' }])
})

test('a business error that the worker does not declare is a fault, because the diagram would end silently', async () => {
  const begun = await start()
  const { definition } = counted(() => {
    throw new BusinessError('fixture.undeclared')
  })
  work({ [begun.topic]: definition }, { retryDelays: [] })
  await until('an incident', async () => (await engine.state(begun.instanceId)).incidents.length === 1)
  expect((await engine.state(begun.instanceId)).end).toBeNull()
})

test('an answer of the wrong content type is a fault, and no byte of it is run as a task', async () => {
  const begun = await start()
  const { definition, runs } = counted()
  const baseUrl = await before((pass) => pass('application/json; charset=utf-8'))
  const spoiled = work({ [begun.topic]: definition }, { baseUrl, lockDuration: 60_000 })
  await until('the engine has handed the task out', async () => (await externalTask(begun))?.workerId)
  await until('the fault is logged', async () => spoiled.saw('not JSON'))
  expect(spoiled.harness.healthy()).toBe(false)
  expect(runs).toEqual([])
  expect(spoiled.saw('was not a task')).toBe(false)
})

test('an unavailable engine is asked at growing intervals, and again as soon as it is back', async () => {
  const begun = await start()
  const { definition } = counted()
  const times: number[] = []
  let away = true
  const baseUrl = await before((pass, incoming, outgoing) => {
    if (incoming.url!.endsWith('fetchAndLock')) times.push(Date.now())
    if (away) outgoing.destroy()
    else pass()
  })
  work({ [begun.topic]: definition }, { baseUrl })
  await until('four attempts', async () => times.length >= 4)
  expect(times[3]! - times[0]!).toBeGreaterThanOrEqual(200 + 400 + 800 - 50)
  away = false
  await ended(begun, 'endEvent_done')
})

test('the number of concurrent tasks stays within its limit', async () => {
  const topic = `fixture.${randomUUID()}`
  const begun = await Promise.all(Array.from({ length: 5 }, () => start(topic)))
  const slots = gate()
  let present = 0
  let most = 0
  const { definition } = counted(async () => {
    most = Math.max(most, ++present)
    await slots.opened
    present -= 1
  })
  work({ [topic]: definition }, { parallel: 2 })
  await until('both slots are taken', async () => present === 2)
  slots.open()
  for (const one of begun) await ended(one, 'endEvent_done')
  expect(most).toBe(2)
})

test('the lock is extended while a worker runs, so nobody else gets its task', async () => {
  const begun = await start()
  const long = gate()
  const first = counted(() => long.opened)
  const second = counted()
  work({ [begun.topic]: first.definition }, { lockDuration: 2_000, parallel: 1 })
  await until('the first runs', async () => first.runs.length === 1)
  const { workerId, lockExpirationTime } = (await externalTask(begun))!
  work({ [begun.topic]: second.definition })
  await until('the lock goes further than one lasts', async () => {
    return Date.parse((await externalTask(begun))!.lockExpirationTime!) > Date.parse(lockExpirationTime!) + 2_200
  })
  expect((await externalTask(begun))!.workerId).toBe(workerId)
  long.open()
  await ended(begun, 'endEvent_done')
  expect(second.runs).toEqual([])
  expect(await effects(begun)).toBe(1)
})

/** An engine that no lock extension reaches. */
function unable(): Operaton {
  return {
    ...engine,
    extendExternalTaskLock: () => Promise.reject(new EngineFault('lost on its way', { maybe: true })),
  }
}

test('an expired lock: a second worker waits for the first, then only reports; the effect happens once', async () => {
  const begun = await start()
  const slow = gate()
  const first = counted(() => slow.opened)
  const second = counted()
  const loser = work({ [begun.topic]: first.definition }, { lockDuration: 500, parallel: 1 }, unable())
  await until('the first runs', async () => first.runs.length === 1)
  const { workerId } = (await externalTask(begun))!
  work({ [begun.topic]: second.definition })
  await until('the second has the task', async () => ![workerId, null].includes((await externalTask(begun))!.workerId))
  slow.open()
  await ended(begun, 'endEvent_done')
  expect(await effects(begun)).toBe(1)
  expect(second.runs).toEqual([])
  // Either may report first; the loser finds the task gone or another's, and raises no alarm.
  await until('the first is told', async () => loser.saw('another worker has the task') || loser.saw('no longer has'))
  await until('the report is noted', async () => (await runOf(begun))[0]?.reported_at)
  expect(await runOf(begun)).toMatchObject([{ orphaned: false }])
})

test('an expired lock that the same worker process acquires again changes nothing', async () => {
  const begun = await start()
  const slow = gate()
  const { definition, runs } = counted(() => slow.opened)
  const one = work({ [begun.topic]: definition }, { lockDuration: 500, parallel: 2 }, unable())
  await until('it gets the task again', async () => one.saw('fetched again'))
  slow.open()
  await ended(begun, 'endEvent_done')
  expect(runs).toHaveLength(1)
  expect(await effects(begun)).toBe(1)
})

test('a delivery whose report never arrived is delivered again, and only reported', async () => {
  const begun = await start()
  const first = counted()
  const second = counted()
  const mute = {
    ...engine,
    completeExternalTask: () => Promise.reject(new EngineFault('lost on its way', { maybe: true })),
  }
  const loser = work({ [begun.topic]: first.definition }, {}, mute)
  await until('the first has given up', async () => loser.saw('the task failed'))
  await loser.harness.drain()
  work({ [begun.topic]: second.definition })
  await ended(begun, 'endEvent_done')
  expect(first.runs).toHaveLength(1)
  expect(second.runs).toEqual([])
  expect(await effects(begun)).toBe(1)
})

test('a report whose answer is lost has taken effect: no orphan, no second effect', async () => {
  const begun = await start()
  const { definition } = counted()
  let lost = 0
  const losing: Operaton = {
    ...engine,
    async completeExternalTask(task) {
      await engine.completeExternalTask(task)
      if (lost++ === 0) throw new EngineFault('the answer was lost', { maybe: true })
    },
  }
  const one = work({ [begun.topic]: definition }, {}, losing)
  await until('the doubt is settled', async () => one.saw('no longer has'))
  await until('the report is noted', async () => (await runOf(begun))[0]?.reported_at)
  expect(await runOf(begun)).toMatchObject([{ orphaned: false }])
  expect(await effects(begun)).toBe(1)
})

test('a task that the diagram ended after the commit leaves an orphaned effect, shown as an incident', async () => {
  const begun = await start()
  const { definition } = counted()
  const late: Operaton = {
    ...engine,
    async completeExternalTask(task) {
      await engine.correlate({ ...command(), instanceId: begun.instanceId, message: WITHDRAW, variables: {} })
      await engine.completeExternalTask(task)
    },
  }
  work({ [begun.topic]: definition }, {}, late)
  await until('the orphan is noted', async () => (await runOf(begun))[0]?.orphaned)
  const incidents = await database.db.selectFrom('incident').selectAll().where('case_id', '=', begun.id).execute()
  expect(incidents).toMatchObject([{ kind: 'orphaned-effect', element: 'serviceTask_work', resolved_at: null }])
})

test('a task that the diagram ends while its worker runs leaves no effect', async () => {
  const begun = await start()
  const slow = gate()
  const { definition, runs } = counted(() => slow.opened)
  const one = work({ [begun.topic]: definition }, { lockDuration: 600 })
  await until('the worker runs', async () => runs.length === 1)
  const withdrawal = { ...command(), instanceId: begun.instanceId, message: WITHDRAW, variables: {} }
  // It may lose a race with a lock extension; the sender of commands retries then.
  await until('the withdrawal is through', () =>
    engine.correlate(withdrawal).then(
      () => true,
      (fault: unknown) => {
        if (fault instanceof EngineFault && !fault.maybe) return false
        throw fault
      },
    ),
  )
  await until('the harness knows', async () => one.saw('the engine has ended the task'))
  slow.open()
  await until('the task is refused', async () => one.saw('the task was refused'))
  expect(await effects(begun)).toBe(0)
  expect(await runOf(begun)).toEqual([])
})

test('a drain waits until all running work is done and reported', async () => {
  const begun = await start()
  const slow = gate()
  const { definition, runs } = counted(() => slow.opened)
  const leaving = work({ [begun.topic]: definition })
  await until('the worker runs', async () => runs.length === 1)
  let over = false
  const drained = leaving.harness.drain().then(() => (over = true))
  // Tasks fetched from now on are returned, which shows that the last fetch is done, too.
  const late = await start(begun.topic)
  await until('the last fetch is through', async () => leaving.saw('given back'))
  expect(over).toBe(false)
  slow.open()
  await drained
  expect((await engine.state(begun.instanceId)).end).not.toBeNull()
  expect(await runOf(begun)).toMatchObject([{ reported_at: expect.any(Date) }])
  expect(await runOf(late)).toEqual([])
})

test('a drain takes nothing new: tasks of its last fetch are returned, and another has them at once', async () => {
  const begun = await start()
  const [asked, answer] = [gate(), gate()]
  const baseUrl = await before((pass) => {
    asked.open()
    void answer.opened.then(() => pass())
  })
  const mine = counted()
  const leaving = work({ [begun.topic]: mine.definition }, { baseUrl, lockDuration: 60_000 })
  await asked.opened
  const drained = leaving.harness.drain()
  answer.open()
  await drained
  expect(leaving.saw('given back')).toBe(true)
  const others = counted()
  work({ [begun.topic]: others.definition })
  await ended(begun, 'endEvent_done')
  expect(mine.runs).toEqual([])
  expect(others.runs).toHaveLength(1)
})

test('a worker process killed in the middle of a task: another does it, once', async () => {
  const begun = await start()
  const script = join(import.meta.dirname, 'fixtures/hanging-worker.ts')
  const child = spawn(process.execPath, [script, begun.topic], { stdio: ['ignore', 'pipe', 'inherit'] })
  const acted = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  expect(String(acted[0])).toBe('acted\n')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { definition, runs } = counted()
  work({ [begun.topic]: definition })
  await ended(begun, 'endEvent_done')
  expect(runs).toHaveLength(1)
  expect(await effects(begun)).toBe(1)
  const killed = await database.db
    .selectFrom('number_series')
    .select('last')
    .where('series', '=', begun.topic)
    .execute()
  expect(killed).toEqual([])
})

test('a withdrawn case is refused until the engine knows; then the withdrawal path runs', async () => {
  const begun = await start()
  const withdrawal = command()
  await database.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('flow_case')
      .set({ withdrawn_at: sql`now()` })
      .where('id', '=', begun.id)
      .execute()
    const payload = JSON.stringify({ message: WITHDRAW, variables: {} })
    const row = { id: withdrawal.commandId, case_id: begun.id, kind: 'correlate', payload, acting_user: made.requester }
    // Not pending, so that only this test sends it.
    await trx
      .insertInto('command')
      .values({ ...row, state: 'done' })
      .execute()
  })
  const ordinary = counted()
  const freeing = counted()
  const one = work({ [begun.topic]: ordinary.definition, [`${begun.topic}-after-withdrawal`]: freeing.definition })
  await until(
    'it is refused, twice',
    async () => one.logged.filter(({ msg }) => msg.includes('was refused')).length >= 2,
  )
  expect(await externalTask(begun)).toMatchObject({ topicName: begun.topic, retries: null })
  await engine.correlate({ ...withdrawal, instanceId: begun.instanceId, message: WITHDRAW, variables: {} })
  await ended(begun, 'endEvent_withdrawn')
  expect(ordinary.runs).toEqual([])
  expect(freeing.runs).toHaveLength(1)
  expect((await engine.state(begun.instanceId)).incidents).toEqual([])
})

test('tasks of a trial tenant are left alone', async () => {
  const topic = `fixture.${randomUUID()}`
  const { definition, runs } = counted()
  const [trial] = await engine.deploy({ name: 'trial', tenantId: `trial-${randomUUID()}`, resources: made.resources })
  const tried = await start(topic, { definitionId: trial!.id })
  const ordinary = await start(topic)
  work({ [topic]: definition })
  await ended(ordinary, 'endEvent_done')
  expect(runs.map((run) => run.case.id)).toEqual([ordinary.id])
  expect((await externalTask(tried))!.workerId).toBeNull()
})

function command() {
  return { commandId: randomUUID(), user: made.requester }
}
