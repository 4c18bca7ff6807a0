import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { aDesk, aModel } from '../platform/fixtures/models.ts'
import { engine } from '../platform/kit/clock.ts'
import { expectEnded } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { left, ofRepository, over } from '../platform/kit/scenario-runs.ts'
import { asOurs, checksInTurn, hostileHere } from './hostile.ts'
import { RESIGNATION, aResignation, agree, anEmployee, desks } from './resignation.ts'

const ONE = '/api/studio/models/resignation'
const TABLES = `${ONE}/decisions`
const folder = join(import.meta.dirname, '../../processes/resignations')
const dmn = readFileSync(join(folder, 'resignation-desks.dmn'), 'utf8')

/** A draft whose table sends nobody to the Dean, deleted in the end. */
async function withDraft(owner: Person, work: () => Promise<void>): Promise<void> {
  await owner.send('DELETE', `${ONE}/draft`)
  const { revision, dmn: tables } = await owner.ok('POST', `${ONE}/draft`, {})
  const changed = tables.map(({ key, content }: { key: string; content: string }) => ({
    key,
    content: content.replace('"HOD, Dean"', '"HOD"'),
  }))
  try {
    await owner.ok('PUT', `${ONE}/draft`, { revision, dmn: changed })
    await work()
  } finally {
    await owner.send('DELETE', `${ONE}/draft`)
  }
}

test('owners of another flow see no scenarios here, and others no studio', async () => {
  const [other, head] = await Promise.all([as('owner.bookings'), as('hod.western-music')])
  expect((await other.send('GET', `${ONE}/scenarios`)).status).toBe(404)
  expect((await other.send('POST', `${ONE}/scenarios/run`, {})).status).toBe(404)
  expect((await other.send('POST', `${TABLES}/try`, { dmn, decision: 'resignation-desks', inputs: {} })).status).toBe(
    404,
  )
  expect((await head.send('GET', `${ONE}/scenarios`)).status).toBe(403)
})

test('scenarios and the replay of a real case report a draft that skips a desk, each with the element', async () => {
  const owner = await as('owner.flows')
  const employee = await anEmployee()
  const leave = await employee.submit(RESIGNATION, await aResignation(employee))
  await agree(leave, { upTo: desks.checkByMA })
  await employee.withdraws(leave)
  await expectEnded(leave)

  const unchanged = await over(owner, (await owner.ok('POST', `${ONE}/rehearsal`, { last: 3 })).runId, ONE)
  expect(unchanged.results).toContainEqual(
    expect.objectContaining({ name: leave.reference, passed: true, reasons: [] }),
  )

  // The scenario repeats the case, without any text written by people.
  const nothing = await owner.send('POST', `${ONE}/scenarios/record`, { reference: 'RS-0000-000000' })
  expect(nothing.body.code).toBe('platform.no-ended-case')
  const recorded = await owner.ok('POST', `${ONE}/scenarios/record`, { reference: leave.reference })
  expect(recorded).toMatchObject({ expect: { end: 'endEvent_withdrawn' }, start: { employeeKind: expect.any(String) } })
  expect(recorded.steps.slice(0, 2)).toMatchObject([
    { desk: desks.recommendByHead, outcome: 'recommend' },
    { desk: desks.recommendByDean, outcome: 'recommend' },
  ])
  const name = `As it went ${randomUUID()}`
  const { id: kept } = await owner.ok('POST', `${ONE}/scenarios`, { ...recorded, name })
  const again = await over(owner, (await owner.ok('POST', `${ONE}/scenarios/run`, { ids: [kept] })).runId, ONE)
  expect(again.results).toEqual([expect.objectContaining({ name, passed: true, reasons: [] })])
  const lastOf = async () => {
    const { items } = await owner.get(`${ONE}/scenarios`)
    return items.find(({ id }: { id: string }) => id === kept).last
  }
  expect(await lastOf()).toMatchObject({ passed: true, ofDraft: false, outdated: false })
  await owner.ok('PUT', `${ONE}/scenarios/${kept}`, { ...recorded, name, expect: { end: 'endEvent_left' } })
  expect(await lastOf()).toMatchObject({ passed: true, outdated: true })
  await owner.ok('DELETE', `${ONE}/scenarios/${kept}`)

  await withDraft(owner, async () => {
    // One that passes the desk, and one that does not.
    const ids = (await ofRepository(owner, ONE)).slice(0, 2)
    const { runId } = await owner.ok('POST', `${ONE}/scenarios/run`, { draft: true, ids })
    const busy = await owner.send('POST', `${ONE}/rehearsal`, { last: 1 })
    expect([busy.status, busy.body.code]).toEqual([409, 'platform.scenarios-running'])
    const { results, passed, total } = await over(owner, runId, ONE)
    expect([total, passed]).toEqual([2, 1])
    expect(results[0]).toMatchObject({
      passed: false,
      reasons: [
        {
          step: 2,
          element: desks.recommendByDean,
          reason: 'Recommend as Dean is not asked then: it waits at Check as Management Assistant',
        },
      ],
    })
    const rehearsed = await over(owner, (await owner.ok('POST', `${ONE}/rehearsal`, { last: 3 })).runId, ONE)
    const mine = rehearsed.results.find((one: { name: string }) => one.name === leave.reference)
    expect(rehearsed.ofDraft).toBe(true)
    expect([rehearsed.outdated, mine.passed]).toEqual([false, false])
    expect(mine.reasons[0].reason).toMatch(/^Behind .+ it would not come to Recommend as Dean, where the case was$/)
    // The result is for this draft; after an edit it is for an older one.
    const { rehearsal, items } = await owner.get(`${ONE}/scenarios`)
    expect([rehearsal, items[0].last.outdated]).toEqual([rehearsed.id, false])
    const { revision, bpmn } = await owner.get(`${ONE}/draft`)
    await owner.ok('PUT', `${ONE}/draft`, { revision, bpmn: bpmn.replace('</bpmn:definitions>', ' $&') })
    expect((await owner.get(`${ONE}/scenarios`)).items[0].last).toMatchObject({ ofDraft: true, outdated: true })
    expect((await owner.get(`${ONE}/runs/${rehearsed.id}`)).outdated).toBe(true)
  })
})

test('a scenario of an owner is saved, run alone, changed and deleted; its name is unique', async () => {
  const owner = await as('owner.flows')
  const name = `Nobody heads them ${randomUUID()}`
  const start = {
    employeeKind: 'academic',
    departmentId: 'none',
    divisionId: 'none',
    unitId: 'none',
    facultyId: 'none',
  }
  const scenario = { name, start, steps: [{ passes: 'P2D' }], expect: { at: [desks.recommendByHead] } }
  expect((await owner.send('POST', `${ONE}/scenarios`, { ...scenario, steps: [{ script: '1' }] })).status).toBe(400)
  const { id } = await owner.ok('POST', `${ONE}/scenarios`, scenario)
  try {
    expect((await owner.send('POST', `${ONE}/scenarios`, scenario)).body.code).toBe('platform.scenario-named-so')
    const first = await over(owner, (await owner.ok('POST', `${ONE}/scenarios/run`, { ids: [id] })).runId, ONE)
    expect(first.results).toEqual([
      expect.objectContaining({
        passed: false,
        end: null,
        reasons: [
          expect.objectContaining({ reason: expect.stringContaining('and waits at Check as Management Assistant') }),
        ],
      }),
    ])
    await owner.ok('PUT', `${ONE}/scenarios/${id}`, { ...scenario, expect: { at: [desks.checkByMA] } })
    const second = await over(owner, (await owner.ok('POST', `${ONE}/scenarios/run`, { ids: [id] })).runId, ONE)
    expect(second.results).toEqual([expect.objectContaining({ passed: true, statuses: { status: ['submitted'] } })])
  } finally {
    await owner.ok('DELETE', `${ONE}/scenarios/${id}`)
  }
  expect((await owner.send('POST', `${ONE}/scenarios/run`, { ids: [id] })).body.code).toBe('platform.scenario-unknown')
  const told = await asOwner<{ action: string; acted_as: string | null }>(
    `select e.action, e.acted_as from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
     where e.object = 'model:resignation' and p.payload::text like $1 order by e.id`,
    [`%${name}%`],
  )
  expect(told.map(({ action }) => action)).toEqual([
    ...['scenario.created', 'model.tried', 'scenario.changed', 'model.tried'],
  ])
  expect(new Set(told.map((entry) => entry.acted_as))).toEqual(new Set(['Process Owner@flow:resignation']))
})

test('a run whose process died is resumed, and nothing of the first attempt is left', async () => {
  const owner = await as('owner.flows')
  const runId = randomUUID()
  const form = new FormData()
  form.set('deployment-name', 'broken off')
  form.set('deployment-source', 'prakriya-trial')
  form.set('tenant-id', `trial-${runId}`)
  form.set('left.dmn', new Blob([dmn]), 'left.dmn')
  await engine('POST', '/deployment/create', form)
  expect(await left(runId)).toHaveLength(1)

  const bpmn = readFileSync(join(folder, 'resignation.bpmn'), 'utf8')
  const [, scenario] = JSON.parse(readFileSync(join(folder, 'resignation.scenarios.json'), 'utf8'))
  const content = { bpmn, dmn: [{ key: 'resignations/resignation-desks.dmn', content: dmn }] }
  await asOwner(
    `with begun as (
       insert into app.scenario_run (id, process, kind, of_draft, wanted, total, asked_by)
       values ($1, 'resignation', 'scenarios', false, $2, 1, $3) returning id
     )
     select graphile_worker.add_job('tell-scenarios', json_build_object('id', id), job_key := 'tell-scenarios:' || id)
     from begun`,
    [runId, JSON.stringify({ content, wanted: [{ scenario }] }), owner.id],
  )
  expect(await over(owner, runId, ONE)).toMatchObject({ state: 'done', passed: 1 })
  expect(await left(runId)).toEqual([])
})

test('a flow is tried out once at a time, also after its statement has been prepared and planned for any values', async () => {
  const owner = await as('owner.flows')
  const runId = randomUUID()
  await asOwner(
    `insert into app.scenario_run (id, process, kind, of_draft, wanted, total, asked_by)
     values ($1, 'resignation', 'scenarios', false, '{}', 1, $2)`,
    [runId, owner.id],
  )
  try {
    for (let times = 0; times < 25; times += 1) {
      const busy = await owner.send('POST', `${ONE}/scenarios/run`, {})
      expect([busy.status, busy.body.code]).toEqual([409, 'platform.scenarios-running'])
    }
  } finally {
    await asOwner(`delete from app.scenario_run where id = $1`, [runId])
  }
})

test('a decision table is analysed and tried on the engine, which stores nothing of it', async () => {
  const owner = await as('owner.flows')
  const inputs = { employeeKind: 'academic', departmentId: '12', divisionId: 'none', unitId: 'none', facultyId: '3' }
  const asked = { dmn, decision: 'resignation-desks', inputs }
  expect(await owner.ok('POST', `${TABLES}/try`, asked)).toEqual({
    rules: ['rule_academic'],
    outputs: [{ desks: 'HOD, Dean' }],
  })
  expect(await owner.ok('POST', `${TABLES}/check`, { dmn })).toEqual({ problems: [], gaps: [], overlaps: [] })
  const without = dmn.replace(/<rule id="rule_other">[^]*<\/rule>/, '')
  const { gaps } = await owner.ok('POST', `${TABLES}/check`, { dmn: without })
  expect(gaps[0].words).toBe(
    'No row applies where Kind of employee is other than “academic” and Department is other than “none”',
  )
  const nobody = { ...asked, dmn: without, inputs: { ...inputs, employeeKind: 'casual' } }
  expect(await owner.ok('POST', `${TABLES}/try`, nobody)).toEqual({ rules: [], outputs: [] })
  const twice = dmn.replace('hitPolicy="FIRST"', 'hitPolicy="UNIQUE"')
  const both = await owner.send('POST', `${TABLES}/try`, { ...asked, dmn: twice })
  expect([both.status, both.body.errors[0]]).toEqual([
    422,
    expect.objectContaining({
      field: 'resignation-desks',
      message: expect.stringMatching(/^the table has no one answer to these values: more rows apply than it allows/),
    }),
  ])
  const hostile = { ...asked, dmn: dmn.replace('"HOD, Dean"', 'java.lang.System.exit(0)') }
  const refused = await owner.send('POST', `${TABLES}/try`, hostile)
  expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'academic_desks'])
  expect((await owner.ok('POST', `${TABLES}/check`, { dmn: hostile.dmn })).problems).toHaveLength(1)
  const deployed = await engine<{ tenantId: string | null }[]>('GET', '/decision-definition?key=resignation-desks')
  expect(deployed.filter(({ tenantId }) => tenantId !== null)).toEqual([])
})

test('the studio refuses every hostile model for its actual fault, at its element', async () => {
  const check = await checksInTurn()
  // The same parts without anything hostile: the only finding is that nothing waits for a withdrawal.
  const harmless = await check({ bpmn: asOurs(aModel({ nodes: [aDesk()] })), dmn: [] })
  expect(harmless.body.problems.map(({ element }: { element: string }) => element)).toEqual(['resignation'])

  // Models refused while parsing are refused whatever they name; of these, only the large ones reach the API's own
  // limit.
  const readable = hostileHere.filter(
    ({ bpmn, element }) => bpmn.length < 2_000_000 && (element !== 'definitions' || bpmn.length > 1_000_000),
  )
  expect(readable.length).toBeGreaterThan(100)
  for (const { name, bpmn, dmn: tables, element, reason } of readable) {
    const { status, body } = await check({ bpmn, dmn: tables })
    // A model above the size limit is refused as a whole, with its own message.
    if (status === 413) expect([name, body.code]).toEqual([name, 'platform.model-too-large'])
    else
      expect([name, status, body.problems]).toEqual([
        name,
        200,
        expect.arrayContaining([
          expect.objectContaining({ element, reason: expect.stringMatching(reason), level: 'error' }),
        ]),
      ])
  }
})
