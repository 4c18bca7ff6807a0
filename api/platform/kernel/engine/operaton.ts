import {
  type ActivityState,
  type DeployedDefinition,
  type Engine,
  EngineFault,
  EngineRefusal,
  type IncidentState,
  type InstanceState,
  type MigrationPlan,
  type TaskState,
  type Trial,
  type VariableInstance,
  type Variables,
} from './port.ts'

export interface OperatonOptions {
  /** Base address without `/engine-rest`. */
  url: string
  secret: string
  /** Replaceable, so that a test can lose an answer on its way. */
  fetch?: typeof fetch
  /** After so many milliseconds without an answer a call counts as doubtful. */
  timeout?: number
}

/** The engine over Operaton's REST interface, and what the external task client needs to speak to the same engine. */
export interface Operaton extends Engine {
  baseUrl: string
  headers: Record<string, string>
}

/**
 * Speaks to Operaton. Commands carry their id in `X-Command-Id`, which the engine module records in the engine's own
 * transaction; connections are kept alive by the runtime.
 */
export function operaton({ url, secret, fetch: send = fetch, timeout = 30_000 }: OperatonOptions): Operaton {
  const baseUrl = `${url.replace(/\/$/, '')}/engine-rest`
  const headers = { 'X-Gateway-Secret': secret }

  async function call(method: string, path: string, request: Request = {}): Promise<unknown> {
    const { body, command } = request
    const json = body !== undefined && !(body instanceof FormData)
    let response: Response
    try {
      response = await send(baseUrl + path, {
        method,
        // Elsewhere the secret must not go.
        redirect: 'error',
        headers: {
          ...headers,
          ...(json && { 'Content-Type': 'application/json' }),
          ...(command && { 'X-Command-Id': command.commandId }),
          ...((command?.user ?? request.operator) && { 'X-Auth-User': command?.user ?? request.operator }),
          ...(command?.caseId && { 'X-Case-Id': command.caseId }),
        },
        ...(body !== undefined && { body: json ? JSON.stringify(body) : (body as FormData) }),
        signal: AbortSignal.timeout(request.timeout ?? timeout),
      })
      const text = await response.text()
      if (!response.ok) throw refusalOrFault(response.status, text, request)
      return text === '' ? undefined : JSON.parse(text)
    } catch (error) {
      if (error instanceof EngineRefusal || error instanceof EngineFault) throw error
      throw new EngineFault(`no answer to ${method} ${path}`, { cause: error, maybe: !neverSent(error) })
    }
  }

  return {
    baseUrl,
    headers,

    async ready() {
      try {
        // Unlike /version, this asks the database.
        await call('GET', '/process-definition/count', { timeout: 2_000 })
        return true
      } catch (error) {
        if (error instanceof EngineFault) return false
        throw error
      }
    },

    async deploy({ name, tenantId, resources }) {
      const form = new FormData()
      form.set('deployment-name', name)
      form.set('deployment-source', 'prakriya')
      if (tenantId) form.set('tenant-id', tenantId)
      for (const { name: file, content } of resources) form.set(file, new Blob([content]), file)
      const { deployedProcessDefinitions } = (await call('POST', '/deployment/create', { body: form })) as {
        deployedProcessDefinitions: Record<string, DeployedDefinition> | null
      }
      return Object.values(deployedProcessDefinitions ?? {}).map(({ id, key, version, deploymentId, resource }) => ({
        id,
        key,
        version,
        deploymentId,
        resource,
      }))
    },

    async start({ definitionId, caseId, variables, ...command }) {
      const path = `/process-definition/${encodeURIComponent(definitionId)}/start`
      const body = { businessKey: caseId, variables: typed(variables) }
      const { id } = (await call('POST', path, { body, command: { ...command, caseId } })) as { id: string }
      return { instanceId: id }
    },

    async complete({ taskId, variables, ...command }) {
      await call('POST', `/task/${encodeURIComponent(taskId)}/complete`, { body: { variables: typed(variables) }, command })
    },

    async correlate({ instanceId, message, variables, ...command }) {
      const body = { messageName: message, processInstanceId: instanceId, processVariables: typed(variables) }
      await call('POST', '/message', { body, command })
    },

    async cancel({ instanceId, reason: _kept, ...command }) {
      // Operaton takes no reason here; ours stands in the audit entry of the command.
      await call('DELETE', `/process-instance/${encodeURIComponent(instanceId)}`, { command, absent: 'instance-gone' })
    },

    async migrate({ instanceId, from, to, instructions, variables = {}, ...command }) {
      // With the plan the engine would set them only when it has set the timers of the target.
      if (Object.keys(variables).length > 0) {
        const path = `/process-instance/${encodeURIComponent(instanceId)}/variables`
        await call('POST', path, { body: { modifications: typed(variables) }, absent: 'instance-gone' })
      }
      const body = {
        migrationPlan: planOf({ from, to, instructions }),
        processInstanceIds: [instanceId],
        skipCustomListeners: true,
        skipIoMappings: true,
      }
      await call('POST', '/migration/execute', { body, command, absent: 'instance-gone' })
    },

    async migrationPlan({ from, to }) {
      const body = { sourceProcessDefinitionId: from, targetProcessDefinitionId: to, updateEventTriggers: false }
      const { instructions } = (await call('POST', '/migration/generate', { body })) as OperatonPlan
      return instructions.map(({ sourceActivityIds, targetActivityIds }) => ({
        source: sourceActivityIds[0]!,
        target: targetActivityIds[0]!,
      }))
    },

    async validateMigration(plan) {
      const { instructionReports } = (await call('POST', '/migration/validate', { body: planOf(plan) })) as {
        instructionReports: { instruction: OperatonPlan['instructions'][number] | null; failures: string[] }[]
      }
      return instructionReports.flatMap(({ instruction, failures }) =>
        failures.map((failure) => ({ element: instruction?.sourceActivityIds[0] ?? '', reason: inOurWords(failure) })),
      )
    },

    async move({ instanceId, from, to, variables, ...command }) {
      const one = `/process-instance/${encodeURIComponent(instanceId)}`
      const tree = (await call('GET', `${one}/activity-instances`, { absent: 'instance-gone' })) as ActivityTree
      const open = openAt(tree, from)
      if (open.length === 0) throw new EngineRefusal('nothing-waits', `nothing is open at ${from}`)
      // What begins comes first: a sub-process that holds both stays, with its timers.
      const begins = { type: 'startBeforeActivity', activityId: to, variables: typed(variables) }
      const ends = open.map((instance) => ({ type: 'cancel', ...instance }))
      const body = { instructions: [begins, ...ends] }
      await call('POST', `${one}/modification`, { body, command, absent: 'instance-gone', model: 'not-movable' })
    },

    async retry({ id, user }) {
      const path = `/incident/${encodeURIComponent(id)}`
      const found = (await call('GET', path, { absent: 'incident-gone' })) as { incidentType: string; configuration: string }
      const failed = found.incidentType === 'failedJob' ? 'job' : 'external-task'
      await call('PUT', `/${failed}/${encodeURIComponent(found.configuration)}/retries`, {
        body: { retries: 1 },
        // One that is tried twice does no harm, so it has no command of its own.
        operator: user,
        absent: 'incident-gone',
      })
    },

    async definitionXml(definitionId) {
      const path = `/process-definition/${encodeURIComponent(definitionId)}/xml`
      return ((await call('GET', path, { absent: 'unknown-definition' })) as { bpmn20Xml: string }).bpmn20Xml
    },

    async variables(instanceId) {
      const path = '/history/variable-instance?deserializeValues=false'
      const found = (await call('POST', path, { body: { processInstanceId: instanceId } })) as VariableInstance[]
      return found.map(({ name, type, value }) => ({ name, type, value }))
    },

    async state(instanceId) {
      const one = encodeURIComponent(instanceId)
      // Steps of one millisecond follow in the order in which the engine made them.
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

    async decisions(instanceId) {
      const one = encodeURIComponent(instanceId)
      const order = 'sortBy=evaluationTime&sortOrder=desc'
      const path = `/history/decision-instance?processInstanceId=${one}&includeInputs=true&includeOutputs=true&${order}`
      const found = (await call('GET', path)) as HistoricDecision[]
      return found.map((decision) => ({
        definitionId: decision.decisionDefinitionId,
        key: decision.decisionDefinitionKey,
        name: decision.decisionDefinitionName,
        element: decision.activityId,
        at: decision.evaluationTime,
        inputs: decision.inputs.map(({ clauseId, clauseName, value }) => ({ id: clauseId, name: clauseName, value })),
        outputs: decision.outputs.map(({ clauseId, clauseName, ruleId, value }) => ({
          rule: ruleId,
          id: clauseId,
          name: clauseName,
          value,
        })),
      }))
    },

    async decisionXml(definitionId) {
      const path = `/decision-definition/${encodeURIComponent(definitionId)}/xml`
      return ((await call('GET', path, { absent: 'unknown-definition' })) as { dmnXml: string }).dmnXml
    },

    async completeExternalTask({ id, workerId, variables }) {
      await external(id, 'complete', { workerId, variables: typed(variables) }, { commandId: id })
    },

    async failExternalTask({ id, workerId, message, details, retries, retryTimeout }) {
      await external(id, 'failure', { workerId, errorMessage: message, errorDetails: details, retries, retryTimeout })
    },

    async raiseExternalTaskError({ id, workerId, code, message, variables = {} }) {
      const body = { workerId, errorCode: code, errorMessage: message, variables: typed(variables) }
      await external(id, 'bpmnError', body, { commandId: id })
    },

    async extendExternalTaskLock({ id, workerId, duration }) {
      await external(id, 'extendLock', { workerId, newDuration: duration })
    },

    async deployTrial({ name, tenantId, resources }) {
      const form = new FormData()
      form.set('deployment-name', name)
      form.set('deployment-source', TRIAL)
      form.set('tenant-id', tenantId)
      for (const { name: file, content } of resources) form.set(file, new Blob([content]), file)
      return trialOf({ tenantId }, (await call('POST', '/deployment/create', { body: form })) as DeployedTrial)
    },

    async trials() {
      const path = `/deployment?source=${TRIAL}&sortBy=deploymentTime&sortOrder=asc`
      const found = (await call('GET', path)) as { id: string; tenantId: string; deploymentTime: string }[]
      return found.map(({ id, tenantId, deploymentTime }) => ({ deploymentId: id, tenantId, at: deploymentTime }))
    },

    async forgetTrial(deploymentId) {
      const path = `/deployment/${encodeURIComponent(deploymentId)}?cascade=true&skipCustomListeners=true`
      await call('DELETE', path, { absent: 'unknown-definition' })
    },
  }

  // A trial acts as nobody in particular: the engine would ask whether a person belongs to its tenant.
  function trialOf({ tenantId }: { tenantId: string }, deployed: DeployedTrial): Trial {
    const workerId = tenantId
    let elements: Map<string, string> | undefined
    const elementsOfJobs = async () =>
      (elements ??= new Map(
        ((await call('GET', `/job-definition?tenantIdIn=${encodeURIComponent(tenantId)}`)) as JobDefinition[]).map(
          ({ id, activityId }) => [id, activityId],
        ),
      ))
    return {
      deploymentId: deployed.id,
      processes: Object.values(deployed.deployedProcessDefinitions ?? {}).map(
        ({ id, key, version, deploymentId, resource }) => ({ id, key, version, deploymentId, resource }),
      ),
      decisions: Object.values(deployed.deployedDecisionDefinitions ?? {}).map(({ id, key }) => ({ id, key })),

      async start(definitionId, variables) {
        const path = `/process-definition/${encodeURIComponent(definitionId)}/start`
        return ((await call('POST', path, { body: { variables: typed(variables) } })) as { id: string }).id
      },

      async complete(taskId, variables) {
        await call('POST', `/task/${encodeURIComponent(taskId)}/complete`, { body: { variables: typed(variables) } })
      },

      async correlate(instanceId, message, variables) {
        const body = { messageName: message, processInstanceId: instanceId, processVariables: typed(variables) }
        await call('POST', '/message', { body })
      },

      async cancel(instanceId) {
        await call('DELETE', `/process-instance/${encodeURIComponent(instanceId)}`, { absent: 'instance-gone' })
      },

      async steps(topics) {
        if (topics.length === 0) return []
        const asked = topics.map((topicName) => ({ topicName, lockDuration: 600_000, tenantIdIn: [tenantId], variables: [] }))
        const body = { workerId, maxTasks: 50, topics: asked }
        const found = (await call('POST', '/external-task/fetchAndLock', { body })) as LockedTask[]
        return found.map(({ id, topicName, activityId, processInstanceId }) => ({
          id,
          topic: topicName,
          element: activityId,
          instanceId: processInstanceId,
        }))
      },

      async answer({ id }, variables) {
        await external(id, 'complete', { workerId, variables: typed(variables) })
      },

      async raise({ id }, code) {
        await external(id, 'bpmnError', { workerId, errorCode: code, errorMessage: code, variables: {} })
      },

      async jobs(instanceId) {
        const path = `/job?processInstanceId=${encodeURIComponent(instanceId)}&withRetriesLeft=true`
        const [found, named] = [(await call('GET', path)) as OpenJob[], await elementsOfJobs()]
        return found.map(({ id, jobDefinitionId, dueDate }) => ({
          id,
          element: named.get(jobDefinitionId) ?? '',
          dueAt: dueDate,
        }))
      },

      async run(jobId) {
        try {
          await call('POST', `/job/${encodeURIComponent(jobId)}/execute`, { body: {}, absent: 'nothing-waits' })
          return true
        } catch (error) {
          if (error instanceof EngineRefusal && error.reason === 'nothing-waits') return false
          // The engine runs it by itself at this moment.
          if (error instanceof EngineFault && !error.maybe) return false
          throw error
        }
      },

      async decide(definitionId, variables) {
        const one = encodeURIComponent(definitionId)
        const body = { variables: typed(variables) }
        const path = `/decision-definition/${one}/evaluate`
        const given = (await call('POST', path, { body, model: 'bad-variable' })) as Record<string, { value: VariableInstance['value'] }>[]
        const order = 'sortBy=evaluationTime&sortOrder=desc&maxResults=1'
        const history = `/history/decision-instance?decisionDefinitionId=${one}&includeOutputs=true&${order}`
        const [last] = (await call('GET', history)) as HistoricDecision[]
        const outputs = given.map((row) => Object.fromEntries(Object.entries(row).map(([name, { value }]) => [name, value])))
        return { rules: [...new Set((last?.outputs ?? []).flatMap(({ ruleId }) => ruleId ?? []))], outputs }
      },
    }
  }

  /** What ends an external task carries the task's own id as its command id, so that a lost answer can be looked up. */
  async function external(id: string, act: string, body: object, command?: Request['command']): Promise<void> {
    await call('POST', `/external-task/${encodeURIComponent(id)}/${act}`, { body, command, absent: 'external-task-gone' })
  }
}

interface Request {
  body?: object
  /** Without a user it is the product itself that acts. */
  command?: { commandId: string; user?: string; caseId?: string } | undefined
  /** Who acts, where it is no command. */
  operator?: string
  timeout?: number
  /** What a 404 means for this call. */
  absent?: EngineRefusal['reason']
  /** What it means that the model itself stands in the way; without it, that passes once somebody has mended the model. */
  model?: EngineRefusal['reason']
}

/** Answers whose meaning stands only in their text, in the order in which they are tried. */
const refusals: [RegExp, EngineRefusal['reason']][] = [
  [/ENGINE-03043 .*is suspended/, 'suspended'],
  [/Cannot find task with id/, 'task-gone'],
  [/no deployed process definition found with id|No matching process definition/, 'unknown-definition'],
  [/MismatchingMessageCorrelationException/, 'nothing-waits'],
  [/ENGINE-23003 |Cannot modify variables .* doesn't exist/s, 'instance-gone'],
  [/ENGINE-2300\d /, 'not-movable'],
  [/Could not parse|ParseException|ENGINE-0900[0-9]/, 'invalid-model'],
  [/by worker '.*'.*(?:is locked by worker|is not locked)/s, 'wrong-worker'],
]

/** How the engine words that a model has no way on for what a case knows: no way out, no answer of a condition or table. */
const ofModel = /ENGINE-(?:02|22)\d{3}|evaluating decision|DMN-\d{5}|FEEL|condition script|Unknown property|Error while evaluating/

/** How the engine words an execution whose parent is gone; it says so with 404. */
const TORN = 'ENGINE-03077'

/** What an answer other than 2xx means. Codes first: 1 lost race, 10000 deadlock, 10001 foreign key, 10002 too long. */
function refusalOrFault(status: number, text: string, { absent, model }: Pick<Request, 'absent' | 'model'>): Error {
  const { type = '', message = text, code = null } = parse(text)
  if (code === 1 || code === 10000 || code === 10001) return new EngineFault(message, { maybe: false, answered: true })
  // It read half of what another transaction wrote meanwhile; what it was asked for may well be there.
  if (message.includes(TORN)) return new EngineFault(message, { maybe: false, answered: true })
  if (code === 10002) return new EngineRefusal('bad-variable', message)
  const known = refusals.find(([pattern]) => pattern.test(`${type} ${message}`))
  if (known?.[1] === 'not-movable') return new EngineRefusal('not-movable', inWordsOfMigration(message))
  if (known) return new EngineRefusal(known[1], message)
  if (status === 404 && absent) return new EngineRefusal(absent, message)
  if (status === 400 && type === 'InvalidRequestException') return new EngineRefusal('bad-variable', message)
  if (model && ofModel.test(message)) return new EngineRefusal(model, inWordsOfTables(message))
  // Everything else may pass: a database that is away, a restart, a secret that is being changed, a defect in a model
  // that an operator repairs. A command that was sent before gives its id away here, too.
  return new EngineFault(`the engine answered ${status}: ${message}`, { maybe: status >= 500, answered: true })
}

function parse(text: string): { type?: string; message?: string; code?: number | null } {
  try {
    return JSON.parse(text) as object
  } catch (error) {
    // A proxy or a servlet container that speaks HTML: the text itself is the message.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** True if the request surely did not leave: nobody listened, or the name did not resolve. */
function neverSent(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'UND_ERR_CONNECT_TIMEOUT') return true
  return cause !== undefined && neverSent(cause)
}

/** The source of the deployments of trials, by which those of a process that died are found. */
const TRIAL = 'prakriya-trial'

const largestInteger = 2 ** 31

function typed(variables: Variables): Record<string, { type: string; value: Variables[string] }> {
  const entries = Object.entries(variables).map(([name, value]) => [name, { type: typeName(value), value }] as const)
  return Object.fromEntries(entries)
}

function typeName(value: Variables[string]): string {
  if (value === null) return 'Null'
  if (typeof value === 'boolean') return 'Boolean'
  if (typeof value === 'string') return 'String'
  if (!Number.isInteger(value)) return 'Double'
  return value >= -largestInteger && value < largestInteger ? 'Integer' : 'Long'
}

/** A migration as Operaton writes it: each instruction with lists of one. */
interface OperatonPlan {
  sourceProcessDefinitionId: string
  targetProcessDefinitionId: string
  instructions: { sourceActivityIds: string[]; targetActivityIds: string[]; updateEventTrigger: boolean }[]
}

function planOf({ from, to, instructions }: MigrationPlan): OperatonPlan {
  return {
    sourceProcessDefinitionId: from,
    targetProcessDefinitionId: to,
    instructions: instructions.map(({ source, target, renew = false }) => ({
      sourceActivityIds: [source],
      targetActivityIds: [target],
      updateEventTrigger: renew,
    })),
  }
}

/** The engine keeps to itself what stands in the way of a table; everything else stays as it says it. */
function inWordsOfTables(message: string): string {
  return message.includes('evaluating decision')
    ? 'the table has no one answer to these values: more rows apply than it allows, or a cell cannot be compared with them'
    : message
}

/** Why an instance does not move, per element at which it stands: `userTask_approve: nothing leads on from it`. */
function inWordsOfMigration(message: string): string {
  const found = [...message.matchAll(/instance '([^':]+):[^']*':\n\s+([^\n]+)/g)]
  const places = found.map(([, element, failure]) => `${element}: ${inOurWords(failure!)}`)
  return places.length > 0 ? [...new Set(places)].join('; ') : message
}

/** How Operaton says what speaks against an instruction, and how we do. */
const failures: [RegExp, string][] = [
  [/no migration instruction for this instance's activity/, 'nothing leads on from it'],
  [/incompatible types/, 'the other element is of another kind'],
  [/^Source activity .* does not exist/, 'there is no such element in the version that they leave'],
  [/^Target activity .* does not exist/, 'there is no such element in the version that they move to'],
  [/event scope \((.+)\) must be mapped .* event scope \((.+)\)/, 'it is fixed to $1, which has to lead on to $2'],
  [/closest mapped ancestor '(.+)' is mapped to scope '(.+)' which is not an ancestor/, 'it lies in $1, and what it leads to does not lie in $2'],
]

function inOurWords(failure: string): string {
  const known = failures.find(([pattern]) => pattern.test(failure))
  if (!known) return failure
  const [pattern, words] = known
  const groups = pattern.exec(failure)!
  return words.replaceAll(/\$(\d)/g, (_, at: string) => groups[Number(at)] ?? '')
}

interface DeployedTrial {
  id: string
  deployedProcessDefinitions: Record<string, DeployedDefinition> | null
  deployedDecisionDefinitions: Record<string, { id: string; key: string }> | null
}
interface JobDefinition {
  id: string
  activityId: string
}
interface OpenJob {
  id: string
  jobDefinitionId: string
  dueDate: string | null
}
interface LockedTask {
  id: string
  topicName: string
  activityId: string
  processInstanceId: string
}

/** What is open in an instance, scope within scope. */
interface ActivityTree {
  id: string
  activityId: string
  childActivityInstances: ActivityTree[]
  childTransitionInstances: { id: string; activityId: string }[]
}

/** What is open at an element, as the engine wants it named to be ended. */
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

interface HistoricDecision {
  decisionDefinitionId: string
  decisionDefinitionKey: string
  decisionDefinitionName: string | null
  activityId: string | null
  evaluationTime: string
  inputs: { clauseId: string; clauseName: string | null; value: VariableInstance['value'] }[]
  outputs: { clauseId: string; clauseName: string | null; ruleId: string | null; value: VariableInstance['value'] }[]
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
  // An end event of an embedded sub-process may bear the same time, but it ends only that.
  const lastEnd = activities.findLast(
    ({ activityType, canceled, parentActivityInstanceId }) =>
      /EndEvent$/i.test(activityType) && !canceled && parentActivityInstanceId === instance.id,
  )
  const endReason = instance.state === 'COMPLETED' ? (lastEnd?.activityId ?? 'no-end-event') : 'canceled'
  return {
    ended,
    definitionId: instance.processDefinitionId,
    ...(ended && { endReason, endedAt: instance.endTime! }),
    activities: activities.map(
      (one): ActivityState => ({
        id: one.id,
        definitionId: one.processDefinitionId,
        element: one.activityId,
        type: one.activityType,
        name: one.activityName,
        taskId: one.taskId,
        startedAt: one.startTime,
        endedAt: one.endTime,
        canceled: one.canceled,
      }),
    ),
    tasks: tasks.map(
      (one, index): TaskState => ({
        id: one.id,
        definitionId: one.processDefinitionId,
        desk: one.taskDefinitionKey,
        name: one.name ?? one.taskDefinitionKey,
        createdAt: one.created,
        dueAt: one.due,
        followUpAt: one.followUp,
        priority: one.priority,
        principals: candidates[index]!.map((link) => link.groupId ?? `user:${link.userId}`),
      }),
    ),
    incidents: incidents.map(
      (one): IncidentState => ({
        id: one.id,
        kind: one.incidentType,
        element: one.activityId,
        message: one.incidentMessage ?? one.incidentType,
        at: one.createTime,
      }),
    ),
  }
}
