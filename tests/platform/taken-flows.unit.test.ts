import { expect, test } from '@jest/globals'
import { takenFlows } from '../../web/platform/work/case/taken-flows.ts'

const flow = (id: string, source: string, target: string, type = 'bpmn:Task') => ({
  id,
  source: { id: source },
  target: { id: target, type },
})
const visit = (element: string, from: number, until: number | null) => ({
  element,
  startedAt: `2026-05-14T10:00:0${from}Z`,
  endedAt: until === null ? null : `2026-05-14T10:00:0${until}Z`,
  canceled: false,
})

test('a bypass that was not taken is not drawn, though both its ends were passed', () => {
  const flows = [flow('long', 'gateway', 'desk'), flow('on', 'desk', 'join'), flow('short', 'gateway', 'join')]
  const visited = [visit('gateway', 0, 0), visit('desk', 0, 5), visit('join', 5, 5)]
  expect([...takenFlows(flows, visited)]).toEqual(['long', 'on'])
})

test('a loop is drawn both ways', () => {
  const flows = [flow('send', 'write', 'read'), flow('back', 'read', 'write')]
  const visited = [visit('write', 0, 1), visit('read', 1, 2), visit('write', 2, 3), visit('read', 3, null)]
  expect([...takenFlows(flows, visited)]).toEqual(['send', 'back'])
})

test('a parallel join is drawn with all its branches', () => {
  const flows = [
    flow('a', 'first', 'join', 'bpmn:ParallelGateway'),
    flow('b', 'second', 'join', 'bpmn:ParallelGateway'),
  ]
  const visited = [visit('first', 0, 1), visit('second', 0, 4), visit('join', 4, 4)]
  expect([...takenFlows(flows, visited)]).toEqual(['a', 'b'])
})
