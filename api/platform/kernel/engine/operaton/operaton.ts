import { type Engine, EngineFault } from '../port.ts'
import { type Call, type OperatonOptions, accessOf, callOf } from './call.ts'
import { commands } from './commands.ts'
import { decisions } from './decisions.ts'
import { deployments } from './deployments.ts'
import { externalTasks } from './external-tasks.ts'
import { migrations } from './migrations.ts'
import { states } from './state.ts'
import { timers } from './timers.ts'
import { trials } from './trials.ts'

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
    ...timers(call),
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
  return (await call<{ bpmn20Xml: string }>('GET', path, { absent: 'unknown-definition' })).bpmn20Xml
}
