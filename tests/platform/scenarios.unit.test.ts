import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Trial } from '../../api/platform/engine/port.ts'
import { type Flow, loadLibrary } from '../../api/platform/flows/library.ts'
import { partsOf, withoutPersons } from '../../api/platform/scenarios/parts.ts'
import { type Stage, play } from '../../api/platform/scenarios/player.ts'

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

/** A stage on which nothing is but a desk with a deadline that leads back to it, due so long after it was set. */
function looping(milliseconds: number): { stage: Stage; fired: () => number } {
  let fired = 0
  const jobs = async () => [
    { id: `timer-${fired}`, element: 'late', dueAt: new Date(Date.now() + milliseconds).toISOString() },
  ]
  const trial = {
    start: async () => 'instance',
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
  return { stage: { ...stage, calls: new Map(), given: {} }, fired: () => fired }
}

test.each([
  [-86_400_000, 21, 'The day is over comes again and again: its moment is over, and the way leads back to it'],
  [60_000, 500, 'more than 500 deadlines come in that time, the last The day is over'],
])('a deadline that leads back to itself ends a scenario with an answer (%i)', async (milliseconds, most, reason) => {
  const { stage, fired } = looping(milliseconds)
  const result = await play(stage, { name: 'Loop', steps: [{ passes: 'P1D' }], expect: {} })
  expect(result.reasons).toEqual([{ element: 'late', reason, step: 1 }])
  expect(fired()).toBeLessThanOrEqual(most)
})

test('a scenario is made of the desks with their own answers, of what steers the way, and of the ends of the diagram', async () => {
  const parts = await partsIn(resignation)
  expect(parts.start.properties).toMatchObject({
    employeeKind: { oneOf: [{ const: 'academic' }, { const: 'non-academic' }] },
    departmentId: { oneOf: [{ const: 'none' }, { const: '1' }] },
  })
  expect(parts.moments.map(({ id }) => id)).toEqual(['clearanceEnds', 'lastDayEnds'])
  const dean = parts.desks.find(({ id }) => id === 'userTask_recommendByDean')!
  expect([dean.name, Object.keys(dean.form.properties!)]).toEqual(['Recommend as Dean', ['outcome']])
  expect(parts.timers).toContainEqual({ id: 'boundary_deanLate', name: 'Recommend as Dean: 3 working days' })
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

test('every scenario of the repository names only what its parts have', async () => {
  const unknown: string[] = []
  for (const [process, scenarios] of library.scenarios) {
    const flow = [...library.flows.values()].find(({ manifest }) => manifest.process === process)!
    const parts = await partsIn(flow)
    const asked = [...Object.keys(parts.start.properties!), ...parts.moments.map(({ id }) => id)]
    const named = new Set(scenarios.flatMap(({ start = {} }) => Object.keys(start)))
    unknown.push(...[...named].filter((name) => !asked.includes(name)).map((name) => `${process}: ${name}`))
  }
  expect(unknown).toEqual([])
})

test('a scenario out of a real case holds nothing that a person wrote', async () => {
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
