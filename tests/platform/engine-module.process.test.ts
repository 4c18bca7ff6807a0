import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import pg from 'pg'
import { type Stack, startStack } from '../../api/platform/edge/supervisor/stack.ts'
import { until } from './kit/poll.ts'

// A separate engine without the API, so that nobody else reads the events that it writes.
let folder: string
let stack: Stack
let database: pg.Client

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prakriya-engine-'))
  chmodSync(folder, 0o755)
  const said: string[] = []
  stack = await startStack({
    parts: ['postgres', 'engine'],
    dataDir: join(folder, 'data'),
    port: 0,
    demo: false,
    ownerDatabaseUrl: undefined,
    engine: undefined,
    say: (line) => said.push(line),
  })
  database = new pg.Client({ connectionString: stack.status.ownerDatabaseUrl })
  await database.connect()
})

afterAll(async () => {
  await database.end()
  await stack.stop()
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  await database.query('delete from app.engine_event')
})

interface Call {
  user?: string
  tenants?: string
  command?: string
  body?: object | FormData
  secret?: string
}

async function call(method: string, path: string, { user, tenants, command, body, secret }: Call = {}) {
  const form = body instanceof FormData
  const response = await fetch(`${stack.status.engineUrl}${path}`, {
    method,
    headers: {
      'X-Gateway-Secret': secret ?? stack.status.engineSecret,
      ...(user && { 'X-Auth-User': user }),
      ...(tenants && { 'X-Auth-Tenants': tenants }),
      ...(command && { 'X-Command-Id': command }),
      ...(body && !form && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: form ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text }
}

/** A process with one step between start and end. */
const model = (step: string) => `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" targetNamespace="http://prakriya.example/test">
  <bpmn:process id="one-step" isExecutable="true">
    <bpmn:startEvent id="startEvent_asked"/>
    <bpmn:sequenceFlow id="flow_in" sourceRef="startEvent_asked" targetRef="step"/>
    ${step}
    <bpmn:sequenceFlow id="flow_out" sourceRef="step" targetRef="endEvent_done"/>
    <bpmn:endEvent id="endEvent_done"/>
  </bpmn:process>
</bpmn:definitions>`

const desk = model('<bpmn:userTask id="step" camunda:candidateGroups="Registrar"/>')

/** Deploys a model and returns the id of its definition. */
async function deployed(xml: string, tenant?: string): Promise<string> {
  const form = new FormData()
  form.set('deployment-name', 'test')
  if (tenant) form.set('tenant-id', tenant)
  form.set('model', new File([xml], 'one-step.bpmn'))
  const { status, body } = await call('POST', '/engine-rest/deployment/create', { body: form })
  expect({ status, body }).toMatchObject({ status: 200 })
  return Object.keys(body.deployedProcessDefinitions)[0] as string
}

const start = (definition: string, options: Call = {}) =>
  call('POST', `/engine-rest/process-definition/${definition}/start`, { body: {}, ...options })

async function events(): Promise<
  { entity: string; event: string; tenant_id: string | null; process_instance_id: string | null }[]
> {
  return (
    await database.query('select entity, event, tenant_id, process_instance_id from app.engine_event order by id')
  ).rows
}

async function commands(id: string): Promise<number> {
  return (await database.query('select from app.engine_command where id = $1', [id])).rowCount ?? 0
}

const instances = async () => (await call('GET', '/engine-rest/process-instance/count')).body.count as number

test('nobody gets in without the gateway secret', async () => {
  for (const path of ['/engine-rest/version', '/engine-rest/process-definition/count', '/engine-rest/nothing']) {
    expect((await call('GET', path, { secret: 'wrong' })).status).toBe(401)
  }
  expect((await call('GET', '/', { secret: 'wrong' })).status).toBe(404)
  expect((await call('GET', '/engine-rest/version')).status).toBe(200)
})

test('the operation log names the acting person', async () => {
  await start(await deployed(desk))
  const [task] = (await call('GET', '/engine-rest/task')).body
  const user = randomUUID()
  expect((await call('POST', `/engine-rest/task/${task.id}/complete`, { user, body: {} })).status).toBe(204)
  const { body } = await call('GET', `/engine-rest/history/user-operation?userId=${user}`)
  expect(body).toEqual([expect.objectContaining({ operationType: 'Complete', taskId: task.id })])
})

test('events and their command are stored together, and a repeated command fails completely', async () => {
  const definition = await deployed(desk)
  await database.query('delete from app.engine_event')
  const command = randomUUID()
  const { body } = await start(definition, { command })

  expect(await commands(command)).toBe(1)
  const first = await events()
  // Identity links refer only to their task.
  expect(new Set(first.map((event) => event.process_instance_id))).toEqual(new Set([body.id, null]))
  expect(first.map(({ entity, event }) => `${entity} ${event}`)).toEqual(
    expect.arrayContaining([
      'process-instance start',
      'activity-instance start',
      'identity-link add-identity-link',
      'task create',
    ]),
  )

  const before = await instances()
  expect((await start(definition, { command })).status).toBe(500)
  expect(await instances()).toBe(before)
  expect(await events()).toEqual(first)
})

test('a failing step rolls back its events and its command', async () => {
  const definition = await deployed(model('<bpmn:serviceTask id="step" camunda:expression="${nothing}"/>'))
  await database.query('delete from app.engine_event')
  const command = randomUUID()
  expect((await start(definition, { command })).status).toBe(500)
  expect(await commands(command)).toBe(0)
  expect(await events()).toEqual([])
})

test('a trial runs under its tenant: its events carry it, and only callers that name it may act in it', async () => {
  const trial = await deployed(desk, 'trial-1')
  const user = randomUUID()
  const refused = { status: 500, body: { message: expect.stringContaining('tenant') } }
  expect(await start(trial, { user })).toMatchObject(refused)
  expect(await start(trial, { user, tenants: 'trial-2' })).toMatchObject(refused)
  await database.query('delete from app.engine_event')
  expect((await start(trial, { user, tenants: 'trial-1' })).status).toBe(200)

  expect(new Set((await events()).map((event) => event.tenant_id))).toEqual(new Set(['trial-1']))
  await database.query('delete from app.engine_event')
  await start(await deployed(desk), { user })
  const others = (await events()).filter(({ entity }) => entity !== 'user-operation')
  expect(new Set(others.map((event) => event.tenant_id))).toEqual(new Set([null]))
})

test('listeners are woken after commits, once for many', async () => {
  const definition = await deployed(desk)
  const listener = new pg.Client({ connectionString: stack.status.ownerDatabaseUrl })
  await listener.connect()
  let woken = 0
  listener.on('notification', () => woken++)
  await listener.query('listen engine_event')
  await Promise.all(Array.from({ length: 40 }, () => start(definition)))
  await until('a notification', async () => woken > 0, { seconds: 5 })
  expect(woken).toBeLessThan(40)
  await listener.end()
})

const task = (attributes: string, inner = '') =>
  model(`<bpmn:serviceTask id="step" ${attributes}>${inner}</bpmn:serviceTask>`)
const script = (language: string, text: string) =>
  model(
    `<bpmn:scriptTask id="step" scriptFormat="${language}" camunda:resultVariable="x"><bpmn:script>${text}</bpmn:script></bpmn:scriptTask>`,
  )
const listener = (expression: string) =>
  `<bpmn:extensionElements><camunda:executionListener event="start" expression="${expression}"/></bpmn:extensionElements>`

test.each([
  ['reflection', task(`camunda:expression="\${''.getClass().forName('java.lang.Runtime')}"`)],
  ['a bean', task('camunda:expression="${dataSource.getPassword()}"')],
  ['the environment', task(`camunda:expression="\${environment.getProperty('ENGINE_SECRET')}"`)],
  ['a delegate', task('camunda:delegateExpression="${runtimeService}"')],
  ['a class', task('camunda:class="org.operaton.bpm.engine.impl.bpmn.behavior.MailActivityBehavior"')],
  ['the services of the execution', task('camunda:expression="${execution.getProcessEngineServices()}"')],
  [
    'a listener that writes variables',
    model(`<bpmn:userTask id="step">${listener("${execution.setVariable('a', 1)}")}</bpmn:userTask>`),
  ],
  ['JavaScript', script('javascript', '1 + 1')],
  ['Groovy', script('groovy', '1 + 1')],
  ['a script of expressions', script('juel', '${1 + 1}')],
])('a model that reaches for %s fails when it runs', async (_, xml) => {
  expect((await start(await deployed(xml))).status).toBe(500)
})

test.each([
  ['variables', task('camunda:expression="${caseId}"')],
  ['FEEL', script('feel', '1 + 1')],
  ['a comma-separated list', task('camunda:expression="${csv.list(caseId).size()}"')],
  ['its own business key', task('camunda:expression="${execution.processBusinessKey}"')],
])('a model may use %s', async (_, xml) => {
  const body = { businessKey: 'b', variables: { caseId: { value: 'a, b', type: 'String' } } }
  expect((await start(await deployed(xml), { body })).status).toBe(200)
})

test('FEEL has no access to beans of the engine', async () => {
  const { body } = await start(
    await deployed(script('feel', 'if dataSource = null then "nothing" else dataSource.jdbcUrl')),
  )
  const found = await call('GET', `/engine-rest/history/variable-instance?processInstanceId=${body.id}&variableName=x`)
  expect(found.body).toEqual([expect.objectContaining({ value: 'nothing' })])
})

const decision = (language: string, expression: string) => `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="policies" name="Policies" namespace="http://prakriya.example/test">
  <decision id="policy" name="Policy">
    <variable id="variable_answer" name="answer"/>
    <literalExpression id="expression" expressionLanguage="${language}"><text>${expression}</text></literalExpression>
  </decision>
</definitions>`

test.each([
  ['juel', "${''.getClass().forName('java.lang.Runtime')}", 500],
  ['juel', '${dataSource.getPassword()}', 500],
  ['javascript', '1 + 1', 500],
  ['feel', '1 + 1', 200],
])('a decision in %s, %s, answers %i', async (language, expression, status) => {
  const form = new FormData()
  form.set('deployment-name', 'test')
  form.set('model', new File([decision(language, expression)], 'policy.dmn'))
  expect(await call('POST', '/engine-rest/deployment/create', { body: form })).toMatchObject({ status: 200 })
  const answer = await call('POST', '/engine-rest/decision-definition/key/policy/evaluate', { body: { variables: {} } })
  expect(answer.status).toBe(status)
})
