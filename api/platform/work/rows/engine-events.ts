/** A row of `engine_event`: a change in the engine, written in the engine's own transaction. */
export interface EngineEvent {
  id: string
  at: Date
  entity: string
  event: string
  process_instance_id: string | null
  tenant_id: string | null
  body: EventBody
}

/** The fields of the engine's history events that the feed reads. */
export interface EventBody {
  id?: string
  /** The instance that the case runs as; events of called processes name it too. */
  rootProcessInstanceId?: string
  processInstanceId?: string
  processDefinitionId?: string
  processDefinitionKey?: string
  businessKey?: string
  tenantId?: string
  startTime?: string
  endTime?: string
  // process instance
  state?: string
  endActivityId?: string
  // activity instance
  activityId?: string
  activityName?: string
  activityType?: string
  /** 2 means cancelled. */
  activityInstanceState?: number
  // task
  taskId?: string
  taskDefinitionKey?: string
  taskState?: string
  name?: string
  deleteReason?: string
  dueDate?: string
  followUpDate?: string
  priority?: number
  // identity link
  type?: string
  userId?: string
  groupId?: string
  // incident
  incidentType?: string
  incidentMessage?: string
  createTime?: string
}

/** Kinds of events that the feed applies. */
export const HANDLED_ENTITIES = ['process-instance', 'activity-instance', 'task', 'identity-link', 'incident']

/** The instance that the case of an event runs as. */
export function rootOf({ body, process_instance_id }: EngineEvent): string | null {
  return body.rootProcessInstanceId ?? process_instance_id ?? body.processInstanceId ?? null
}

/** The value of a required field; throws if the event lacks it. */
export function needed<K extends keyof EventBody>(event: EngineEvent, field: K): NonNullable<EventBody[K]> {
  const value = event.body[field]
  if (value === undefined || value === null)
    throw new Error(`event ${event.id} (${event.entity} ${event.event}) has no ${field}`)
  return value
}
