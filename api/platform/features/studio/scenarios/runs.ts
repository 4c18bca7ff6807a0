import { v7 as uuid } from 'uuid'
import { BusinessError } from '../../../kernel/errors.ts'
import type { Flow } from '../../../model/library/library.ts'
import type { Person } from '../../../people/persons/person.ts'
import { ownedFlow } from '../content/flow.ts'
import { type Wanted, insertRun, listScenarios, findRun } from './repository.ts'
import type { Result } from '../../../model/definitions/scenario.ts'
import { findDraft } from '../content/draft-repository.ts'
import { listRecordedCases } from './recorded-cases.ts'
import { type ScenarioDependencies, contentOf, ofRepository, outdatedRuns } from './context.ts'
import { asScenario } from './recording.ts'

/** The progress of a run, and its results. */
export interface RunView {
  id: string
  kind: 'scenarios' | 'rehearsal'
  ofDraft: boolean
  /** The model has changed since. */
  outdated: boolean
  state: 'running' | 'done' | 'failed'
  total: number
  done: number
  passed: number
  askedAt: string
  endedAt: string | null
  results: Result[]
}

async function beginRun(
  context: ScenarioDependencies,
  person: Person,
  { flow, actedAs }: { flow: Flow; actedAs: string },
  { kind, ofDraft, wanted }: { kind: 'scenarios' | 'rehearsal'; ofDraft: boolean; wanted: Wanted[] },
): Promise<{ runId: string }> {
  const { db } = context
  const content = await contentOf(context, flow, ofDraft)
  const { process } = flow.manifest
  const id = uuid()
  const begun = await db
    .transaction()
    .execute((trx) => insertRun(trx, id, { process, kind, ofDraft, content, wanted, by: person.id, actedAs }))
  if (!begun) throw new BusinessError('platform.scenarios-running')
  return { runId: id }
}

/** Runs the named scenarios on the engine, or all of them. */
export async function runScenarios(
  context: ScenarioDependencies,
  person: Person,
  process: string,
  { ids, draft = false }: { ids?: readonly string[]; draft?: boolean },
) {
  const { db, library } = context
  const owned = ownedFlow(library, person, process)
  const own = (await listScenarios(db, process)).map(({ id, content }) => ({ id, scenario: content }))
  const all = [...ofRepository(context, process), ...own]
  const chosen = ids ? all.filter(({ id }) => ids.includes(id)) : all
  if (chosen.length === 0 || (ids && chosen.length < ids.length)) throw new BusinessError('platform.scenario-unknown')
  return beginRun(context, person, owned, {
    kind: 'scenarios',
    ofDraft: draft,
    wanted: chosen.map(({ scenario }) => ({ scenario })),
  })
}

/**
 * Replays the newest ended cases on the draft, if there is one, or else on the running version. Cases that were moved
 * by hand are left out and listed by number, because no model leads along their path.
 */
export async function rehearse(
  context: ScenarioDependencies,
  person: Person,
  process: string,
  last: number,
): Promise<{ runId: string; leftOut: string[] }> {
  const { db, library } = context
  const owned = ownedFlow(library, person, process)
  const recorded = await listRecordedCases(db, owned.flow.key, last)
  const leftOut = recorded.filter(({ moved }) => moved).map(({ reference }) => reference)
  const wanted = await Promise.all(recorded.filter(({ moved }) => !moved).map((one) => asScenario(context, one)))
  if (wanted.length === 0) throw new BusinessError('platform.nothing-to-rehearse')
  const ofDraft = (await findDraft(db, process)) !== undefined
  return { ...(await beginRun(context, person, owned, { kind: 'rehearsal', ofDraft, wanted })), leftOut }
}

/** The progress of a run, and its results. */
export async function readRun(
  context: ScenarioDependencies,
  person: Person,
  process: string,
  id: string,
): Promise<RunView> {
  const { db, library } = context
  const { flow } = ownedFlow(library, person, process)
  const row = await findRun(db, process, id)
  if (!row) throw new BusinessError('platform.not-found')
  return {
    id,
    kind: row.kind,
    ofDraft: row.of_draft,
    outdated: (await outdatedRuns(context, flow))(row),
    state: row.state,
    total: row.total,
    done: row.results.length,
    passed: row.results.filter(({ passed }) => passed).length,
    askedAt: row.asked_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    results: row.results,
  }
}
