/** The incoming and outgoing flows of an element. */
export interface Ways {
  in?: readonly string[]
  out?: readonly string[]
}

function ways({ in: incoming = [], out: outgoing = [] }: Ways): string {
  return [
    ...incoming.map((one) => `\n      <bpmn:incoming>${one}</bpmn:incoming>`),
    ...outgoing.map((one) => `\n      <bpmn:outgoing>${one}</bpmn:outgoing>`),
  ].join('')
}

export function node(kind: string, id: string, name: string, about: Ways, content = ''): string {
  const label = name === '' ? '' : ` name="${name}"`
  return `
    <bpmn:${kind} id="${id}"${label}>${ways(about)}${content}
    </bpmn:${kind}>`
}

export function subProcess(id: string, name: string, about: Ways, content: readonly string[]): string {
  return node('subProcess', `subProcess_${id}`, name, about, content.join(''))
}

export function userTask(
  id: string,
  name: string,
  { groups, form, due }: { groups: string; form: string; due: string },
  { properties, ways: about }: { properties: Record<string, string>; ways: Ways },
): string {
  const listed = Object.entries(properties).map(
    ([key, value]) => `\n          <camunda:property name="${key}" value="${value}" />`,
  )
  return `
    <bpmn:userTask id="${id}" name="${name}" camunda:candidateGroups="${groups}" camunda:formKey="${form}" camunda:dueDate="${due}">
      <bpmn:extensionElements>
        <camunda:properties>${listed.join('')}
        </camunda:properties>
      </bpmn:extensionElements>${ways(about)}
    </bpmn:userTask>`
}

export function flow(
  id: string,
  from: string,
  to: string,
  when?: readonly [name: string, desk: string, outcome: string],
): string {
  if (!when)
    return `
    <bpmn:sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}" />`
  const [name, desk, outcome] = when
  return `
    <bpmn:sequenceFlow id="${id}" name="${name}" sourceRef="${from}" targetRef="${to}">
      <bpmn:conditionExpression xsi:type="bpmn:tFormalExpression" language="feel">(${desk}_outcome = "${outcome}") = true</bpmn:conditionExpression>
    </bpmn:sequenceFlow>`
}

export function boundary(at: string, name: string, host: string, definition: string): string {
  return `
    <bpmn:boundaryEvent id="boundary_${at}" name="${name}" attachedToRef="${host}">
      <bpmn:outgoing>flow_${at}</bpmn:outgoing>
      ${definition}
    </bpmn:boundaryEvent>`
}

export function errorDefinition(error: string): string {
  return `<bpmn:errorEventDefinition id="errorDefinition_${error}" errorRef="error_${error}" />`
}

/** An end event that throws an error, which a boundary event of its scope catches. */
export function errorEndEvent(at: string, name: string, error: string): string {
  const definition = `
      <bpmn:errorEventDefinition id="errorDefinition_${at}End" errorRef="error_${error}" />`
  return node('endEvent', `endEvent_${at}`, name, { in: [`flow_${at}`] }, definition)
}

/** An end event that mails the requester. */
export function mailEndEvent(
  area: string,
  { at, name, status }: { at: string; name: string; status?: string },
): string {
  return mail(
    'endEvent',
    area,
    { at, id: `endEvent_${at}`, name, ...(status !== undefined && { status }) },
    { in: [`flow_${at}`] },
  )
}

export function mail(
  kind: string,
  area: string,
  { at, id, name, status }: { at: string; id: string; name: string; status?: string },
  about: Ways,
): string {
  const property = status
    ? `
        <camunda:properties>
          <camunda:property name="status" value="${status}" />
        </camunda:properties>`
    : ''
  return `
    <bpmn:${kind} id="${id}" name="${name}">
      <bpmn:extensionElements>${property}
        <camunda:inputOutput>
          <camunda:inputParameter name="to">requester</camunda:inputParameter>
          <camunda:inputParameter name="template">${area}.mail.${at}</camunda:inputParameter>
        </camunda:inputOutput>
      </bpmn:extensionElements>${ways(about)}
      <bpmn:messageEventDefinition id="mailDefinition_${at}" camunda:type="external" camunda:topic="platform.send-mail" />
    </bpmn:${kind}>`
}
