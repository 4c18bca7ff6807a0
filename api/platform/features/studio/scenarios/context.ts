import type { Kysely } from 'kysely'
import { audit } from '../../../kernel/audit/audit.ts'
import type { DB } from '../../../kernel/db/database.generated.ts'
import type { Engine } from '../../../kernel/engine/port.ts'
import { BusinessError } from '../../../kernel/errors.ts'
import type { Definitions } from '../../../model/deployed/definitions.ts'
import type { Flow, Library } from '../../../model/library/library.ts'
import type { Person } from '../../../people/persons/person.ts'
import { checks } from '../../../model/bpmn/checking/checking.ts'
import { type Content, hashOf, ownedFlow, refusedElements, withContent } from '../content/flow.ts'
import { findContent } from '../content/repository.ts'
import type { Scenario } from '../../../model/definitions/scenario.ts'
import { findDraft, contentOfDraft } from '../content/draft-repository.ts'

/**
 * Shows owners how a model behaves before it is deployed: they check and try decision tables, run scenarios on the
 * engine, and replay real cases. Nothing that the gate would reject reaches the engine.
 */
export interface ScenarioDependencies {
  db: Kysely<DB>
  engine: Pick<Engine, 'deployTrial' | 'forgetTrial'>
  library: Library
  definitions: Pick<Definitions, 'latest' | 'find'>
}

/** The content without tables that its diagram does not name. */
function tidied(flow: Flow, content: Content): Content {
  const { bpmn, dmn } = withContent(flow, content)
  return { bpmn: bpmn.content, dmn: dmn.map((table) => ({ key: table.key, content: table.content })) }
}

/** A model that the gate rejects cannot be tried either. */
export const REFUSED = 'platform.studio-model-refused'

/** The scenarios that come with the product; they can only be changed in the repository. */
export function ofRepository({ library }: ScenarioDependencies, process: string): { id: string; scenario: Scenario }[] {
  return (library.scenarios.get(process) ?? []).map((scenario, index) => ({
    id: `repository-${index + 1}`,
    scenario,
  }))
}

/** The open draft of a flow. */
export async function draftOf(
  { db }: ScenarioDependencies,
  { manifest: { process } }: Flow,
): Promise<Content | undefined> {
  return (await findDraft(db, process)) && contentOfDraft(db, process)
}

/** The version that new cases start from. */
export async function runningOf(
  { db, definitions }: ScenarioDependencies,
  { key }: Flow,
): Promise<Content | undefined> {
  return findContent(db, (await definitions.latest(key)).id)
}

/** The draft, if requested, otherwise the version that new cases start from. */
export async function writtenContent(context: ScenarioDependencies, flow: Flow, ofDraft: boolean): Promise<Content> {
  const content = await (ofDraft ? draftOf(context, flow) : runningOf(context, flow))
  if (!content) throw new BusinessError('platform.not-found')
  return content
}

/** Like `writtenContent`, but throws if the gate rejects it. */
export async function contentOf(context: ScenarioDependencies, flow: Flow, ofDraft: boolean): Promise<Content> {
  const { library } = context
  const content = await writtenContent(context, flow, ofDraft)
  const problems = await checks.problemsOf(withContent(flow, content), library)
  if (problems.length > 0) throw refusedElements(REFUSED, problems)
  return tidied(flow, content)
}

/** Which runs used models that have changed since; a run of a draft stays valid when the draft is deployed. */
export async function outdatedRuns(
  context: ScenarioDependencies,
  flow: Flow,
): Promise<(run: { of_draft: boolean; content_hash: string | null }) => boolean> {
  const contents = await Promise.all([draftOf(context, flow), runningOf(context, flow)])
  const [ofDraft, ofRunning] = contents.map((content) => content && hashOf(tidied(flow, content)))
  return ({ of_draft, content_hash }) => content_hash !== ((of_draft ? ofDraft : undefined) ?? ofRunning)
}

/** Logs an act on a scenario in the audit trail. */
export async function recordAct(
  { db, library }: ScenarioDependencies,
  person: Person,
  process: string,
  action: string,
  scenario: string,
): Promise<void> {
  const { actedAs } = ownedFlow(library, person, process)
  await db
    .transaction()
    .execute((trx) =>
      audit(trx).record({ actor: person.id, actedAs, action, object: `model:${process}`, payload: { scenario } }),
    )
}
