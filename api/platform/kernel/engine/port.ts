/**
 * The interface of the process engine. One adapter calls Operaton; another engine can implement the same port. Every
 * method returns its result, throws `EngineRefusal` (final: a retry changes nothing) or throws `EngineFault` (the
 * engine is down, busy or lost a race: retry with the same command id).
 */
export interface Engine {
  /** Ready means that it responds and reaches its database. */
  ready(): Promise<boolean>
  deploy(deployment: Deployment): Promise<DeployedDefinition[]>
  start(
    command: CommandContext & { definitionId: string; caseId: string; variables: Variables },
  ): Promise<{ instanceId: string }>
  complete(command: CommandContext & { taskId: string; variables: Variables }): Promise<void>
  correlate(command: CommandContext & { instanceId: string; message: string; variables: Variables }): Promise<void>
  cancel(command: CommandContext & { instanceId: string; reason: string }): Promise<void>
  /** Moves a running instance to another version; open tasks keep their ids. */
  migrate(command: CommandContext & { instanceId: string } & MigrationPlan): Promise<void>
  /** The unambiguous instructions between two versions, from the models alone. */
  migrationPlan(versions: { from: string; to: string }): Promise<MigrationInstruction[]>
  /** Problems of a plan that apply to every instance; empty if there are none. */
  validateMigration(plan: MigrationPlan): Promise<MigrationProblem[]>
  /** Cancels what is open at one element and starts another with these variables, atomically. */
  move(command: CommandContext & { instanceId: string; from: string; to: string; variables: Variables }): Promise<void>
  /** Retries a failed step; refuses if the incident is over. */
  retry(incident: { id: string; user: string }): Promise<void>
  /** The XML of one deployed definition. Immutable: callers may cache it. */
  definitionXml(definitionId: string): Promise<string>
  /** The variables of a running instance, or the last ones of an ended instance. */
  variables(instanceId: string): Promise<VariableInstance[]>
  /** The state of an instance, for rebuilding a drifted case. */
  state(instanceId: string): Promise<InstanceState>
  /** Those of these user tasks that are open now, and whether an operator has suspended them. */
  openTasks(ids: readonly string[]): Promise<{ id: string; definitionId: string; paused: boolean }[]>
  /** The decision tables evaluated in an instance, newest first, with inputs and outputs. */
  decisions(instanceId: string): Promise<Decision[]>
  /** The DMN document of a deployed decision table. Immutable: callers may cache it. */
  decisionXml(definitionId: string): Promise<string>
  /** External tasks are fetched by camunda-external-task-client-js; these methods report their results. */
  completeExternalTask(task: { id: string; workerId: string; variables: Variables }): Promise<void>
  failExternalTask(task: {
    id: string
    workerId: string
    message: string
    details: string
    retries: number
    retryTimeout: number
  }): Promise<void>
  raiseExternalTaskError(task: {
    id: string
    workerId: string
    code: string
    message: string
    variables?: Variables
  }): Promise<void>
  extendExternalTaskLock(task: { id: string; workerId: string; duration: number }): Promise<void>
  /** Fires the timer of an element now, as if it were due. False if none waits there. */
  fireTimer(instanceId: string, element: string): Promise<boolean>
  /**
   * Begins a trial: models under a tenant of their own, which feed, workers and counts ignore. Nothing of it is
   * recorded as a command; `forgetTrial` deletes everything.
   */
  deployTrial(deployment: { name: string; tenantId: string; resources: Deployment['resources'] }): Promise<Trial>
  /** The existing trials, oldest first, including those of crashed processes. */
  trials(): Promise<{ deploymentId: string; tenantId: string; at: string }[]>
  /** Deletes the models of a trial, with their instances and history. */
  forgetTrial(deploymentId: string): Promise<void>
}

/** Operations on the models of one trial. Refusals and faults are those of the engine. */
export interface Trial {
  deploymentId: string
  processes: DeployedDefinition[]
  decisions: { id: string; key: string }[]
  /** Starts an instance and returns its id. */
  start(definitionId: string, variables: Variables): Promise<string>
  complete(taskId: string, variables: Variables): Promise<void>
  correlate(instanceId: string, message: string, variables: Variables): Promise<void>
  cancel(instanceId: string): Promise<void>
  /** The open tasks of an instance. */
  tasks(instanceId: string): Promise<Pick<TaskState, 'id' | 'desk' | 'name'>[]>
  /** The waiting external tasks; each is returned once. */
  steps(topics: readonly string[]): Promise<TrialStep[]>
  answer(step: TrialStep, variables: Variables): Promise<void>
  raise(step: TrialStep, code: string): Promise<void>
  /** The timers of an instance, and jobs that the engine runs itself. */
  jobs(instanceId: string): Promise<TrialJob[]>
  /** Runs a job now, even before its due time. False if it is gone or already running. */
  run(jobId: string): Promise<boolean>
  /** Evaluates a decision table: the matching rows and their outputs. */
  decide(definitionId: string, variables: Variables): Promise<{ rules: string[]; outputs: Variables[] }>
}

/** An external task of a trial. */
export interface TrialStep {
  id: string
  topic: string
  element: string
  instanceId: string
}

/** A timer or, if `dueAt` is null, a job that is due at once. */
export interface TrialJob {
  id: string
  element: string
  dueAt: string | null
}

/** Scalars only: process variables never hold documents. */
export type Variables = Record<string, string | number | boolean | null>

export interface CommandContext {
  /** Recorded in the engine's own transaction, so that a command takes effect at most once. */
  commandId: string
  /** Logged by the engine, so that one id connects the logs of all parts. */
  caseId?: string
  /** The account of the acting person, for the engine's operation log. */
  user: string
}

/** Where what is open at an element of one version continues in another. */
export interface MigrationInstruction {
  source: string
  target: string
  /** Sets the trigger of the element (timer, message) again as the target defines it, instead of keeping it. */
  renew?: boolean
}

/** How instances move from one deployed version to another. */
export interface MigrationPlan {
  from: string
  to: string
  instructions: MigrationInstruction[]
  /** Set before the move, even if nothing moves then: the base for the target's deadlines. */
  variables?: Variables
}

/** Why an instruction cannot be followed. `element` is its source, or empty for the whole plan. */
export interface MigrationProblem {
  element: string
  reason: string
}

export interface Deployment {
  name: string
  tenantId?: string
  resources: { name: string; content: string }[]
}

export interface DeployedDefinition {
  id: string
  key: string
  version: number
  deploymentId: string
  resource: string
}

export interface VariableInstance {
  name: string
  type: string
  value: string | number | boolean | null
}

/** One activity instance. */
export interface ActivityState {
  id: string
  definitionId: string
  element: string
  type: string
  name: string | null
  taskId: string | null
  startedAt: string
  endedAt: string | null
  canceled: boolean
}

/** An open user task; `principals` are its candidate groups and `user:<id>`. */
export interface TaskState {
  id: string
  definitionId: string
  desk: string
  name: string
  createdAt: string
  dueAt: string | null
  followUpAt: string | null
  priority: number
  principals: string[]
}

/** One evaluation of a decision table; `rule` of an output is the id of the matching row. */
export interface Decision {
  definitionId: string
  key: string
  name: string | null
  /** The element of the process that evaluated it. */
  element: string | null
  at: string
  inputs: { id: string; name: string | null; value: VariableInstance['value'] }[]
  outputs: { rule: string | null; id: string; name: string | null; value: VariableInstance['value'] }[]
}

/** A failed step that waits for an operator. */
export interface IncidentState {
  id: string
  kind: string
  element: string | null
  message: string
  at: string
}

export interface InstanceState {
  /** Its present version. */
  definitionId: string
  /** Null while it runs; `reason` is the id of the end event, or `canceled`. */
  end: { at: string; reason: string } | null
  /** In order of their start. */
  activities: ActivityState[]
  tasks: TaskState[]
  incidents: IncidentState[]
}

/** Final: the engine refuses. `reason` is our code, never the engine's text. */
export class EngineRefusal extends Error {
  readonly reason:
    | 'task-gone'
    | 'unknown-definition'
    | 'not-movable'
    | 'suspended'
    | 'nothing-waits'
    | 'bad-variable'
    | 'instance-gone'
    | 'invalid-model'
    | 'external-task-gone'
    | 'wrong-worker'
    | 'incident-gone'
  constructor(reason: EngineRefusal['reason'], detail: string) {
    super(detail)
    this.name = 'EngineRefusal'
    this.reason = reason
  }
}

/**
 * Not final: unavailable, overloaded, optimistic lock, deadlock, time-out. `maybe` is true if it may have taken effect.
 * `answered` is true if the engine responded, so nothing of it is still running.
 */
export class EngineFault extends Error {
  readonly maybe: boolean
  readonly answered: boolean
  constructor(message: string, options: { cause?: unknown; maybe: boolean; answered?: boolean }) {
    super(message, { cause: options.cause })
    this.name = 'EngineFault'
    this.maybe = options.maybe
    this.answered = options.answered ?? false
  }
}
