import type { Kysely } from 'kysely'
import { v4, v7 as uuid } from 'uuid'
import { audit } from '../../../kernel/audit/audit.ts'
import type { DB } from '../../../kernel/db/database.generated.ts'
import { type Engine, EngineRefusal, type Variables } from '../../../kernel/engine/port.ts'
import { BusinessError } from '../../../kernel/errors.ts'
import type { Definitions } from '../../../model/deployed/definitions.ts'
import type { Flow, Language, Library } from '../../../model/library/library.ts'
import type { Person } from '../../../people/persons/person.ts'
import { checks } from '../../../model/bpmn/checking.ts'
import type { TableAnalysis } from '../../../model/bpmn/decision-analysis.ts'
import { statusesOf } from '../../../model/bpmn/statuses.ts'
import { UnreadableModel } from '../../../model/bpmn/xml.ts'
import { type Content, hashOf, ownedFlow, refusedElements, withContent } from '../flow.ts'
import { studioRepository } from '../repository.ts'
import { type Parts, partsOf, withoutPersons } from './parts.ts'
import { statusesAlong } from './player.ts'
import { scenarioOf } from './rehearsal.ts'
import { type RecordedCase, type Wanted, scenarioRepository } from './repository.ts'
import type { Result, Scenario } from '../../../model/definitions/scenario.ts'

export interface ScenarioDependencies {
  db: Kysely<DB>
  engine: Pick<Engine, 'deployTrial' | 'forgetTrial'>
  library: Library
  definitions: Pick<Definitions, 'latest' | 'find'>
}

/** A content as it is told: only with the tables that its diagram names. */
function tidied(flow: Flow, content: Content): Content {
  const { bpmn, dmn } = withContent(flow, content)
  return { bpmn: bpmn.content, dmn: dmn.map((table) => ({ key: table.key, content: table.content })) }
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
  last: {
    runId: string
    at: string
    passed: boolean
    ofDraft: boolean
    /** The model, or the scenario, has changed since. */
    outdated: boolean
    reasons: Result['reasons']
  } | null
}

/** How far a run is, and what it has found. */
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

  async function draftOf({ manifest: { process } }: Flow): Promise<Content | undefined> {
    const studio = studioRepository(db)
    return (await studio.findDraft(process)) && studio.contentOfDraft(process)
  }

  async function runningOf({ key }: Flow): Promise<Content | undefined> {
    return studioRepository(db).findContent((await definitions.latest(key)).id)
  }

  /** The draft where it is asked for, otherwise the version that new cases start from. */
  async function writtenContent(flow: Flow, ofDraft: boolean): Promise<Content> {
    const content = await (ofDraft ? draftOf(flow) : runningOf(flow))
    if (!content) throw new BusinessError('platform.not-found')
    return content
  }

  /** The same, refused where the gate does. */
  async function contentOf(flow: Flow, ofDraft: boolean): Promise<Content> {
    const content = await writtenContent(flow, ofDraft)
    const problems = await checks.problemsOf(withContent(flow, content), library)
    if (problems.length > 0) throw refusedElements(REFUSED, problems)
    return tidied(flow, content)
  }

  /** What a table does to the cases of the diagram as it is drawn now. What is wrong with the diagram is told there. */
  async function drawnWith(flow: Flow, dmn: string): Promise<Flow> {
    const drawn = (await draftOf(flow)) ?? (await runningOf(flow))
    const { bpmn } = drawn ?? { bpmn: flow.bpmn.content }
    return withContent(flow, { bpmn, dmn: [{ key: `${flow.area}/table.dmn`, content: dmn }] })
  }

  /** Whether a run was of other models than there are now; what a run of a draft said holds when it is deployed. */
  async function outdatedRuns(
    flow: Flow,
  ): Promise<(run: { of_draft: boolean; content_hash: string | null }) => boolean> {
    const contents = await Promise.all([draftOf(flow), runningOf(flow)])
    const [ofDraft, ofRunning] = contents.map((content) => content && hashOf(tidied(flow, content)))
    return ({ of_draft, content_hash }) => content_hash !== ((of_draft ? ofDraft : undefined) ?? ofRunning)
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

  async function asScenario(recorded: RecordedCase): Promise<Wanted> {
    const versions = await Promise.all(recorded.definitions.map((id) => definitions.find(id)))
    return scenarioOf(
      recorded,
      versions.flatMap((version) => version?.diagram.tellingTimers ?? []),
    )
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
    /** Every scenario with how it last went; `rehearsal` is the newest run of real cases, where there is one. */
    async list(
      person: Person,
      process: string,
    ): Promise<{ items: ScenarioView[]; rehearsal: string | null; running: string | null }> {
      const { flow } = ownedFlow(library, person, process)
      const [own, runs, isOutdated] = await Promise.all([
        scenarios.list(process),
        scenarios.listRuns(process),
        outdatedRuns(flow),
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
          last: lastOf(content.name, changed_at),
        })),
      ]
      return {
        items,
        rehearsal: runs.find(({ kind }) => kind === 'rehearsal')?.id ?? null,
        running: runs.find(({ state }) => state === 'running')?.id ?? null,
      }
    },

    /** What a scenario can be made of: by the draft, or by the version that new cases start from. */
    async parts(person: Person, process: string, ofDraft: boolean, language: Language): Promise<Parts> {
      const { flow } = ownedFlow(library, person, process)
      try {
        return await partsOf(withContent(flow, await writtenContent(flow, ofDraft)), library, language)
      } catch (error) {
        if (!(error instanceof UnreadableModel)) throw error
        throw refusedElements(REFUSED, [{ element: 'definitions', reason: error.message }])
      }
    },

    /** An ended case of the flow as a scenario, to be kept or changed first; nobody's data is in it. */
    async recorded(person: Person, process: string, reference: string, language: Language): Promise<Scenario> {
      const { flow } = ownedFlow(library, person, process)
      const found = await scenarios.recordedCase(flow.key, reference)
      if (!found) throw new BusinessError('platform.no-ended-case')
      if (found.moved) throw new BusinessError('platform.case-was-moved')
      const running = withContent(flow, await contentOf(flow, false))
      const { scenario, path = [] } = await asScenario(found)
      const parts = await partsOf(running, library, language)
      await told(person, process, 'scenario.recorded', reference)
      const statuses = statusesAlong(statusesOf(running.bpmn.content), flow.manifest.firstStatus, path)
      return withoutPersons({ ...scenario, expect: { ...scenario.expect, statuses } }, running, parts)
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
      const wanted = await Promise.all(recorded.filter(({ moved }) => !moved).map(asScenario))
      if (wanted.length === 0) throw new BusinessError('platform.nothing-to-rehearse')
      const ofDraft = (await studioRepository(db).findDraft(process)) !== undefined
      return { ...(await begin(person, owned, { kind: 'rehearsal', ofDraft, wanted })), leftOut }
    },

    async getRun(person: Person, process: string, id: string): Promise<RunView> {
      const { flow } = ownedFlow(library, person, process)
      const row = await scenarios.find(process, id)
      if (!row) throw new BusinessError('platform.not-found')
      return {
        id,
        kind: row.kind as RunView['kind'],
        ofDraft: row.of_draft,
        outdated: (await outdatedRuns(flow))(row),
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
    async checkTables(person: Person, process: string, dmn: string): Promise<TableAnalysis> {
      const { flow } = ownedFlow(library, person, process)
      return checks.tables(dmn, { model: await drawnWith(flow, dmn), library })
    },

    /** Asks a decision table on the engine; nothing of it stays there. */
    async tryTable(
      person: Person,
      process: string,
      { dmn, decision, inputs }: { dmn: string; decision: string; inputs: Variables },
    ): Promise<{ rules: string[]; outputs: Variables[] }> {
      ownedFlow(library, person, process)
      const { problems } = await checks.tables(dmn)
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
