import { edge, shape } from './drawing.ts'
import { flow, node, mailEndEvent, userTask } from './elements.ts'

/** Names for the diagram of a skeleton. */
export interface Names {
  area: string
  /** Of the flow, its process and its files. */
  name: string
  /** In words: `Instrument loan`. */
  title: string
}

export const DESK = 'userTask_approveByHead'
export const DESK_NAME = 'Approve as head of department'

/** A skeleton that passes the check: one desk decides, and both ends send a mail. Drawn from left to right. */
export function diagramOf({ area, name, title }: Names): string {
  const id = name.replaceAll('-', '_')
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:camunda="http://camunda.org/schema/1.0/bpmn" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="definitions_${id}" targetNamespace="https://prakriya/processes/${area}">
  <bpmn:process id="${name}" name="${title}" isExecutable="true" camunda:historyTimeToLive="P1825D">${[
    node('startEvent', 'startEvent_asked', 'Asked for', { out: ['flow_toDesk'] }),
    userTask(
      DESK,
      DESK_NAME,
      { groups: 'HOD@department:${departmentId}', form: `${area}/${name}-decision`, due: '${workday3}' },
      {
        properties: { status: 'Requested', fourEyes: 'requester', remind: 'workday1', escalate: 'workday3' },
        ways: { in: ['flow_toDesk'], out: ['flow_decided'] },
      },
    ),
    node('exclusiveGateway', 'gateway_approved', 'Approved?', {
      in: ['flow_decided'],
      out: ['flow_approved', 'flow_rejected'],
    }),
    mailEndEvent(area, { at: 'approved', name: 'Approved: requester told', status: 'Approved' }),
    mailEndEvent(area, { at: 'rejected', name: 'Rejected: requester told', status: 'Rejected' }),
    flow('flow_toDesk', 'startEvent_asked', DESK),
    flow('flow_decided', DESK, 'gateway_approved'),
    flow('flow_approved', 'gateway_approved', 'endEvent_approved', ['yes', DESK, 'approve']),
    flow('flow_rejected', 'gateway_approved', 'endEvent_rejected', ['no', DESK, 'reject']),
  ].join('')}
  </bpmn:process>
  <bpmndi:BPMNDiagram id="diagram_${id}">
    <bpmndi:BPMNPlane id="plane_${id}" bpmnElement="${name}">${[
      shape('startEvent_asked', [152, 142, 36, 36], [130, 185, 80, 14]),
      shape(DESK, [260, 120, 120, 80]),
      shape('gateway_approved', [455, 135, 50, 50], [440, 115, 80, 14]),
      shape('endEvent_approved', [602, 142, 36, 36], [575, 185, 90, 28]),
      shape('endEvent_rejected', [602, 262, 36, 36], [575, 305, 90, 28]),
      edge('flow_toDesk', [188, 160], [260, 160]),
      edge('flow_decided', [380, 160], [455, 160]),
      edge('flow_approved', [505, 160], [602, 160]),
      edge('flow_rejected', [480, 185], [480, 280], [602, 280]),
    ].join('')}
    </bpmndi:BPMNPlane>
  </bpmndi:BPMNDiagram>
</bpmn:definitions>
`
}
