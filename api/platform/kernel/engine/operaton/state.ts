import type { ActivityState, Engine, IncidentState, InstanceState, TaskState, VariableInstance } from '../port.ts'
import type { Call } from './call.ts'

/** Open elements and history of instances. */
export function states(call: Call): Pick<Engine, 'variables' | 'state' | 'openTasks'> {
  return {
    async variables(instanceId) {
      const path = '/history/variable-instance?deserializeValues=false'
      const found = await call<VariableInstance[]>('POST', path, { body: { processInstanceId: instanceId } })
      return found.map(({ name, type, value }) => ({ name, type, value }))
    },

    async state(instanceId) {
      const one = encodeURIComponent(instanceId)
      // Activities with the same millisecond follow the engine's order of creation.
      const sorting = ['startTime', 'occurrence'].map((sortBy) => ({ sortBy, sortOrder: 'asc' }))
      const of = { body: { processInstanceId: instanceId, sorting } }
      const [instance, activities, tasks, incidents] = await Promise.all([
        call<HistoricInstance>('GET', `/history/process-instance/${one}`, { absent: 'instance-gone' }),
        call<HistoricActivity[]>('POST', '/history/activity-instance', of),
        call<OpenTask[]>('GET', `/task?processInstanceId=${one}`),
        call<HistoricIncident[]>('GET', `/history/incident?processInstanceId=${one}&open=true`),
      ])
      const offered = await Promise.all(
        tasks.map(async (task): Promise<OfferedTask> => {
          return { ...task, links: await call('GET', `/task/${task.id}/identity-links`) }
        }),
      )
      return instanceState(instance, activities, offered, incidents)
    },

    async openTasks(ids) {
      if (ids.length === 0) return []
      const found = await call<OpenTask[]>('POST', '/task', { body: { taskIdIn: ids } })
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

interface OfferedTask extends OpenTask {
  links: IdentityLink[]
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
  tasks: OfferedTask[],
  incidents: HistoricIncident[],
): InstanceState {
  // An end event of an embedded subprocess may have the same time, but it ends only that subprocess.
  const lastEnd = activities.findLast(
    ({ activityType, canceled, parentActivityInstanceId }) =>
      /EndEvent$/i.test(activityType) && !canceled && parentActivityInstanceId === instance.id,
  )
  const reason = instance.state === 'COMPLETED' ? (lastEnd?.activityId ?? 'no-end-event') : 'canceled'
  return {
    definitionId: instance.processDefinitionId,
    end: instance.endTime === null ? null : { at: instance.endTime, reason },
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
    tasks: tasks.map((one): TaskState => ({
      id: one.id,
      definitionId: one.processDefinitionId,
      desk: one.taskDefinitionKey,
      name: one.name ?? one.taskDefinitionKey,
      createdAt: one.created,
      dueAt: one.due,
      followUpAt: one.followUp,
      priority: one.priority,
      principals: one.links.map((link) => link.groupId ?? `user:${link.userId}`),
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
