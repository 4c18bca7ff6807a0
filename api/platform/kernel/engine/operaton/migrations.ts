import type { Engine, MigrationPlan } from '../port.ts'
import type { Call } from './call.ts'
import { typed } from './variables.ts'
import { describeFailure } from './words.ts'

/** Migration of instances between versions. */
export function migrations(call: Call): Pick<Engine, 'migrate' | 'migrationPlan' | 'validateMigration'> {
  return {
    async migrate({ instanceId, from, to, instructions, variables = {}, ...command }) {
      // Set them first: the engine would apply variables of the plan only after it has set the target's timers.
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
      const { instructions } = await call<OperatonPlan>('POST', '/migration/generate', { body })
      return instructions.map(({ sourceActivityIds: [source], targetActivityIds: [target] }) => ({ source, target }))
    },

    async validateMigration(plan) {
      const { instructionReports } = await call<Validation>('POST', '/migration/validate', { body: planOf(plan) })
      return instructionReports.flatMap(({ instruction, failures }) =>
        failures.map((failure) => ({
          element: instruction?.sourceActivityIds[0] ?? '',
          reason: describeFailure(failure),
        })),
      )
    },
  }
}

/** A migration in Operaton's format: each instruction has lists with one element. */
interface OperatonPlan {
  sourceProcessDefinitionId: string
  targetProcessDefinitionId: string
  instructions: { sourceActivityIds: [string]; targetActivityIds: [string]; updateEventTrigger: boolean }[]
}

/** The engine's objections to a plan. */
interface Validation {
  instructionReports: { instruction: OperatonPlan['instructions'][number] | null; failures: string[] }[]
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
