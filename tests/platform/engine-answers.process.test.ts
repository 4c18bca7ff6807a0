import { randomUUID } from 'node:crypto'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Operaton, operaton } from '../../api/platform/kernel/engine/operaton/operaton.ts'
import type { EngineRefusal } from '../../api/platform/kernel/engine/port.ts'
import { engineOf } from './fixtures/harnesses.ts'
import { type EngineDoubles, anInstance, asOperator, engineDoubles } from './fixtures/instances.ts'
import { stack } from './kit/stack.ts'

let engine: Operaton
let of: EngineDoubles

beforeAll(async () => {
  engine = engineOf(stack())
  of = await engineDoubles(engine)
})

// Without a user: the engine would check whether the person belongs to the tenant of these definitions.
const command = () => ({ commandId: randomUUID(), user: '' })
const refused = (reason: EngineRefusal['reason']) => expect.objectContaining({ name: 'EngineRefusal', reason })
const fault = (maybe: boolean) => expect.objectContaining({ name: 'EngineFault', maybe })

test('a completed task is gone for the next caller', async () => {
  const { taskId } = await anInstance(engine, of.desk)
  await engine.complete({ ...command(), taskId, variables: {} })
  await expect(engine.complete({ ...command(), taskId, variables: {} })).rejects.toEqual(refused('task-gone'))
})

test('an unknown task is gone, too', async () => {
  await expect(engine.complete({ ...command(), taskId: randomUUID(), variables: {} })).rejects.toEqual(
    refused('task-gone'),
  )
})

test('of four who complete a task at once, one succeeds; the others learn it when they ask again', async () => {
  const { taskId, instanceId } = await anInstance(engine, of.desk)
  const complete = () => engine.complete({ ...command(), taskId, variables: {} })
  const all = await Promise.allSettled([complete(), complete(), complete(), complete()])
  // The losers of the race read partial results of the winner, and get various answers.
  for (const one of all) if (one.status === 'rejected') expect(one.reason.name).toMatch(/^Engine(Fault|Refusal)$/)
  expect(all.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  await expect(complete()).rejects.toEqual(refused('task-gone'))
  expect((await engine.state(instanceId)).end).not.toBeNull()
})

test('an executed command is not executed again, and its repetition is uncertain', async () => {
  const once = command()
  const { instanceId } = await engine.start({ ...once, definitionId: of.desk, caseId: randomUUID(), variables: {} })
  const again = engine.start({ ...once, definitionId: of.desk, caseId: randomUUID(), variables: {} })
  await expect(again).rejects.toEqual(fault(true))
  expect((await engine.state(instanceId)).end).toBeNull()
})

test('an unknown definition cannot be started or read', async () => {
  const start = engine.start({ ...command(), definitionId: 'nowhere:1:1', caseId: randomUUID(), variables: {} })
  await expect(start).rejects.toEqual(refused('unknown-definition'))
  await expect(engine.definitionXml('nowhere:1:1')).rejects.toEqual(refused('unknown-definition'))
})

test('a value that the engine cannot store is refused', async () => {
  const variables = { text: 'x'.repeat(5_000) }
  const start = engine.start({ ...command(), definitionId: of.desk, caseId: randomUUID(), variables })
  await expect(start).rejects.toEqual(refused('bad-variable'))
})

test('every kind of scalar arrives unchanged', async () => {
  const variables = { text: 'Sitār', small: 1, large: 5_000_000_000, part: 1.5, yes: true, nothing: null }
  const { instanceId } = await anInstance(engine, of.desk, variables)
  const found = await engine.variables(instanceId)
  expect(Object.fromEntries(found.map(({ name, value }) => [name, value]))).toEqual(variables)
})

test('a suspended case says so, for start and completion', async () => {
  const { taskId } = await anInstance(engine, of.paused)
  await asOperator(engine, 'PUT', `/process-definition/${of.paused}/suspended`, {
    suspended: true,
    includeProcessInstances: true,
  })
  await expect(engine.complete({ ...command(), taskId, variables: {} })).rejects.toEqual(refused('suspended'))
  const start = engine.start({ ...command(), definitionId: of.paused, caseId: randomUUID(), variables: {} })
  await expect(start).rejects.toEqual(refused('suspended'))
  await asOperator(engine, 'PUT', `/process-definition/${of.paused}/suspended`, {
    suspended: false,
    includeProcessInstances: true,
  })
  await engine.complete({ ...command(), taskId, variables: {} })
})

test('a message that nothing waits for is refused', async () => {
  const { instanceId } = await anInstance(engine, of.desk)
  const send = engine.correlate({ ...command(), instanceId, message: 'message_nobody', variables: {} })
  await expect(send).rejects.toEqual(refused('nothing-waits'))
})

test('an ended instance cannot be cancelled', async () => {
  const { instanceId } = await anInstance(engine, of.desk)
  await engine.cancel({ ...command(), instanceId, reason: 'test' })
  await expect(engine.cancel({ ...command(), instanceId, reason: 'test' })).rejects.toEqual(refused('instance-gone'))
  expect(await engine.state(instanceId)).toMatchObject({ end: { reason: 'canceled' }, tasks: [] })
  await expect(engine.state(randomUUID())).rejects.toEqual(refused('instance-gone'))
})

test('a model that is not BPMN is refused', async () => {
  const broken = engine.deploy({ name: 'broken', resources: [{ name: 'broken.bpmn', content: '<x' }] })
  await expect(broken).rejects.toEqual(refused('invalid-model'))
  const wrong = of.xml.replace('targetRef="userTask_decide"', 'targetRef="nowhere"')
  const invalid = engine.deploy({ name: 'invalid', resources: [{ name: 'invalid.bpmn', content: wrong }] })
  await expect(invalid).rejects.toEqual(refused('invalid-model'))
})

test('an external task that is gone, or that somebody else has, is refused', async () => {
  const { externalTaskId: id, workerId } = await anInstance(engine, of.step)
  const reports = (task: { id: string; workerId: string }) => [
    () => engine.completeExternalTask({ ...task, variables: {} }),
    () => engine.raiseExternalTaskError({ ...task, code: 'tests.error', message: 'test' }),
    () => engine.failExternalTask({ ...task, message: 'test', details: '', retries: 1, retryTimeout: 0 }),
    () => engine.extendExternalTaskLock({ ...task, duration: 1_000 }),
  ]
  for (const report of reports({ id, workerId: 'somebody-else' }))
    await expect(report()).rejects.toEqual(refused('wrong-worker'))
  for (const report of reports({ id: randomUUID(), workerId }))
    await expect(report()).rejects.toEqual(refused('external-task-gone'))
  await engine.completeExternalTask({ id, workerId, variables: { done: true } })
  for (const report of reports({ id, workerId })) await expect(report()).rejects.toEqual(refused('external-task-gone'))
})

test('an unreachable engine has certainly done nothing, nor has one that refuses the secret', async () => {
  const server = createServer()
  const url = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  const away = operaton({ url, secret: 'x' })
  await expect(away.complete({ ...command(), taskId: 't', variables: {} })).rejects.toEqual(fault(false))
  expect(await away.ready()).toBe(false)
  const stranger = operaton({ url: stack().engineUrl, secret: 'not the secret of this engine' })
  await expect(stranger.complete({ ...command(), taskId: 't', variables: {} })).rejects.toEqual(fault(false))
  expect(await stranger.ready()).toBe(false)
  expect(await engine.ready()).toBe(true)
})

// Answers that cannot be provoked: servers that return them.
const servers: Server[] = []
afterAll(() => servers.forEach((server) => server.close()))

async function answering(status: number, body: string): Promise<Operaton> {
  const server = createServer((_request, response) => response.writeHead(status).end(body))
  servers.push(server)
  return operaton({ url: await listening(server), secret: 'x' })
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  ['a lost race', 500, { code: 1 }, false],
  ['a deadlock', 500, { code: 10000 }, false],
  ['a foreign key', 500, { code: 10001 }, false],
  ['a torn read', 404, { message: "ENGINE-03077 Cannot resolve parent with id 'a' of execution 'b'" }, false],
  ['a database that is away', 500, { code: 0, message: 'Could not open JDBC Connection' }, true],
])('%s is a fault, so the command is sent again', async (_what, status, body, maybe) => {
  const double = await answering(status, JSON.stringify({ type: 'RestException', ...body }))
  await expect(double.complete({ ...command(), taskId: 't', variables: {} })).rejects.toEqual(fault(maybe))
  const report = double.completeExternalTask({ id: 't', workerId: 'w', variables: {} })
  await expect(report).rejects.toEqual(fault(maybe))
})

test('an answer that is not JSON, or too late, leaves the outcome uncertain', async () => {
  const proxy = await answering(502, '<html>bad gateway</html>')
  await expect(proxy.complete({ ...command(), taskId: 't', variables: {} })).rejects.toEqual(fault(true))
  const silent = createServer(() => undefined)
  servers.push(silent)
  const slow = operaton({ url: await listening(silent), secret: 'x', timeout: 100 })
  await expect(slow.complete({ ...command(), taskId: 't', variables: {} })).rejects.toEqual(fault(true))
  silent.closeAllConnections()
})
