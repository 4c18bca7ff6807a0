import type { MigrationInstruction } from '../../kernel/engine/port.ts'
import { type Element, processesOf, readModel } from '../../model/bpmn/read.ts'

/**
 * Marks the instructions whose timer or message differs in the target version: what waits there is set again. All
 * others keep their trigger, so that a deadline does not restart because something else changed.
 */
export async function withRenewals(
  instructions: readonly MigrationInstruction[],
  from: string,
  to: string,
): Promise<MigrationInstruction[]> {
  const [before, after] = await Promise.all([triggersOf(from), triggersOf(to)])
  return instructions.map(({ source, target }) => {
    const [was, becomes] = [before.get(source), after.get(target)]
    const renew = was !== undefined && becomes !== undefined && was !== becomes
    return { source, target, ...(renew && { renew }) }
  })
}

/** The trigger of each event that waits for one. */
async function triggersOf(xml: string): Promise<Map<string, string>> {
  const { definitions } = await readModel(xml)
  const found = new Map<string, string>()
  const visit = (scope: Element): void => {
    for (const element of scope.flowElements ?? []) {
      const [trigger] = element.eventDefinitions ?? []
      if (trigger) found.set(element.id, triggerOf(trigger))
      visit(element)
    }
  }
  processesOf(definitions).forEach(visit)
  return found
}

function triggerOf({ $type, timeDate, timeDuration, timeCycle, messageRef }: Element): string {
  return [$type, timeDate?.body, timeDuration?.body, timeCycle?.body, messageRef?.name].join(' ')
}
