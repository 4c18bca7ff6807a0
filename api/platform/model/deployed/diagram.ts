import { known } from '../../kernel/known.ts'
import { graphOf } from '../bpmn/graph.ts'
import { type DeskPromise, type TellingTimer, promisesOf, tellingTimers } from '../bpmn/promises.ts'
import { type Element, processesOf, propertiesOf, readModel } from '../bpmn/read.ts'
import { statusesOf } from '../bpmn/statuses.ts'

/** The parts of a diagram that the platform uses while cases run. */
export interface Diagram {
  /** Per element, the statuses that a case gets there: list name (`status`, `payment`…) → state. */
  statuses: ReadonlyMap<string, Readonly<Record<string, string>>>
  /** Names of elements, for people. */
  names: ReadonlyMap<string, string>
  desks: ReadonlyMap<string, Desk>
  /** Per message name, the elements that catch it while they are open: a case waits for it if one of them is. */
  catchers: ReadonlyMap<string, ReadonlySet<string>>
  /** Timers that keep a desk's promises, as older diagrams draw them. */
  tellingTimers: readonly TellingTimer[]
}

/** A user task of a diagram. */
export interface Desk {
  formKey: string | null
  /** The candidates of the desk: `Role`, `Role@kind`, or `user` for one account. */
  roles: string[]
  /** The same as written, with the names of variables: `HOD@department:${departmentId}`. */
  offeredTo: string[]
  /** Who may not decide here: `requester`, and desks whose deciders may not. */
  fourEyes: string[]
  /** The due date as written: `${workday3}`. */
  due: string | null
  /** Its reminder and its escalation. */
  promises: DeskPromise[]
}

/** Reads a diagram. It has passed the gate, so unknown parts can be ignored. */
export async function readDiagram(xml: string): Promise<Diagram> {
  const { definitions } = await readModel(xml)
  const names = new Map<string, string>()
  const desks = new Map<string, Desk>()
  const catchers = new Map<string, Set<string>>()

  const visit = (scope: Element): void => {
    for (const element of scope.flowElements ?? []) {
      if (element.name) names.set(element.id, element.name)
      if (element.$type === 'bpmn:UserTask') {
        desks.set(element.id, {
          formKey: element.formKey ?? null,
          roles: list(element.candidateGroups).map(roleOf),
          offeredTo: list(element.candidateGroups),
          fourEyes: list(propertiesOf(element)['fourEyes']),
          due: element.dueDate ?? null,
          promises: promisesOf(element),
        })
      }
      for (const message of caughtBy(element)) {
        const open = catchers.get(message) ?? new Set()
        catchers.set(message, open.add(waitingElement(element, scope)))
      }
      visit(element)
    }
  }
  const processes = processesOf(definitions)
  for (const process of processes) visit(process)
  const telling = processes.flatMap((process) => tellingTimers(graphOf(process)))
  return { statuses: statusesOf(xml), names, desks, catchers, tellingTimers: telling }
}

function list(text = ''): string[] {
  const parts = text.split(',').map((one) => one.trim())
  return parts.filter((one) => one !== '')
}

/** A candidate without its unit: `HOD@department` of `HOD@department:${departmentId}`. */
function roleOf(group: string): string {
  const [role = group] = group.split(':')
  return role
}

/** Names of the messages that an element catches. */
function caughtBy(element: Element): string[] {
  const catching = ['bpmn:BoundaryEvent', 'bpmn:IntermediateCatchEvent', 'bpmn:StartEvent', 'bpmn:ReceiveTask']
  if (!catching.includes(element.$type)) return []
  const references = [
    element.messageRef,
    ...(element.eventDefinitions ?? []).map((definition) => definition.messageRef),
  ]
  return references.flatMap((message) => (message?.name ? [message.name] : []))
}

/** The role of a candidate without its kind of unit: `HOD` of `HOD@department`. */
export function roleAlone(candidate: string): string {
  const [role = candidate] = candidate.split('@')
  return role
}

/**
 * What has to be open for a catching element to catch: its host, the scope around its event subprocess, the event-based
 * gateway before it, or itself.
 */
function waitingElement(element: Element, scope: Element): string {
  if (element.$type === 'bpmn:BoundaryEvent') return known(element.attachedToRef, 'the host of a boundary event').id
  if (element.$type === 'bpmn:StartEvent' && scope.triggeredByEvent)
    return known(scope.$parent, 'the scope around an event subprocess').id
  const before = element.incoming?.map((flow) => flow.sourceRef).find((one) => one?.$type === 'bpmn:EventBasedGateway')
  return before?.id ?? element.id
}
