import { known } from '../../kernel/known.ts'
import { chainDrawing } from './chain-drawing.ts'
import type { Names } from './diagram.ts'
import {
  boundary,
  errorDefinition,
  flow,
  mail,
  node,
  subProcess,
  errorEndEvent,
  mailEndEvent,
  userTask,
} from './elements.ts'

/** A desk of a chain: who decides there, and the status of a waiting case. */
export interface ChainDesk {
  /** `userTask_approveByHOD`. */
  id: string
  /** Suffix of the ids of its elements: `ByHOD`. */
  key: string
  /** `HOD` or `HOD@department`. */
  group: string
  role: string
  status: string
}

/** The desks of a chain in their order; there is at least one. */
export type ChainDesks = readonly [ChainDesk, ...ChainDesk[]]

/** The final statuses of a case. */
export interface Ends {
  approved: string
  rejected: string
}

export const CORRECT = 'userTask_correct'
const CORRECT_WITHIN = 'P14D'

/** Role and unit as the option has them: `HOD@department=Recommended by HOD`. */
export function desksOf(written: string, requested: string): ChainDesks {
  const desks = written.split(',').map((one) => {
    const [group = '', status = requested] = one.split('=').map((part) => part.trim())
    const [role = ''] = group.split('@')
    return { key: `By${pascal(role)}`, group, role, status }
  })
  const [first, ...others] = desks.map((desk, at) => {
    const before = desks.slice(0, at).filter(({ key }) => key === desk.key).length
    const key = before === 0 ? desk.key : `${desk.key}${before + 1}`
    return { ...desk, key, id: `userTask_approve${key}` }
  })
  return [known(first, 'the first desk'), ...others]
}

function pascal(role: string): string {
  const words = role.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/**
 * The diagram of a request that passes several desks. Each approves, rejects or returns it to the requester, who
 * corrects it within fourteen days. It can be withdrawn until the last desk has decided. Everybody involved is notified
 * by mail.
 */
export function chainOf({ area, name, title }: Names, desks: ChainDesks, ends: Ends): string {
  const id = name.replaceAll('-', '_')
  const errors = ['rejected', 'returned', 'lapsed'].map(
    (one) => `\n  <bpmn:error id="error_${one}" name="${title} ${one}" errorCode="${area}.${one}" />`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:camunda="http://camunda.org/schema/1.0/bpmn" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="definitions_${id}" targetNamespace="https://prakriya/processes/${area}">
  <bpmn:message id="message_withdraw" name="message_withdraw" />${errors.join('')}
  <bpmn:process id="${name}" name="${title}" isExecutable="true" camunda:historyTimeToLive="P1825D">${[
    node('startEvent', 'startEvent_asked', 'Asked for', { out: ['flow_toDecision'] }),
    decision({ area, name, title }, desks),
    mailEndEvent(area, { at: 'approved', name: `${ends.approved}: requester told`, status: ends.approved }),
    boundary(
      'withdrawn',
      'Withdrawn',
      'subProcess_decide',
      `<bpmn:messageEventDefinition id="messageDefinition_withdrawn" messageRef="message_withdraw" />`,
    ),
    node('endEvent', 'endEvent_withdrawn', 'Withdrawn', { in: ['flow_withdrawn'] }),
    boundary('lapsed', 'Lapsed', 'subProcess_decide', errorDefinition('lapsed')),
    mailEndEvent(area, { at: 'lapsed', name: 'Lapsed: requester told' }),
    boundary('rejected', 'Rejected', 'subProcess_decide', errorDefinition('rejected')),
    mailEndEvent(area, { at: 'rejected', name: `${ends.rejected}: requester told`, status: ends.rejected }),
    flow('flow_toDecision', 'startEvent_asked', 'subProcess_decide'),
    flow('flow_approved', 'subProcess_decide', 'endEvent_approved'),
    ...['withdrawn', 'lapsed', 'rejected'].map((one) => flow(`flow_${one}`, `boundary_${one}`, `endEvent_${one}`)),
  ].join('')}
  </bpmn:process>
  <bpmndi:BPMNDiagram id="diagram_${id}">
    <bpmndi:BPMNPlane id="plane_${id}" bpmnElement="${name}">${chainDrawing(desks, CORRECT)}
    </bpmndi:BPMNPlane>
  </bpmndi:BPMNDiagram>
</bpmn:definitions>
`
}

/** The part that a withdrawal interrupts: the chain and the requester's correction. */
function decision({ area, name, title }: Names, desks: ChainDesks): string {
  return subProcess('decide', `Decide: ${title}`, { in: ['flow_toDecision'], out: ['flow_approved'] }, [
    node('startEvent', 'startEvent_decide', 'Decision begins', { out: ['flow_toChain'] }),
    node('exclusiveGateway', 'gateway_chain', '', { in: ['flow_toChain', 'flow_corrected'], out: ['flow_intoChain'] }),
    chain(`${area}/${name}-decision`, desks),
    boundary('returned', 'Returned', 'subProcess_chain', errorDefinition('returned')),
    mail(
      'intermediateThrowEvent',
      area,
      { at: 'returned', id: 'event_toldReturned', name: 'Requester told' },
      {
        in: ['flow_returned'],
        out: ['flow_toCorrection'],
      },
    ),
    correction(area, name, desks[0].status),
    boundary(
      'correctionLapsed',
      '14 days',
      CORRECT,
      `<bpmn:timerEventDefinition id="timer_correctionLapsed"><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${CORRECT_WITHIN}</bpmn:timeDuration></bpmn:timerEventDefinition>`,
    ),
    errorEndEvent('correctionLapsed', 'Not corrected', 'lapsed'),
    node('endEvent', 'endEvent_decided', 'Approved', { in: ['flow_chainApproved'] }),
    flow('flow_toChain', 'startEvent_decide', 'gateway_chain'),
    flow('flow_intoChain', 'gateway_chain', 'subProcess_chain'),
    flow('flow_returned', 'boundary_returned', 'event_toldReturned'),
    flow('flow_toCorrection', 'event_toldReturned', CORRECT),
    flow('flow_corrected', CORRECT, 'gateway_chain'),
    flow('flow_correctionLapsed', 'boundary_correctionLapsed', 'endEvent_correctionLapsed'),
    flow('flow_chainApproved', 'subProcess_chain', 'endEvent_decided'),
  ])
}

function chain(form: string, desks: ChainDesks): string {
  const pieces = desks.flatMap((desk, at) => {
    const next = desks[at + 1]
    const forward = next ? `flow_toDesk${next.key}` : 'flow_chainDone'
    const { key } = desk
    const decided = { in: [`flow_decided${key}`], out: [forward, `flow_rejected${key}`, `flow_returned${key}`] }
    return [
      deskOf(
        form,
        desk,
        desks.filter((other) => other !== desk),
      ),
      node('exclusiveGateway', `gateway_decided${key}`, `${desk.role}: approved?`, decided),
      errorEndEvent(`rejected${key}`, 'Rejected', 'rejected'),
      errorEndEvent(`returned${key}`, 'Returned', 'returned'),
      flow(`flow_decided${key}`, desk.id, `gateway_decided${key}`),
      flow(forward, `gateway_decided${key}`, next?.id ?? 'endEvent_chainDone', ['approved', desk.id, 'approve']),
      flow(`flow_rejected${key}`, `gateway_decided${key}`, `endEvent_rejected${key}`, ['rejected', desk.id, 'reject']),
      flow(`flow_returned${key}`, `gateway_decided${key}`, `endEvent_returned${key}`, ['returned', desk.id, 'return']),
    ]
  })
  const first = `flow_toDesk${desks[0].key}`
  return subProcess('chain', 'Approval desk by desk', { in: ['flow_intoChain'], out: ['flow_chainApproved'] }, [
    node('startEvent', 'startEvent_chain', 'Chain begins', { out: [first] }),
    ...pieces,
    node('endEvent', 'endEvent_chainDone', 'All approved', { in: ['flow_chainDone'] }),
    flow(first, 'startEvent_chain', desks[0].id),
  ])
}

function deskOf(form: string, { id, key, group, role, status }: ChainDesk, others: readonly ChainDesk[]): string {
  const [, unit] = group.split('@')
  const groups = unit ? `${group}:\${${unit}Id}` : group
  return userTask(
    id,
    `Approve as ${role}`,
    { groups, form, due: '${workday3}' },
    {
      properties: {
        status,
        fourEyes: ['requester', ...others.map((other) => other.id)].join(','),
        remind: 'workday1',
        escalate: 'workday3',
      },
      ways: { in: [`flow_toDesk${key}`], out: [`flow_decided${key}`] },
    },
  )
}

function correction(area: string, name: string, status: string): string {
  return userTask(
    CORRECT,
    'Correct the request',
    { groups: 'user:${requesterId}', form: `${area}/${name}-request`, due: CORRECT_WITHIN },
    {
      properties: { status, remind: 'workday3', remindTemplate: `${area}.mail.correction-reminder` },
      ways: { in: ['flow_toCorrection'], out: ['flow_corrected'] },
    },
  )
}
