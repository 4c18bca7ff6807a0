import type { DeployedDefinition, Deployment, Engine } from '../port.ts'
import type { Call } from './call.ts'

/** Deploying models. */
export function deployments(call: Call): Pick<Engine, 'deploy'> {
  return {
    async deploy(deployment) {
      const body = formOf(deployment, 'prakriya')
      const deployed = await call<Deployed>('POST', '/deployment/create', { body })
      return definitionsOf(deployed.deployedProcessDefinitions)
    },
  }
}

interface Deployed {
  deployedProcessDefinitions: DeployedDefinitions
}

/** By id. */
export type DeployedDefinitions = Record<string, DeployedDefinition> | null

/** Without the engine's other properties. */
export function definitionsOf(deployed: DeployedDefinitions): DeployedDefinition[] {
  return Object.values(deployed ?? {}).map(({ id, key, version, deploymentId, resource }) => ({
    id,
    key,
    version,
    deploymentId,
    resource,
  }))
}

/** The multipart form of a deployment. */
export function formOf({ name, tenantId, resources }: Deployment, source: string): FormData {
  const form = new FormData()
  form.set('deployment-name', name)
  form.set('deployment-source', source)
  if (tenantId) form.set('tenant-id', tenantId)
  for (const { name: file, content } of resources) form.set(file, new Blob([content]), file)
  return form
}
