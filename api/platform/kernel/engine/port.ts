/**
 * The engine in our words. One adapter speaks to Operaton; a second engine implements the same port.
 * Every method either gives its answer, throws `EngineRefusal` (final: sending it again changes nothing)
 * or throws `EngineFault` (the engine is away, busy or lost a race: send it again with the same command id).
 */
export interface Engine {
  /** Ready means: it answers and reaches its database. */
  ready(): Promise<boolean>
  deploy(deployment: Deployment): Promise<DeployedDefinition[]>
  start(
    command: CommandContext & { definitionId: string; caseId: string; variables: Variables },
  ): Promise<{ instanceId: string }>
  complete(command: CommandContext & { taskId: string; variables: Variables }): Promise<void>
  correlate(command: CommandContext & { instanceId: string; message: string; variables: Variables }): Promise<void>
  cancel(command: CommandContext & { instanceId: string; reason: string }): Promise<void>
  /** Lets a running instance go on in another version, its open tasks under the same ids. */
  migrate(command: CommandContext & { instanceId: string } & MigrationPlan): Promise<void>
  /** How open elements of one version can go on in another, as far as that is plain; made of the models alone. */
  migrationPlan(versions: { from: string; to: string }): Promise<MigrationInstruction[]>
  /** What speaks against a plan, whatever instance it is for; empty when nothing does. */
  validateMigration(plan: MigrationPlan): Promise<MigrationProblem[]>
  /** Ends what is open at one element of an instance, and begins another with these variables; all of it or nothing. */
  move(command: CommandContext & { instanceId: string; from: string; to: string; variables: Variables }): Promise<void>
  /** Lets a step that the engine gave up on be tried once more; refuses where the incident is over. */
  retry(incident: { id: string; user: string }): Promise<void>
  /** The XML of one deployed definition. Immutable: callers may keep it. */
  definitionXml(definitionId: string): Promise<string>
  /** Present variables of a running instance, or the last ones of an ended instance. */
  variables(instanceId: string): Promise<VariableInstance[]>
  /** What is open in an instance now: for rebuilding a drifted case. `ended` when it is over. */
  state(instanceId: string): Promise<InstanceState>
  /** Those of these user tasks that are open now, and whether an operator has paused them. */
  openTasks(ids: readonly string[]): Promise<{ id: string; definitionId: string; paused: boolean }[]>
  /** The decision tables that were asked for an instance, the last first, with what went in and came out. */
  decisions(instanceId: string): Promise<Decision[]>
  /** The DMN document of one deployed decision table. Immutable: callers may keep it. */
  decisionXml(definitionId: string): Promise<string>
  /** External tasks are fetched by camunda-external-task-client-js; these report for the harness. */
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
  /**
   * Begins a trial: models that run under a tenant of their own, which feed, workers and counts leave alone. Nothing of
   * it is recorded as a command; `forgetTrial` takes everything of it away again.
   */
  deployTrial(deployment: { name: string; tenantId: string; resources: Deployment['resources'] }): Promise<Trial>
  /** The trials that are still there, the oldest first: those of a process that died, too. */
  trials(): Promise<{ deploymentId: string; tenantId: string; at: string }[]>
  /** Takes the models of a trial away, with everything that ran on them and its history. */
  forgetTrial(deploymentId: string): Promise<void>
}

/** What may be done with the models of one trial. Refusals and faults are those of the engine. */
export interface Trial {
  deploymentId: string
  processes: DeployedDefinition[]
  decisions: { id: string; key: string }[]
  /** Starts an instance and gives its id. */
  start(definitionId: string, variables: Variables): Promise<string>
  complete(taskId: string, variables: Variables): Promise<void>
  correlate(instanceId: string, message: string, variables: Variables): Promise<void>
  cancel(instanceId: string): Promise<void>
  /** The external tasks that wait, each given out once. */
  steps(topics: readonly string[]): Promise<TrialStep[]>
  answer(step: TrialStep, variables: Variables): Promise<void>
  raise(step: TrialStep, code: string): Promise<void>
  /** The timers of an instance, and what waits to be gone on with by the engine itself. */
  jobs(instanceId: string): Promise<TrialJob[]>
  /** Runs a job now, whenever it is due. False if it is gone or somebody else runs it. */
  run(jobId: string): Promise<boolean>
  /** Asks a decision table: the rows that were hit, and what they give. */
  decide(definitionId: string, variables: Variables): Promise<{ rules: string[]; outputs: Variables[] }>
}

/** An external task of a trial. */
export interface TrialStep {
  id: string
  topic: string
  element: string
  instanceId: string
}

/** A timer, or with `dueAt` null a step that the engine makes as soon as it comes to it. */
export interface TrialJob {
  id: string
  element: string
  dueAt: string | null
}

/** Scalars only: a process variable is never a document. */
export type Variables = Record<string, string | number | boolean | null>

export interface CommandContext {
  /** Recorded by the engine in its own transaction, so that a command takes effect at most once. */
  commandId: string
  /** Stands in the engine's log, so that one id leads through the logs of all parts. */
  caseId?: string
  /** The true person: account id, named in the engine's operation log. */
  user: string
}

/** Where what is open at an element of one version goes on in another. */
export interface MigrationInstruction {
  source: string
  target: string
  /** What the element waits for (its deadline, its message) is set anew as the target draws it, instead of kept. */
  renew?: boolean
}

/** How instances move from one deployed version to another. */
export interface MigrationPlan {
  from: string
  to: string
  instructions: MigrationInstruction[]
  /** Set before anything moves, and also where nothing does then: what the deadlines of the target are counted from. */
  variables?: Variables
}

/** Why an instruction cannot be followed; `element` is its source, or empty where it concerns the whole. */
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

/** One run through an element of a diagram. */
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

/** One user task that is open now; `principals` are the groups and `user:<id>` that it is offered to. */
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

/** One asking of a decision table; `rule` of an output is the id of the row that gave it. */
export interface Decision {
  definitionId: string
  key: string
  name: string | null
  /** The element of the process that asked. */
  element: string | null
  at: string
  inputs: { id: string; name: string | null; value: VariableInstance['value'] }[]
  outputs: { rule: string | null; id: string; name: string | null; value: VariableInstance['value'] }[]
}

/** A step that the engine gave up on and that waits for an operator. */
export interface IncidentState {
  id: string
  kind: string
  element: string | null
  message: string
  at: string
}

export interface InstanceState {
  ended: boolean
  /** The version that it runs on. */
  definitionId: string
  /** Why and where it ended: the id of the end event, or `canceled`. */
  endReason?: string
  endedAt?: string
  /** In the order in which they began. */
  activities: ActivityState[]
  tasks: TaskState[]
  incidents: IncidentState[]
}

/** Final: the engine says no. `reason` is ours, never the engine's text. */
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
 * Not final: away, overloaded, optimistic lock, dead-lock, time-out. `maybe` is true if it may have taken effect,
 * `answered` if the engine was there and said so: then nothing of it is under way any more.
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
