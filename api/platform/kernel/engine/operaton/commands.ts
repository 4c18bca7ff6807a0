import { type Engine, EngineRefusal } from '../port.ts'
import type { Call } from './call.ts'
import { typed } from './variables.ts'

/** Commands that advance instances. */
export function commands(call: Call): Pick<Engine, 'start' | 'complete' | 'correlate' | 'cancel' | 'move' | 'retry'> {
  return {
    async start({ definitionId, caseId, variables, ...command }) {
      const path = `/process-definition/${encodeURIComponent(definitionId)}/start`
      const body = { businessKey: caseId, variables: typed(variables) }
      const { id } = await call<{ id: string }>('POST', path, { body, command: { ...command, caseId } })
      return { instanceId: id }
    },

    async complete({ taskId, variables, ...command }) {
      await call('POST', `/task/${encodeURIComponent(taskId)}/complete`, {
        body: { variables: typed(variables) },
        command,
      })
    },

    async correlate({ instanceId, message, variables, ...command }) {
      const body = { messageName: message, processInstanceId: instanceId, processVariables: typed(variables) }
      await call('POST', '/message', { body, command })
    },

    async cancel({ instanceId, reason: _kept, ...command }) {
      // Operaton accepts no reason here; it is in the audit entry of the command.
      await call('DELETE', `/process-instance/${encodeURIComponent(instanceId)}`, { command, absent: 'instance-gone' })
    },

    async move({ instanceId, from, to, variables, ...command }) {
      const one = `/process-instance/${encodeURIComponent(instanceId)}`
      const tree = await call<ActivityTree>('GET', `${one}/activity-instances`, { absent: 'instance-gone' })
      const open = openAt(tree, from)
      if (open.length === 0) throw new EngineRefusal('nothing-waits', `nothing is open at ${from}`)
      // Start first: a subprocess that contains both elements stays open, with its timers.
      const begins = { type: 'startBeforeActivity', activityId: to, variables: typed(variables) }
      const ends = open.map((instance) => ({ type: 'cancel', ...instance }))
      const body = { instructions: [begins, ...ends] }
      await call('POST', `${one}/modification`, { body, command, absent: 'instance-gone', model: 'not-movable' })
    },

    async retry({ id, user }) {
      const path = `/incident/${encodeURIComponent(id)}`
      const found = await call<FailedStep>('GET', path, { absent: 'incident-gone' })
      const failed = found.incidentType === 'failedJob' ? 'job' : 'external-task'
      await call('PUT', `/${failed}/${encodeURIComponent(found.configuration)}/retries`, {
        body: { retries: 1 },
        // A second retry is harmless, so this has no command id.
        operator: user,
        absent: 'incident-gone',
      })
    },
  }
}

/** An incident of a job or of an external task. */
interface FailedStep {
  incidentType: string
  /** Id of the job or task. */
  configuration: string
}

/** The open activities of an instance, nested by scope. */
interface ActivityTree {
  id: string
  activityId: string
  childActivityInstances: ActivityTree[]
  childTransitionInstances: { id: string; activityId: string }[]
}

/** The open activities at an element, in the form that the engine needs to cancel them. */
function openAt(tree: ActivityTree, element: string): object[] {
  return [
    ...tree.childTransitionInstances
      .filter(({ activityId }) => activityId === element)
      .map(({ id }) => ({ transitionInstanceId: id })),
    ...tree.childActivityInstances.flatMap((child) =>
      child.activityId === element ? [{ activityInstanceId: child.id }] : openAt(child, element),
    ),
  ]
}
