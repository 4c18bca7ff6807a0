import { type Engine, EngineFault } from './port.ts'
import { type Call, type OperatonOptions, accessOf, callOf } from './operaton/call.ts'
import { commands } from './operaton/commands.ts'
import { decisions } from './operaton/decisions.ts'
import { deployments } from './operaton/deployments.ts'
import { externalTasks } from './operaton/external-tasks.ts'
import { migrations } from './operaton/migrations.ts'
import { states } from './operaton/state.ts'
import { trials } from './operaton/trials.ts'

/** The engine through Operaton's REST API, with the settings that the external task client needs. */
export interface Operaton extends Engine {
  baseUrl: string
  headers: Record<string, string>
}

export function operaton(options: OperatonOptions): Operaton {
  const call = callOf(options)
  return {
    ...accessOf(options),
    ready: () => isReady(call),
    definitionXml: (definitionId) => definitionXml(call, definitionId),
    ...deployments(call),
    ...commands(call),
    ...migrations(call),
    ...states(call),
    ...decisions(call),
    ...externalTasks(call),
    ...trials(call),
  }
}

async function isReady(call: Call): Promise<boolean> {
  try {
    // Unlike /version, this queries the database.
    await call('GET', '/process-definition/count', { timeout: 2_000 })
    return true
  } catch (error) {
    if (error instanceof EngineFault) return false
    throw error
  }
}

async function definitionXml(call: Call, definitionId: string): Promise<string> {
  const path = `/process-definition/${encodeURIComponent(definitionId)}/xml`
  return ((await call('GET', path, { absent: 'unknown-definition' })) as { bpmn20Xml: string }).bpmn20Xml
}
