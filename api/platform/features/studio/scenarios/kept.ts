import { v7 as uuid } from 'uuid'
import { BusinessError } from '../../../kernel/errors.ts'
import type { Language } from '../../../model/library/library.ts'
import type { Person } from '../../../people/persons/person.ts'
import { UnreadableModel } from '../../../model/bpmn/xml.ts'
import { ownedFlow, refusedElements, withContent } from '../content/flow.ts'
import { type Parts, partsOf } from './parts.ts'
import { listScenarios, listRuns, insertScenario, updateScenario, deleteScenario } from './repository.ts'
import type { Result, Scenario } from '../../../model/definitions/scenario.ts'
import { type ScenarioDependencies, outdatedRuns, ofRepository, writtenContent, REFUSED, recordAct } from './context.ts'

/** A scenario as the studio shows it; those of the repository are changed there. */
export interface ScenarioView {
  id: string
  source: 'repository' | 'owner'
  scenario: Scenario
  changedBy: string | null
  changedAt: string | null
  /** Its last result; null if it was never run. */
  last: {
    runId: string
    at: string
    passed: boolean
    ofDraft: boolean
    /** The model or the scenario has changed since. */
    outdated: boolean
    reasons: Result['reasons']
  } | null
}

/** Every scenario with its last result; `rehearsal` is the newest replay of real cases, if there is one. */
export async function listScenarioViews(
  context: ScenarioDependencies,
  person: Person,
  process: string,
): Promise<{ items: ScenarioView[]; rehearsal: string | null; running: string | null }> {
  const { db, library } = context
  const { flow } = ownedFlow(library, person, process)
  const [own, runs, isOutdated] = await Promise.all([
    listScenarios(db, process),
    listRuns(db, process),
    outdatedRuns(context, flow),
  ])
  const lastOf = (name: string, changedAt?: Date): ScenarioView['last'] => {
    for (const run of runs.filter(({ kind }) => kind === 'scenarios')) {
      const result = run.results.find((one) => one.name === name)
      if (result)
        return {
          ...{ runId: run.id, at: run.asked_at.toISOString(), passed: result.passed, ofDraft: run.of_draft },
          outdated: isOutdated(run) || (changedAt !== undefined && changedAt > run.asked_at),
          reasons: result.reasons,
        }
    }
    return null
  }
  const items: ScenarioView[] = [
    ...ofRepository(context, process).map((one) => ({
      ...one,
      source: 'repository' as const,
      changedBy: null,
      changedAt: null,
      last: lastOf(one.scenario.name),
    })),
    ...own.map(({ id, content, changed_by, changed_at }) => ({
      id,
      source: 'owner' as const,
      scenario: content,
      changedBy: changed_by,
      changedAt: changed_at.toISOString(),
      last: lastOf(content.name, changed_at),
    })),
  ]
  return {
    items,
    rehearsal: runs.find(({ kind }) => kind === 'rehearsal')?.id ?? null,
    running: runs.find(({ state }) => state === 'running')?.id ?? null,
  }
}

/** The parts that a scenario can be made of, from the draft or the version that new cases start from. */
export async function scenarioParts(
  context: ScenarioDependencies,
  person: Person,
  process: string,
  ofDraft: boolean,
  language: Language,
): Promise<Parts> {
  const { library } = context
  const { flow } = ownedFlow(library, person, process)
  try {
    return await partsOf(withContent(flow, await writtenContent(context, flow, ofDraft)), library, language)
  } catch (error) {
    if (!(error instanceof UnreadableModel)) throw error
    throw refusedElements(REFUSED, [{ element: 'definitions', reason: error.message }])
  }
}

export async function createScenario(
  context: ScenarioDependencies,
  person: Person,
  process: string,
  scenario: Scenario,
): Promise<{ id: string }> {
  const { db, library } = context
  ownedFlow(library, person, process)
  const id = uuid()
  const taken = ofRepository(context, process).some((one) => one.scenario.name === scenario.name)
  if (taken || !(await insertScenario(db, id, process, scenario, person.id)))
    throw new BusinessError('platform.scenario-named-so')
  await recordAct(context, person, process, 'scenario.created', scenario.name)
  return { id }
}

/** Changes a scenario of an owner. */
export async function changeScenario(
  context: ScenarioDependencies,
  person: Person,
  process: string,
  id: string,
  scenario: Scenario,
): Promise<void> {
  const { db, library } = context
  ownedFlow(library, person, process)
  const taken = ofRepository(context, process).some((one) => one.scenario.name === scenario.name)
  const outcome = taken ? 'taken' : await updateScenario(db, id, process, scenario, person.id)
  if (outcome === 'taken') throw new BusinessError('platform.scenario-named-so')
  if (outcome === 'absent') throw new BusinessError('platform.not-found')
  await recordAct(context, person, process, 'scenario.changed', scenario.name)
}

/** Idempotent: afterwards it does not exist, even if somebody else deleted it. */
export async function removeScenario(
  context: ScenarioDependencies,
  person: Person,
  process: string,
  id: string,
): Promise<void> {
  const { db, library } = context
  ownedFlow(library, person, process)
  if (await deleteScenario(db, id, process)) await recordAct(context, person, process, 'scenario.deleted', id)
}
