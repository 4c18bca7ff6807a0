import { BusinessError } from '../../../kernel/errors.ts'
import type { Language } from '../../../model/library/library.ts'
import type { Person } from '../../../people/persons/person.ts'
import { statusesOf } from '../../../model/bpmn/statuses.ts'
import { ownedFlow, withContent } from '../content/flow.ts'
import { partsOf, withoutPersons } from './parts.ts'
import { statusesAlong } from './player.ts'
import { scenarioOf } from './rehearsal.ts'
import type { Wanted } from './repository.ts'
import type { Scenario } from '../../../model/definitions/scenario.ts'
import { type RecordedCase, findRecordedCase } from './recorded-cases.ts'
import { type ScenarioDependencies, contentOf, recordAct } from './context.ts'

/** A recorded case as a scenario, with its path. */
export async function asScenario({ definitions }: ScenarioDependencies, recorded: RecordedCase): Promise<Wanted> {
  const versions = await Promise.all(recorded.definitions.map((id) => definitions.find(id)))
  return scenarioOf(
    recorded,
    versions.flatMap((version) => version?.diagram.tellingTimers ?? []),
  )
}

/** An ended case of the flow as a scenario without personal data, to be saved or edited. */
export async function recordedScenario(
  context: ScenarioDependencies,
  person: Person,
  process: string,
  reference: string,
  language: Language,
): Promise<Scenario> {
  const { db, library } = context
  const { flow } = ownedFlow(library, person, process)
  const found = await findRecordedCase(db, flow.key, reference)
  if (!found) throw new BusinessError('platform.no-ended-case')
  if (found.moved) throw new BusinessError('platform.case-was-moved')
  const running = withContent(flow, await contentOf(context, flow, false))
  const { scenario, path = [] } = await asScenario(context, found)
  const parts = await partsOf(running, library, language)
  await recordAct(context, person, process, 'scenario.recorded', reference)
  const statuses = statusesAlong(statusesOf(running.bpmn.content), flow.manifest.firstStatus, path)
  return withoutPersons({ ...scenario, expect: { ...scenario.expect, statuses } }, running, parts)
}
