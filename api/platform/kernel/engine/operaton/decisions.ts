import type { Engine, VariableInstance } from '../port.ts'
import type { Call } from './call.ts'

/** Evaluated decision tables, and their definitions. */
export function decisions(call: Call): Pick<Engine, 'decisions' | 'decisionXml'> {
  return {
    async decisions(instanceId) {
      const one = encodeURIComponent(instanceId)
      const order = 'sortBy=evaluationTime&sortOrder=desc'
      const path = `/history/decision-instance?processInstanceId=${one}&includeInputs=true&includeOutputs=true&${order}`
      const found = await call<HistoricDecision[]>('GET', path)
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
      return (await call<{ dmnXml: string }>('GET', path, { absent: 'unknown-definition' })).dmnXml
    },
  }
}

/** One evaluation of a table, as the engine stores it. */
export interface HistoricDecision {
  decisionDefinitionId: string
  decisionDefinitionKey: string
  decisionDefinitionName: string | null
  activityId: string | null
  evaluationTime: string
  inputs: { clauseId: string; clauseName: string | null; value: VariableInstance['value'] }[]
  outputs: { clauseId: string; clauseName: string | null; ruleId: string | null; value: VariableInstance['value'] }[]
}
