import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Trial } from '../../api/platform/kernel/engine/port.ts'
import { type Flow, loadLibrary } from '../../api/platform/model/library/library.ts'
import { partsOf, withoutPersons } from '../../api/platform/features/studio/scenarios/parts.ts'
import { play } from '../../api/platform/features/studio/scenarios/player.ts'
import { compared, scenarioOf } from '../../api/platform/features/studio/scenarios/rehearsal.ts'
import type { Scenario } from '../../api/platform/model/definitions/scenario.ts'
import type { Stage } from '../../api/platform/features/studio/scenarios/stage.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
const resignation = library.flows.get('resignations/resignation')!
const booking = library.flows.get('resource-reservation/resource-booking')!

/** Read once for all tests. */
const read = new Map<Flow, ReturnType<typeof partsOf>>()
function partsIn(flow: Flow): ReturnType<typeof partsOf> {
  const parts = read.get(flow) ?? partsOf(flow, library, 'en')
  read.set(flow, parts)
  return parts
}

/** A stage with only a desk whose deadline leads back to it, due this long after it was set. */
function looping(milliseconds: number): { stage: Stage; fired: () => number } {
  let fired = 0
  const jobs = async () => [
    { id: `timer-${fired}`, element: 'late', dueAt: new Date(Date.now() + milliseconds).toISOString() },
  ]
  const trial = {
    start: async () => 'instance',
    tasks: async () => [],
    steps: async () => [],
    jobs,
    run: async () => Boolean(++fired),
    cancel: async () => undefined,
  } as Partial<Trial> as Trial
  const state = async () => ({ ended: false, tasks: [], activities: [] })
  const engine = { state } as unknown as Stage['engine']
  const names = new Map([['late', 'The day is over']])
  const dated = new Set(milliseconds < 0 ? ['late'] : [])
  const stage = { engine, trial, definitionId: 'd', statuses: new Map(), first: {}, topics: new Map(), dated, names }
  const promises = new Map()
  return { stage: { ...stage, calls: new Map(), given: {}, promises, telling: [] }, fired: () => fired }
}

test.each([
  [-86_400_000, 21, 'The day is over comes again and again: its moment is over, and the way leads back to it'],
  [60_000, 500, 'more than 500 deadlines come in that time, the last The day is over'],
])('a deadline that leads back to itself ends a scenario with a message (%i)', async (milliseconds, most, reason) => {
  const { stage, fired } = looping(milliseconds)
  const result = await play(stage, { name: 'Loop', steps: [{ passes: 'P1D' }], expect: {} })
  expect(result.reasons).toEqual([{ element: 'late', reason, step: 1 }])
  expect(fired()).toBeLessThanOrEqual(most)
})

/** A stage with a task at one desk with a reminder and an escalation, by its properties or by boundary timers. */
function waiting(drawn: boolean): Stage {
  const tasks = [{ id: 'task', desk: 'userTask_wait', name: 'Wait' }]
  const jobs = async () =>
    drawn ? [{ id: 'job', element: 'boundary_waits', dueAt: new Date(Date.now() + 86_400_000).toISOString() }] : []
  const trial = {
    start: async () => 'instance',
    tasks: async () => tasks,
    steps: async () => [],
    jobs,
    run: async () => true,
    cancel: async () => undefined,
  } as Partial<Trial> as Trial
  const ran = drawn ? ['userTask_wait', 'boundary_waits', 'endEvent_reminded'] : ['userTask_wait']
  const state = async () => ({
    ended: false,
    tasks,
    activities: ran.map((element) => ({ element })),
  })
  return {
    ...looping(0).stage,
    engine: { state } as unknown as Stage['engine'],
    trial,
    names: new Map([['userTask_wait.remind', 'Wait: reminded']]),
    promises: new Map([
      [
        'userTask_wait',
        drawn
          ? []
          : [
              { kind: 'remind', after: { workdays: 1 }, template: undefined },
              { kind: 'escalate', after: { seconds: 3 * 86_400 }, template: undefined },
            ],
      ],
    ]),
    telling: drawn
      ? [{ kind: 'remind', desk: 'userTask_wait', timer: 'boundary_waits', mail: 'endEvent_reminded' }]
      : [],
  }
}

test('simulated time triggers what a desk promises, once each, and a step can name it', async () => {
  const told = (steps: Scenario['steps']) => play(waiting(false), { name: 'Waits', steps, expect: {} })
  const [soon, late] = ['userTask_wait.remind', 'userTask_wait.escalate']
  expect((await told([{ passes: 'PT23H' }])).path).toEqual(['userTask_wait'])
  expect((await told([{ passes: 'P2D' }])).path).toEqual(['userTask_wait', soon])
  expect((await told([{ passes: 'P2D' }, { passes: 'P2D' }])).path).toEqual(['userTask_wait', soon, late])
  expect(await told([{ fires: soon! }, { fires: soon! }])).toMatchObject({
    path: ['userTask_wait', soon],
    reasons: [{ element: 'userTask_wait', reason: 'Wait: reminded does not wait then', step: 2 }],
  })
})

test('a case of a version with timers replays as what its desks promise, and the other way round', async () => {
  const at = (hour: number) => new Date(Date.UTC(2027, 0, 14, hour))
  const ran = (element: string, type: string, hour: number) => ({
    ...{ element, type, task: null, startedAt: at(hour), endedAt: at(hour), canceled: false },
  })
  const recorded = {
    ...{
      id: 'c',
      reference: 'W-1',
      moved: false,
      startedAt: at(8),
      end: null,
      commands: [],
      runs: [],
      definitions: [],
    },
  }
  const { telling } = waiting(true)
  const timed = scenarioOf(
    {
      ...recorded,
      path: [
        ran('userTask_wait', 'userTask', 8),
        ran('boundary_waits', 'boundaryTimer', 9),
        ran('endEvent_reminded', 'messageEndEvent', 9),
      ],
      promises: [],
    },
    telling,
  )
  const kept = scenarioOf(
    {
      ...recorded,
      path: [ran('userTask_wait', 'userTask', 8)],
      promises: [{ desk: 'userTask_wait', kind: 'remind', at: at(9) }],
    },
    [],
  )
  expect(timed).toEqual(kept)
  expect(kept).toMatchObject({
    scenario: { steps: [{ fires: 'userTask_wait.remind' }] },
    path: ['userTask_wait', 'userTask_wait.remind'],
  })
  for (const stage of [waiting(true), waiting(false)])
    expect(compared(await play(stage, kept.scenario), kept.path!, stage)).toMatchObject({ passed: true, reasons: [] })
})

test('a scenario consists of the desks with their decisions, of what routes the case, and of the ends of the diagram', async () => {
  const parts = await partsIn(resignation)
  expect(parts.start.properties).toMatchObject({
    employeeKind: { oneOf: [{ const: 'academic' }, { const: 'non-academic' }] },
    departmentId: { oneOf: [{ const: 'none' }, { const: '1' }] },
  })
  expect(parts.moments.map(({ id }) => id)).toEqual(['clearanceEnds', 'lastDayEnds'])
  const dean = parts.desks.find(({ id }) => id === 'userTask_recommendByDean')!
  expect([dean.name, Object.keys(dean.form.properties!)]).toEqual(['Recommend as Dean', ['outcome']])
  expect(parts.timers).toEqual(
    expect.arrayContaining([
      { id: 'userTask_recommendByDean.escalate', name: 'Recommend as Dean: escalated' },
      { id: 'boundary_correctionLapsed', name: 'Correct the resignation: 14 days' },
    ]),
  )
  expect(parts.messages.map(({ id }) => id)).toEqual(['message_withdraw'])
  expect(parts.statusLists).toMatchObject([{ id: 'status', first: 'submitted' }])
  expect(parts.ends).toContainEqual({ id: 'endEvent_left', name: 'Left: HR told' })
  const ofBooking = await partsIn(booking)
  expect(ofBooking.start.properties).toMatchObject({
    approvalNeeded: { type: 'boolean' },
    capacity: { type: 'integer' },
  })
  const back = ofBooking.desks[0]!.form.properties!['return_to']!['oneOf'] as { const: string }[]
  expect(back.map((place) => place.const)).toEqual(['requester', ...ofBooking.desks.map(({ id }) => id)])
  const answers = ofBooking.topics.map(({ form, moments }) => [form.properties, moments])
  expect(answers).toContainEqual([{ noticeHours: { type: 'integer', title: 'Notice hours' } }, []])
  expect(answers).toContainEqual([{ refundDue: { type: 'integer', title: 'Refund due', 'x-unit': 'LKR cents' } }, []])
  expect(answers).toContainEqual([{}, [{ id: 'eventEnd', name: 'Event end' }]])
})

test('a scenario derived from a real case contains nothing that a person wrote', async () => {
  const parts = await partsIn(resignation)
  const [head, person] = ['userTask_recommendByHead', randomUUID()]
  const recorded = {
    name: 'RS-2026-000001',
    start: { caseId: person, requesterId: person, employeeKind: 'academic', departmentId: '12', unitId: 'none' },
    steps: [
      { desk: head, variables: { [`${head}_outcome`]: 'recommend', note: 'Kamala is ill', workday1: '+PT86400S' } },
      { passes: 'P2D' },
    ],
    topics: {
      'a.topic': { gives: { address: 'kamala@example.org', ill: '2026-03-01 Kamala', ready: true } },
      'b.topic': { raises: 'b.failed' },
    },
    expect: { end: 'endEvent_left' },
  }
  expect(withoutPersons(recorded, resignation, parts)).toEqual({
    ...recorded,
    start: { employeeKind: 'academic', departmentId: '1', unitId: 'none' },
    steps: [
      { desk: head, outcome: 'recommend', variables: { note: 'replaced', workday1: '+PT86400S' } },
      { passes: 'P2D' },
    ],
    topics: {
      'a.topic': [{ gives: { address: 'replaced', ill: 'replaced', ready: true } }],
      'b.topic': [{ raises: 'b.failed' }],
    },
  })
})
