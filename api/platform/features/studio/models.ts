import type { Kysely } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { heldRoles } from '../../people/access/principals.ts'
import type { Language, Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { listSecondOwners } from '../../people/access/second-owners.ts'
import type { ModelProblem } from '../../model/bpmn/checking/check-thread.ts'
import { checks } from '../../model/bpmn/checking/checking.ts'
import { rightToProcess } from '../../people/access/process-owners.ts'
import { type Content, ownedFlow, withContent } from './content/flow.ts'
import { migrationRepository } from '../../work/rows/migrations.ts'
import { listVersions, listOwners, listWaitingProposals, findContent, findProposal } from './content/repository.ts'
import { type Vocabulary, vocabularyOf } from './vocabulary.ts'
import { listDrafts, findDraft, contentOfDraft } from './content/draft-repository.ts'
import { listWaivers } from './second-owner-repository.ts'

/** A version of a flow as the studio shows it. */
export interface VersionView {
  definitionId: string
  version: number
  deployedAt: string
  /** Who deployed it, and why; null if it came with the product. */
  by: string | null
  note: string | null
  source: 'repository' | 'owner'
  approvedBy: string | null
  /** Results of the scenarios that it was deployed with. */
  results: Results | null
  /** How many of its cases run, and how many have ended. */
  running: number
  ended: number
}

/** How many scenarios passed before a model was deployed or proposed. */
interface Results {
  runId: string
  passed: number
  total: number
}

function resultsOf({ run, passed, total }: { run: string | null; passed: number | null; total: number | null }) {
  return run === null || passed === null || total === null ? null : { runId: run, passed, total }
}

/** Models of the flows that the person owns; of all flows for ADMIN and SA. */
export interface ModelsContext {
  db: Kysely<DB>
  library: Library
}

async function versionsOf({ db }: ModelsContext, flows: readonly string[]): Promise<Map<string, VersionView[]>> {
  const rows = await listVersions(db, flows)
  const viewOf = (row: (typeof rows)[number]) => ({
    definitionId: row.id,
    version: row.version,
    deployedAt: row.deployed_at.toISOString(),
    by: row.by,
    note: row.note,
    source: row.source,
    approvedBy: row.approved_by,
    results: resultsOf(row),
    running: row.running,
    ended: row.ended,
  })
  const byFlow = Map.groupBy(rows, ({ flow }) => flow)
  return new Map(flows.map((flow) => [flow, (byFlow.get(flow) ?? []).map(viewOf)]))
}

/** The flows with their owners, running version, cases per version, and open draft or proposal. */
export async function listModels(context: ModelsContext, person: Person, language: Language) {
  const { db, library } = context
  const flows = [...library.flows.values()].filter(
    ({ manifest }) => rightToProcess(person, manifest.process) !== undefined,
  )
  if (flows.length === 0) return []
  const processes = flows.map(({ manifest }) => manifest.process)
  const [versions, owners, drafts, waiting, moving, twoOwners, waivers] = await Promise.all([
    versionsOf(
      context,
      flows.map(({ key }) => key),
    ),
    listOwners(db, processes),
    listDrafts(db, processes),
    listWaitingProposals(db, processes),
    migrationRepository(db).listGoingOn(processes),
    listSecondOwners(db),
    listWaivers(db, processes),
  ])
  return flows.map(({ key, area, manifest: { process, title } }) => {
    const own = known(versions.get(key), 'the versions of a flow')
    const ofProcess = <T extends { process: string }>(rows: readonly T[]) =>
      rows.filter((row) => row.process === process)
    return {
      process,
      flow: key,
      title: library.text(title, {}, language),
      area,
      owners: ofProcess(owners).map(({ name }) => name),
      running: runningView(own),
      cases: own
        .filter(({ running, ended }) => running + ended > 0)
        .map(({ definitionId, version, running, ended }) => ({ definitionId, version, running, ended })),
      draft: draftSummary(ofProcess(drafts)),
      waiting: proposalSummary(ofProcess(waiting), person),
      moving: ofProcess(moving).map(({ id, from, to }) => ({ id, from, to })),
      secondOwner: twoOwners.includes(process),
      mayAskWaiver: person.seesAll,
      waiver: waiverSummary(ofProcess(waivers), person),
    }
  })
}

/** The version that new cases start from. */
function runningView([latest]: readonly VersionView[]) {
  if (!latest) return null
  const { definitionId, version, deployedAt, by, note, source } = latest
  return { definitionId, version, deployedAt, by, note, source }
}

function draftSummary([draft]: Awaited<ReturnType<typeof listDrafts>>) {
  if (!draft) return null
  return {
    revision: draft.revision,
    savedAt: draft.saved_at.toISOString(),
    savedBy: draft.saver,
    lockedBy: draft.holder_name,
  }
}

function proposalSummary([proposal]: Awaited<ReturnType<typeof listWaitingProposals>>, person: Person) {
  if (!proposal) return null
  return {
    id: proposal.id,
    note: proposal.note,
    proposedBy: proposal.by,
    proposedAt: proposal.proposed_at.toISOString(),
    mine: proposal.proposed_by === person.id,
    undecided: proposal.undecided,
    results: resultsOf(proposal),
  }
}

function waiverSummary([waiver]: Awaited<ReturnType<typeof listWaivers>>, person: Person) {
  if (!waiver) return null
  return {
    id: waiver.id,
    reason: waiver.reason,
    askedBy: waiver.by,
    askedAt: waiver.asked_at.toISOString(),
    mine: waiver.asked_by === person.id,
  }
}

/** Every version, newest first. */
export async function listModelVersions(
  context: ModelsContext,
  person: Person,
  process: string,
): Promise<VersionView[]> {
  const { library } = context
  const { flow } = ownedFlow(library, person, process)
  const versions = await versionsOf(context, [flow.key])
  return known(versions.get(flow.key), 'the versions of a flow')
}

/** A version with its diagram and tables. Throws `platform.not-found` for a version of another flow. */
export async function readModelVersion(
  { db, library }: ModelsContext,
  person: Person,
  process: string,
  definitionId: string,
) {
  const { flow } = ownedFlow(library, person, process)
  const found = await findContent(db, definitionId)
  if (found?.flow !== flow.key) throw new BusinessError('platform.not-found')
  return { definitionId, version: found.version, bpmn: found.bpmn, dmn: [...found.dmn] }
}

/** Exactly what another owner is asked to approve; the draft may have changed since. */
export async function readProposal({ db, library }: ModelsContext, person: Person, process: string, id: string) {
  ownedFlow(library, person, process)
  const found = await findProposal(db, process, id)
  if (!found) throw new BusinessError('platform.not-found')
  return {
    id,
    state: found.state,
    note: found.note,
    proposedBy: found.by,
    proposedAt: found.proposed_at.toISOString(),
    mine: found.proposed_by === person.id,
    base: { definitionId: found.base_id, version: found.base_version },
    restores: found.restores,
    results: found.results,
    bpmn: found.bpmn,
    dmn: found.dmn,
  }
}

/** Everything that a model of the flow may name, with the tables of the open draft or else of the running version. */
export async function readVocabulary(
  context: ModelsContext,
  person: Person,
  process: string,
  language: Language,
): Promise<Vocabulary> {
  const { library } = context
  const { flow } = ownedFlow(library, person, process)
  return vocabularyOf(flow, await tablesOf(context, process, flow.key), library, language)
}

/**
 * What is wrong with a model, by the checks that precede a deployment. A newer check by the same person cancels this
 * one.
 */
export async function checkModel(
  context: ModelsContext,
  person: Person,
  process: string,
  { bpmn, dmn }: { bpmn: string; dmn?: Content['dmn'] },
): Promise<ModelProblem[]> {
  const { db, library } = context
  const { flow } = ownedFlow(library, person, process)
  const changed = withContent(flow, { bpmn, dmn: dmn ?? (await tablesOf(context, process, flow.key)) })
  const of = `${process} ${person.id}`
  return checks.modelProblems(changed, library, await heldRoles(db), { of })
}

async function tablesOf({ db, library }: ModelsContext, process: string, flow: string): Promise<Content['dmn']> {
  if (await findDraft(db, process)) return (await contentOfDraft(db, process)).dmn
  const [latest] = await listVersions(db, [flow])
  const content = latest ? await findContent(db, latest.id) : library.flows.get(flow)
  return known(content, 'the content of a flow').dmn
}
