import type { ActivityState, Engine, IncidentState, InstanceState, TaskState, VariableInstance } from '../port.ts'
import type { Call } from './call.ts'

/** Open elements and history of instances. */
export function states(call: Call): Pick<Engine, 'variables' | 'state' | 'openTasks'> {
  return {
    async variables(instanceId) {
      const path = '/history/variable-instance?deserializeValues=false'
      const found = (await call('POST', path, { body: { processInstanceId: instanceId } })) as VariableInstance[]
      return found.map(({ name, type, value }) => ({ name, type, value }))
    },

    async state(instanceId) {
      const one = encodeURIComponent(instanceId)
      // Activities with the same millisecond follow the engine's order of creation.
      const sorting = ['startTime', 'occurrence'].map((sortBy) => ({ sortBy, sortOrder: 'asc' }))
      const of = { body: { processInstanceId: instanceId, sorting } }
      const [instance, activities, tasks, incidents] = await Promise.all([
        call('GET', `/history/process-instance/${one}`, { absent: 'instance-gone' }) as Promise<HistoricInstance>,
        call('POST', '/history/activity-instance', of) as Promise<HistoricActivity[]>,
        call('GET', `/task?processInstanceId=${one}`) as Promise<OpenTask[]>,
        call('GET', `/history/incident?processInstanceId=${one}&open=true`) as Promise<HistoricIncident[]>,
      ])
      const candidates = await Promise.all(
        tasks.map((task) => call('GET', `/task/${task.id}/identity-links`) as Promise<IdentityLink[]>),
      )
      return instanceState(instance, activities, tasks, candidates, incidents)
    },

    async openTasks(ids) {
      if (ids.length === 0) return []
      const found = (await call('POST', '/task', { body: { taskIdIn: ids } })) as OpenTask[]
      return found.map(({ id, processDefinitionId, suspended }) => ({
        id,
        definitionId: processDefinitionId,
        paused: suspended,
      }))
    },
  }
}

interface HistoricInstance {
  id: string
  processDefinitionId: string
  state: string
  endTime: string | null
}

interface HistoricActivity {
  id: string
  parentActivityInstanceId: string | null
  processDefinitionId: string
  activityId: string
  activityType: string
  activityName: string | null
  taskId: string | null
  startTime: string
  endTime: string | null
  canceled: boolean
}

interface OpenTask {
  id: string
  processDefinitionId: string
  taskDefinitionKey: string
  name: string | null
  created: string
  due: string | null
  followUp: string | null
  priority: number
  suspended: boolean
}

interface IdentityLink {
  userId: string | null
  groupId: string | null
}

interface HistoricIncident {
  id: string
  incidentType: string
  activityId: string | null
  incidentMessage: string | null
  createTime: string
}

function instanceState(
  instance: HistoricInstance,
  activities: HistoricActivity[],
  tasks: OpenTask[],
  candidates: IdentityLink[][],
  incidents: HistoricIncident[],
): InstanceState {
  const ended = instance.endTime !== null
  // An end event of an embedded subprocess may have the same time, but it ends only that subprocess.
  const lastEnd = activities.findLast(
    ({ activityType, canceled, parentActivityInstanceId }) =>
      /EndEvent$/i.test(activityType) && !canceled && parentActivityInstanceId === instance.id,
  )
  const endReason = instance.state === 'COMPLETED' ? (lastEnd?.activityId ?? 'no-end-event') : 'canceled'
  return {
    ended,
    definitionId: instance.processDefinitionId,
    ...(ended && { endReason, endedAt: instance.endTime! }),
    activities: activities.map((one): ActivityState => ({
      id: one.id,
      definitionId: one.processDefinitionId,
      element: one.activityId,
      type: one.activityType,
      name: one.activityName,
      taskId: one.taskId,
      startedAt: one.startTime,
      endedAt: one.endTime,
      canceled: one.canceled,
    })),
    tasks: tasks.map((one, index): TaskState => ({
      id: one.id,
      definitionId: one.processDefinitionId,
      desk: one.taskDefinitionKey,
      name: one.name ?? one.taskDefinitionKey,
      createdAt: one.created,
      dueAt: one.due,
      followUpAt: one.followUp,
      priority: one.priority,
      principals: candidates[index]!.map((link) => link.groupId ?? `user:${link.userId}`),
    })),
    incidents: incidents.map((one): IncidentState => ({
      id: one.id,
      kind: one.incidentType,
      element: one.activityId,
      message: one.incidentMessage ?? one.incidentType,
      at: one.createTime,
    })),
  }
}
