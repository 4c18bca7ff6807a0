import { known } from '../../kernel/known.ts'
import { type Point, boundaryEvent, edge, event, gateway, labelledEdge, shape, task } from './drawing.ts'

/** y coordinate of the main path. */
const MIDDLE = 230
/** Distance between two desks. */
const PITCH = 300
const CHAIN = { x: 480, y: 140, height: 370 }
const DECIDE = { x: 250, y: 80, height: 640 }
/** y coordinate of the correction. */
const BELOW = 600
const CORRECTION_X = 730

/**
 * The chain of desks from left to right; rejections and returns leave a desk downwards. Below are the correction, which
 * leads back to the start, and the ends after an interruption.
 */
export function chainDrawing(desks: readonly { id: string; key: string }[], correct: string): string {
  const places = desks.map(({ id, key }, at) => ({ id, key, x: CHAIN.x + 110 + at * PITCH }))
  const chainEnd = CHAIN.x + 110 + desks.length * PITCH
  const first = known(places[0], 'the place of the first desk')
  const chainRight = chainEnd + 70
  const decideRight = Math.max(chainRight + 160, 1130)
  const bottom = DECIDE.y + DECIDE.height
  return [
    event('startEvent_asked', [178, MIDDLE]),
    shape('subProcess_decide', [DECIDE.x, DECIDE.y, decideRight - DECIDE.x, DECIDE.height]),
    event('startEvent_decide', [310, MIDDLE]),
    gateway('gateway_chain', [410, MIDDLE]),
    shape('subProcess_chain', [CHAIN.x, CHAIN.y, chainRight - CHAIN.x, CHAIN.height]),
    event('startEvent_chain', [CHAIN.x + 48, MIDDLE]),
    ...places.flatMap(({ id, key, x }) => [
      task(id, [x, MIDDLE]),
      gateway(`gateway_decided${key}`, [x + 190, MIDDLE]),
      event(`endEvent_rejected${key}`, [x + 250, MIDDLE + 95]),
      event(`endEvent_returned${key}`, [x + 250, MIDDLE + 195]),
    ]),
    event('endEvent_chainDone', [chainEnd + 22, MIDDLE]),
    event('endEvent_decided', [decideRight - 70, MIDDLE]),
    boundaryEvent('boundary_returned', [CHAIN.x + 100, CHAIN.y + CHAIN.height]),
    event('event_toldReturned', [CHAIN.x + 190, BELOW]),
    task(correct, [CORRECTION_X, BELOW]),
    event('boundary_correctionLapsed', [CORRECTION_X + 120, BELOW + 20]),
    event('endEvent_correctionLapsed', [CORRECTION_X + 240, BELOW + 20]),
    event('endEvent_approved', [decideRight + 110, MIDDLE]),
    ...interruptions.flatMap((one, at) => [
      boundaryEvent(`boundary_${one}`, [interruptionX(at), bottom]),
      event(`endEvent_${one}`, [interruptionX(at) + 80, bottom + 80]),
      edge(
        `flow_${one}`,
        [interruptionX(at), bottom + 18],
        [interruptionX(at), bottom + 80],
        [interruptionX(at) + 62, bottom + 80],
      ),
    ]),
    edge('flow_toDecision', [196, MIDDLE], [DECIDE.x, MIDDLE]),
    edge('flow_toChain', [328, MIDDLE], [385, MIDDLE]),
    edge('flow_intoChain', [435, MIDDLE], [CHAIN.x, MIDDLE]),
    ...places.flatMap((place, at) => deskEdges(place, places[at + 1], chainEnd)),
    edge(`flow_toDesk${first.key}`, [CHAIN.x + 66, MIDDLE], [first.x, MIDDLE]),
    edge('flow_returned', ...corner([CHAIN.x + 100, CHAIN.y + CHAIN.height + 18], [CHAIN.x + 172, BELOW])),
    edge('flow_toCorrection', [CHAIN.x + 208, BELOW], [CORRECTION_X, BELOW]),
    edge(
      'flow_corrected',
      [CORRECTION_X + 60, BELOW + 40],
      [CORRECTION_X + 60, BELOW + 80],
      [410, BELOW + 80],
      [410, MIDDLE + 25],
    ),
    edge('flow_correctionLapsed', [CORRECTION_X + 138, BELOW + 20], [CORRECTION_X + 222, BELOW + 20]),
    edge('flow_chainApproved', [chainRight, MIDDLE], [decideRight - 88, MIDDLE]),
    edge('flow_approved', [decideRight, MIDDLE], [decideRight + 92, MIDDLE]),
  ].join('')
}

const interruptions = ['withdrawn', 'lapsed', 'rejected'] as const

function interruptionX(at: number): number {
  return DECIDE.x + 100 + at * 200
}

interface Place {
  id: string
  key: string
  x: number
}

function deskEdges({ key, x }: Place, next: Place | undefined, chainEnd: number): string[] {
  const downwards = (id: string, to: number) =>
    labelledEdge(
      id,
      [
        [x + 190, MIDDLE + 25],
        [x + 190, to],
        [x + 232, to],
      ],
      [x + 192, to - 34, 58, 14],
    )
  return [
    edge(`flow_decided${key}`, [x + 120, MIDDLE], [x + 165, MIDDLE]),
    edge(next ? `flow_toDesk${next.key}` : 'flow_chainDone', [x + 215, MIDDLE], [next?.x ?? chainEnd + 4, MIDDLE]),
    downwards(`flow_rejected${key}`, MIDDLE + 95),
    downwards(`flow_returned${key}`, MIDDLE + 195),
  ]
}

function corner([x, y]: Point, [toX, toY]: Point): Point[] {
  return [
    [x, y],
    [x, toY],
    [toX, toY],
  ]
}
