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
