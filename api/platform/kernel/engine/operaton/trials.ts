import { type Engine, EngineFault, EngineRefusal, type Trial, type VariableInstance, type Variables } from '../port.ts'
import type { Call } from './call.ts'
import type { HistoricDecision } from './decisions.ts'
import { type DeployedDefinitions, definitionsOf, formOf } from './deployments.ts'
import { endExternalTask } from './external-tasks.ts'
import { typed } from './variables.ts'

/** Deployment source that identifies trials, also after their process crashed. */
const TRIAL = 'prakriya-trial'

/** Trials of models. */
export function trials(call: Call): Pick<Engine, 'deployTrial' | 'trials' | 'forgetTrial'> {
  return {
    async deployTrial(deployment) {
      const body = formOf(deployment, TRIAL)
      return trialOf(call, deployment.tenantId, await call('POST', '/deployment/create', { body }))
    },

    async trials() {
      const path = `/deployment?source=${TRIAL}&sortBy=deploymentTime&sortOrder=asc`
      const found = await call<{ id: string; tenantId: string; deploymentTime: string }[]>('GET', path)
      return found.map(({ id, tenantId, deploymentTime }) => ({ deploymentId: id, tenantId, at: deploymentTime }))
    },

    async forgetTrial(deploymentId) {
      const path = `/deployment/${encodeURIComponent(deploymentId)}?cascade=true&skipCustomListeners=true`
      await call('DELETE', path, { absent: 'unknown-definition' })
    },
  }
}

/** A trial acts without a user: the engine would check whether the user belongs to its tenant. */
function trialOf(call: Call, tenantId: string, deployed: DeployedTrial): Trial {
  return {
    deploymentId: deployed.id,
    processes: definitionsOf(deployed.deployedProcessDefinitions),
    decisions: Object.values(deployed.deployedDecisionDefinitions ?? {}).map(({ id, key }) => ({ id, key })),
    ...trialInstances(call),
    ...trialSteps(call, tenantId),
    ...trialJobs(call, tenantId),
    decide: (definitionId, variables) => decide(call, definitionId, variables),
  }
}

function trialInstances(call: Call): Pick<Trial, 'start' | 'tasks' | 'complete' | 'correlate' | 'cancel'> {
  return {
    async start(definitionId, variables) {
      const path = `/process-definition/${encodeURIComponent(definitionId)}/start`
      return (await call<{ id: string }>('POST', path, { body: { variables: typed(variables) } })).id
    },

    async tasks(instanceId) {
      const found = await call<OpenTask[]>('GET', `/task?processInstanceId=${encodeURIComponent(instanceId)}`)
      return found.map(({ id, taskDefinitionKey: desk, name }) => ({ id, desk, name: name ?? desk }))
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
  }
}

/** The tenant is also the worker id, so nobody else fetches its tasks. */
function trialSteps(call: Call, tenantId: string): Pick<Trial, 'steps' | 'answer' | 'raise'> {
  const workerId = tenantId
  return {
    async steps(topics) {
      if (topics.length === 0) return []
      const asked = topics.map((topicName) => ({
        topicName,
        lockDuration: 600_000,
        tenantIdIn: [tenantId],
        variables: [],
      }))
      const body = { workerId, maxTasks: 50, topics: asked }
      const found = await call<LockedTask[]>('POST', '/external-task/fetchAndLock', { body })
      return found.map(({ id, topicName, activityId, processInstanceId }) => ({
        id,
        topic: topicName,
        element: activityId,
        instanceId: processInstanceId,
      }))
    },

    async answer({ id }, variables) {
      await endExternalTask(call, id, 'complete', { workerId, variables: typed(variables) })
    },

    async raise({ id }, code) {
      await endExternalTask(call, id, 'bpmnError', { workerId, errorCode: code, errorMessage: code, variables: {} })
    },
  }
}

function trialJobs(call: Call, tenantId: string): Pick<Trial, 'jobs' | 'run'> {
  let elements: Map<string, string> | undefined
  const elementsOfJobs = async () =>
    (elements ??= new Map(
      (await call<JobDefinition[]>('GET', `/job-definition?tenantIdIn=${encodeURIComponent(tenantId)}`)).map(
        ({ id, activityId }) => [id, activityId],
      ),
    ))
  return {
    async jobs(instanceId) {
      const path = `/job?processInstanceId=${encodeURIComponent(instanceId)}&withRetriesLeft=true`
      const [found, named] = [await call<OpenJob[]>('GET', path), await elementsOfJobs()]
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
        // The engine is running the job itself.
        if (error instanceof EngineFault && !error.maybe) return false
        throw error
      }
    },
  }
}

async function decide(call: Call, definitionId: string, variables: Variables): ReturnType<Trial['decide']> {
  const one = encodeURIComponent(definitionId)
  const body = { variables: typed(variables) }
  const path = `/decision-definition/${one}/evaluate`
  const given = await call<DecisionRow[]>('POST', path, { body, model: 'bad-variable' })
  const order = 'sortBy=evaluationTime&sortOrder=desc&maxResults=1'
  const history = `/history/decision-instance?decisionDefinitionId=${one}&includeOutputs=true&${order}`
  const [last] = await call<HistoricDecision[]>('GET', history)
  const outputs = given.map((row) => Object.fromEntries(Object.entries(row).map(([name, { value }]) => [name, value])))
  return { rules: [...new Set((last?.outputs ?? []).flatMap(({ ruleId }) => ruleId ?? []))], outputs }
}

/** One result of a table, by name of the output. */
type DecisionRow = Record<string, { value: VariableInstance['value'] }>

interface DeployedTrial {
  id: string
  deployedProcessDefinitions: DeployedDefinitions
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

interface OpenTask {
  id: string
  taskDefinitionKey: string
  name: string | null
}

interface LockedTask {
  id: string
  topicName: string
  activityId: string
  processInstanceId: string
}
