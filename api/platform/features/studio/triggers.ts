import type { MigrationInstruction } from '../../kernel/engine/port.ts'
import { type Element, processesOf, readModel } from '../../model/bpmn/read.ts'

/**
 * Instructions with a note of those whose deadline or message the other version draws differently: what waits there is
 * set anew. All others keep what they wait for, so that a deadline does not begin again because something else changed.
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

/** Per event that waits for something, what that is. */
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
