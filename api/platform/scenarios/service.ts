import type { Kysely } from 'kysely'
import { v4, v7 as uuid } from 'uuid'
import { audit } from '../audit/audit.ts'
import type { DB } from '../db/database.generated.ts'
import { type Engine, EngineRefusal, type Variables } from '../engine/port.ts'
import { BusinessError } from '../errors.ts'
import type { Definitions } from '../flows/definitions.ts'
import type { Flow, Library } from '../flows/library.ts'
import type { Person } from '../identity/person.ts'
import { type TableAnalysis, analyseTables } from '../models/decision-analysis.ts'
import { gateDecisions } from '../models/decisions.ts'
import { problemsOf } from '../models/repository-models.ts'
import { type Content, ownedFlow, refusedElements, withContent } from '../studio/flow.ts'
import { studioRepository } from '../studio/repository.ts'
import { scenarioOf } from './rehearsal.ts'
import { type Wanted, scenarioRepository } from './repository.ts'
import type { Result, Scenario } from './scenario.ts'

export interface ScenarioDependencies {
  db: Kysely<DB>
  engine: Pick<Engine, 'deployTrial' | 'forgetTrial'>
  library: Library
  definitions: Pick<Definitions, 'latest'>
}

/** What the gate keeps out is not tried either. */
const REFUSED = 'platform.studio-model-refused'

/** A scenario as the studio shows it; those of the repository are changed there. */
export interface ScenarioView {
  id: string
  source: 'repository' | 'owner'
  scenario: Scenario
  changedBy: string | null
  changedAt: string | null
  /** How it went when it was last told; null where it never was. */
  last: { runId: string; at: string; passed: boolean; ofDraft: boolean } | null
}

/** How far a run is, and what it has found. */
export interface RunView {
  id: string
  kind: 'scenarios' | 'rehearsal'
  ofDraft: boolean
  state: 'running' | 'done' | 'failed'
  total: number
  done: number
  passed: number
  askedAt: string
  endedAt: string | null
  results: Result[]
}

/**
 * What owners do to know how a model behaves before it is deployed: look through and try decision tables, tell scenarios
 * to the engine, and rehearse it with real cases. Nothing reaches the engine that the gate would refuse.
 */
export function scenariosService({ db, engine, library, definitions }: ScenarioDependencies) {
  const scenarios = scenarioRepository(db)

  function ofRepository(process: string): { id: string; scenario: Scenario }[] {
    return (library.scenarios.get(process) ?? []).map((scenario, index) => ({
      id: `repository-${index + 1}`,
      scenario,
    }))
  }

  /** The draft where it is asked for, otherwise the version that new cases start from; refused where the gate does. */
  async function contentOf(flow: Flow, ofDraft: boolean): Promise<Content> {
    const studio = studioRepository(db)
    const { process } = flow.manifest
    if (ofDraft && !(await studio.findDraft(process))) throw new BusinessError('platform.not-found')
    const content = ofDraft
      ? await studio.contentOfDraft(process)
      : await studio.findContent((await definitions.latest(flow.key)).id)
    if (!content) throw new BusinessError('platform.not-found')
    const changed = withContent(flow, content)
    const problems = await problemsOf(changed, library)
    if (problems.length > 0) throw refusedElements(REFUSED, problems)
    return { bpmn: changed.bpmn.content, dmn: changed.dmn.map((table) => ({ key: table.key, content: table.content })) }
  }

  async function begin(
    person: Person,
    { flow, actedAs }: { flow: Flow; actedAs: string },
    { kind, ofDraft, wanted }: { kind: 'scenarios' | 'rehearsal'; ofDraft: boolean; wanted: Wanted[] },
  ): Promise<{ runId: string }> {
    const content = await contentOf(flow, ofDraft)
    const { process } = flow.manifest
    const id = uuid()
    const begun = await db
      .transaction()
      .execute((trx) =>
        scenarioRepository(trx).begin(id, { process, kind, ofDraft, content, wanted, by: person.id, actedAs }),
      )
    if (!begun) throw new BusinessError('platform.scenarios-running')
    return { runId: id }
  }

  async function told(person: Person, process: string, action: string, scenario: string): Promise<void> {
    const { actedAs } = ownedFlow(library, person, process)
    await db
      .transaction()
      .execute((trx) =>
        audit(trx).record({ actor: person.id, actedAs, action, object: `model:${process}`, payload: { scenario } }),
      )
  }

  return {
    async list(person: Person, process: string): Promise<ScenarioView[]> {
      ownedFlow(library, person, process)
      const [own, runs] = await Promise.all([scenarios.list(process), scenarios.listRuns(process)])
      const lastOf = (name: string): ScenarioView['last'] => {
        for (const run of runs.filter(({ kind }) => kind === 'scenarios')) {
          const result = run.results.find((one) => one.name === name)
          if (result)
            return { runId: run.id, at: run.asked_at.toISOString(), passed: result.passed, ofDraft: run.of_draft }
        }
        return null
      }
      return [
        ...ofRepository(process).map((one) => ({
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
          last: lastOf(content.name),
        })),
      ]
    },

    async create(person: Person, process: string, scenario: Scenario): Promise<{ id: string }> {
      ownedFlow(library, person, process)
      const id = uuid()
      const taken = ofRepository(process).some((one) => one.scenario.name === scenario.name)
      if (taken || !(await scenarios.create(id, process, scenario, person.id)))
        throw new BusinessError('platform.scenario-named-so')
      await told(person, process, 'scenario.created', scenario.name)
      return { id }
    },

    async update(person: Person, process: string, id: string, scenario: Scenario): Promise<void> {
      ownedFlow(library, person, process)
      const taken = ofRepository(process).some((one) => one.scenario.name === scenario.name)
      const outcome = taken ? 'taken' : await scenarios.update(id, process, scenario, person.id)
      if (outcome === 'taken') throw new BusinessError('platform.scenario-named-so')
      if (outcome === 'absent') throw new BusinessError('platform.not-found')
      await told(person, process, 'scenario.changed', scenario.name)
    },

    /** Afterwards it is not there, whoever was faster. */
    async remove(person: Person, process: string, id: string): Promise<void> {
      ownedFlow(library, person, process)
      if (await scenarios.remove(id, process)) await told(person, process, 'scenario.deleted', id)
    },

    /** Tells scenarios to the engine: those named, or all. */
    async run(person: Person, process: string, { ids, draft = false }: { ids?: readonly string[]; draft?: boolean }) {
      const owned = ownedFlow(library, person, process)
      const own = (await scenarios.list(process)).map(({ id, content }) => ({ id, scenario: content }))
      const all = [...ofRepository(process), ...own]
      const chosen = ids ? all.filter(({ id }) => ids.includes(id)) : all
      if (chosen.length === 0 || (ids && chosen.length < ids.length))
        throw new BusinessError('platform.scenario-unknown')
      return begin(person, owned, {
        kind: 'scenarios',
        ofDraft: draft,
        wanted: chosen.map(({ scenario }) => ({ scenario })),
      })
    },

    /**
     * Tells the newest ended cases anew: to the draft where there is one, otherwise to the version that runs. Those that
     * somebody moved went a way that no model leads; they are left out, by their references.
     */
    async rehearse(person: Person, process: string, last: number): Promise<{ runId: string; leftOut: string[] }> {
      const owned = ownedFlow(library, person, process)
      const recorded = await scenarios.recordedCases(owned.flow.key, last)
      const leftOut = recorded.filter(({ moved }) => moved).map(({ reference }) => reference)
      const wanted = recorded.filter(({ moved }) => !moved).map(scenarioOf)
      if (wanted.length === 0) throw new BusinessError('platform.nothing-to-rehearse')
      const ofDraft = (await studioRepository(db).findDraft(process)) !== undefined
      return { ...(await begin(person, owned, { kind: 'rehearsal', ofDraft, wanted })), leftOut }
    },

    async getRun(person: Person, process: string, id: string): Promise<RunView> {
      ownedFlow(library, person, process)
      const row = await scenarios.find(process, id)
      if (!row) throw new BusinessError('platform.not-found')
      return {
        id,
        kind: row.kind as RunView['kind'],
        ofDraft: row.of_draft,
        state: row.state as RunView['state'],
        total: row.total,
        done: row.results.length,
        passed: row.results.filter(({ passed }) => passed).length,
        askedAt: row.asked_at.toISOString(),
        endedAt: row.ended_at?.toISOString() ?? null,
        results: row.results,
      }
    },

    /** What is wrong with decision tables, for which inputs no row applies, and where more than one does. */
    checkTables(person: Person, process: string, dmn: string): TableAnalysis {
      ownedFlow(library, person, process)
      const problems = gateDecisions(dmn)
      return problems.length > 0 ? { problems, gaps: [], overlaps: [] } : analyseTables(dmn)
    },

    /** Asks a decision table on the engine; nothing of it stays there. */
    async tryTable(
      person: Person,
      process: string,
      { dmn, decision, inputs }: { dmn: string; decision: string; inputs: Variables },
    ): Promise<{ rules: string[]; outputs: Variables[] }> {
      ownedFlow(library, person, process)
      const problems = gateDecisions(dmn)
      if (problems.length > 0) throw refusedElements(REFUSED, problems)
      const resources = [{ name: 'table.dmn', content: dmn }]
      try {
        const trial = await engine.deployTrial({ name: process, tenantId: `trial-${v4()}`, resources })
        try {
          const asked = trial.decisions.find(({ key }) => key === decision)
          if (!asked) throw new BusinessError('platform.not-found')
          return await trial.decide(asked.id, inputs)
        } finally {
          await engine.forgetTrial(trial.deploymentId)
        }
      } catch (error) {
        if (!(error instanceof EngineRefusal)) throw error
        throw refusedElements(REFUSED, [{ element: decision, reason: error.message }])
      }
    },
  }
}
