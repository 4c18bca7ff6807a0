import { edge, shape } from './drawing.ts'

/** What the skeleton's diagram is made for. */
export interface Names {
  area: string
  /** Of the flow, its process and its files. */
  name: string
  /** In words: `Instrument loan`. */
  title: string
}

export const DESK = 'userTask_approveByHead'
export const DESK_NAME = 'Approve as head of department'

/** A skeleton that passes the check: one desk decides, and both ends are told by mail. Drawn from left to right. */
export function diagramOf({ area, name, title }: Names): string {
  const id = name.replaceAll('-', '_')
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:camunda="http://camunda.org/schema/1.0/bpmn" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="definitions_${id}" targetNamespace="https://prakriya/processes/${area}">
  <bpmn:process id="${name}" name="${title}" isExecutable="true" camunda:historyTimeToLive="P1825D">
    <bpmn:startEvent id="startEvent_asked" name="Asked for">
      <bpmn:outgoing>flow_toDesk</bpmn:outgoing>
    </bpmn:startEvent>
    <bpmn:userTask id="${DESK}" name="${DESK_NAME}" camunda:candidateGroups="HOD@department:\${departmentId}" camunda:formKey="${area}/${name}-decision" camunda:dueDate="\${workday3}">
      <bpmn:extensionElements>
        <camunda:properties>
          <camunda:property name="status" value="Requested" />
          <camunda:property name="fourEyes" value="requester" />
          <camunda:property name="remind" value="workday1" />
          <camunda:property name="escalate" value="workday3" />
        </camunda:properties>
      </bpmn:extensionElements>
      <bpmn:incoming>flow_toDesk</bpmn:incoming>
      <bpmn:outgoing>flow_decided</bpmn:outgoing>
    </bpmn:userTask>
    <bpmn:exclusiveGateway id="gateway_approved" name="Approved?">
      <bpmn:incoming>flow_decided</bpmn:incoming>
      <bpmn:outgoing>flow_approved</bpmn:outgoing>
      <bpmn:outgoing>flow_rejected</bpmn:outgoing>
    </bpmn:exclusiveGateway>${told(area, 'approved', 'Approved')}${told(area, 'rejected', 'Rejected')}
    <bpmn:sequenceFlow id="flow_toDesk" sourceRef="startEvent_asked" targetRef="${DESK}" />
    <bpmn:sequenceFlow id="flow_decided" sourceRef="${DESK}" targetRef="gateway_approved" />
    <bpmn:sequenceFlow id="flow_approved" name="yes" sourceRef="gateway_approved" targetRef="endEvent_approved">
      <bpmn:conditionExpression xsi:type="bpmn:tFormalExpression" language="feel">(${DESK}_outcome = "approve") = true</bpmn:conditionExpression>
    </bpmn:sequenceFlow>
    <bpmn:sequenceFlow id="flow_rejected" name="no" sourceRef="gateway_approved" targetRef="endEvent_rejected">
      <bpmn:conditionExpression xsi:type="bpmn:tFormalExpression" language="feel">(${DESK}_outcome = "reject") = true</bpmn:conditionExpression>
    </bpmn:sequenceFlow>
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

/** An end of which the requester is told by mail. */
function told(area: string, outcome: 'approved' | 'rejected', status: string): string {
  return `
    <bpmn:endEvent id="endEvent_${outcome}" name="${status}: requester told">
      <bpmn:extensionElements>
        <camunda:properties>
          <camunda:property name="status" value="${status}" />
        </camunda:properties>
        <camunda:inputOutput>
          <camunda:inputParameter name="to">requester</camunda:inputParameter>
          <camunda:inputParameter name="template">${area}.mail.${outcome}</camunda:inputParameter>
        </camunda:inputOutput>
      </bpmn:extensionElements>
      <bpmn:incoming>flow_${outcome}</bpmn:incoming>
      <bpmn:messageEventDefinition id="mailDefinition_${outcome}" camunda:type="external" camunda:topic="platform.send-mail" />
    </bpmn:endEvent>`
}
