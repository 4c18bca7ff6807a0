import type { Kysely, Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { translateViolations } from '../../people/access/refusals.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type Engine, EngineRefusal } from '../../kernel/engine/port.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { heldRoles } from '../../people/access/principals.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { deployOwners, isDeployed } from '../../model/deployed/deployment.ts'
import type { Flow, Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { needsSecondOwner } from '../../people/access/second-owners.ts'
import { checks } from '../../model/bpmn/checking/checking.ts'
import { UNDECIDED } from '../../model/bpmn/checking/repository-models.ts'
import { wasRunWith } from './scenarios/repository.ts'
import { turns } from '../../kernel/turns.ts'
import { refuseLocked, refuseMovedOn } from './drafts.ts'
import { type Content, ownedFlow, refusedElements, withContent } from './content/flow.ts'
import {
  type Release,
  listVersions,
  findContent,
  findProposal,
  listWaitingProposals,
  insertProposal,
  saveRelease,
  lockProposal,
  saveProposalDecision,
} from './content/repository.ts'
import { mailOtherOwners } from './second-owner.ts'
import { lockDraftRow, findDraft, deleteDraft, contentOfDraft } from './content/draft-repository.ts'

/**
 * Deploys owners' models. A model that fails the checks of the repository's own models is rejected with its problems by
 * element. A refusal or error changes nothing, not even the draft. If the flow requires a second owner, a release is
 * first a proposal, and another owner decides on exactly that content. Tables with rows after which nobody decides need
 * an explicit confirmation and a second owner, whatever the flow requires.
 */
export interface ReleaseDependencies {
  db: Kysely<DB>
  engine: Pick<Engine, 'deploy'>
  library: Library
  definitions: Definitions
  /** Public address, for mails. */
  publicUrl: string
}

/** Messages for what the database itself rejects: a proposal made at the same moment. */
const proposedTwice = { studio_proposal_one_open: () => new BusinessError('platform.proposal-waits') }

/** A deployed version, or a proposal that waits for another owner. */
export type Outcome = { deployed: { definitionId: string; version: number } } | { waiting: { id: string } }

/** Serialises releases of this process. */
const inTurn = turns()

/**
 * Runs the transaction of a release, which lasts until the engine has deployed the model. One at a time: releases that
 * waited for each other inside transactions would exhaust the connection pool.
 */
function releaseInTurn<T>({ db }: ReleaseDependencies, act: (trx: Transaction<DB>) => Promise<T>): Promise<T> {
  return inTurn('release', () => db.transaction().execute(act))
}

/** The flow to deploy; throws if it fails the checks or changes nothing. */
async function checkedFlow(
  { db, library }: ReleaseDependencies,
  {
    flow,
    content,
    nobodyDecides,
  }: {
    flow: Flow
    content: Content
    nobodyDecides: boolean
  },
): Promise<{ changed: Flow; undecided: string[] }> {
  const changed = withContent(flow, content)
  const problems = await checks.modelProblems(changed, library, await heldRoles(db))
  const errors = problems.filter(({ level }) => level === 'error')
  if (errors.length > 0) throw refusedElements('platform.studio-model-refused', errors)
  const rows = problems.filter(({ rule }) => rule === UNDECIDED)
  if (rows.length > 0 && !nobodyDecides) throw refusedElements('platform.nobody-decides', rows)
  if (await isDeployed(db, changed, library)) throw new BusinessError('platform.model-unchanged')
  return { changed, undecided: rows.map(({ reason }) => reason) }
}

async function deployModel(
  { engine, library }: ReleaseDependencies,
  trx: Transaction<DB>,
  flow: Flow,
): Promise<{ definitionId: string; version: number }> {
  try {
    const { id, version } = await deployOwners(trx, { engine, library }, flow)
    return { definitionId: id, version }
  } catch (error) {
    if (!(error instanceof EngineRefusal)) throw error
    throw refusedElements('platform.studio-model-refused', [{ element: 'definitions', reason: error.message }])
  }
}

/** Why there is no draft to deploy: somebody was faster, or nobody has ever deployed one. */
async function noDraft(on: Kysely<DB>, flow: Flow): Promise<BusinessError> {
  const [latest] = await listVersions(on, [flow.key])
  if (!latest?.by) return new BusinessError('platform.not-found')
  const { by: name, version, deployed_at } = latest
  return new BusinessError('platform.deployed-meanwhile', { name, version, at: deployed_at.toISOString() })
}

/** Deploys a model, or proposes it if the flow requires a second owner. */
async function release(
  context: ReleaseDependencies,
  person: Person,
  { flow, actedAs }: { flow: Flow; actedAs: string },
  {
    content,
    nobodyDecides,
    action,
    ...about
  }: { content: Content; wanted: Omit<Release, 'undecided'>; nobodyDecides: boolean; action: string },
  within: (trx: Transaction<DB>) => Promise<void> = async () => undefined,
): Promise<Outcome> {
  const { library, publicUrl } = context
  const { changed, undecided } = await checkedFlow(context, { flow, content, nobodyDecides })
  const wanted = { ...about.wanted, undecided }
  const { process } = wanted
  const tell = (trx: Transaction<DB>, told: string, payload: object) =>
    audit(trx).record({ actor: person.id, actedAs, action: told, object: `model:${process}`, payload })
  return releaseInTurn(context, async (trx) => {
    await within(trx)
    if ((await listWaitingProposals(trx, [process])).length > 0) throw new BusinessError('platform.proposal-waits')
    if (undecided.length > 0 || (await needsSecondOwner(trx, process))) {
      const id = uuid()
      await translateViolations(() => insertProposal(trx, id, wanted, content, person.id), proposedTwice)
      await tell(trx, 'model.proposed', { proposal: id, ...wanted })
      await mailOtherOwners(
        trx,
        { library, publicUrl },
        { person, flow, template: 'platform.mail.model-proposed', note: wanted.note },
      )
      return { waiting: { id } }
    }
    const deployed = await deployModel(context, trx, changed)
    await saveRelease(trx, deployed.definitionId, wanted, { by: person.id })
    if (wanted.restores === null) await deleteDraft(trx, process)
    await tell(trx, action, { ...deployed, ...wanted })
    return { deployed }
  })
}

export async function deployDraft(
  context: ReleaseDependencies,
  person: Person,
  process: string,
  {
    revision,
    note,
    results = null,
    nobodyDecides = false,
  }: { revision: number; note: string; results?: string | null; nobodyDecides?: boolean },
): Promise<Outcome> {
  const { db, library } = context
  const owned = ownedFlow(library, person, process)
  const draft = await findDraft(db, process)
  if (!draft) throw await noDraft(db, owned.flow)
  refuseLocked(draft, person)
  refuseMovedOn(draft, revision)
  const content = await contentOfDraft(db, process)
  const { bpmn, dmn } = withContent(owned.flow, content)
  const told = { bpmn: bpmn.content, dmn }
  if (results !== null && !(await wasRunWith(db, process, results, told)))
    throw new BusinessError('platform.results-of-something-else')
  const wanted = { process, base: draft.base_id, restores: null, note: note.trim(), results }
  return release(context, person, owned, { content, wanted, nobodyDecides, action: 'model.deployed' }, async (trx) => {
    await lockDraftRow(trx, process)
    const now = await findDraft(trx, process)
    if (!now) throw await noDraft(trx, owned.flow)
    refuseMovedOn(now, revision)
  })
}

/** Deploys the diagram and tables of an earlier version as the newest version. */
export async function rollBack(
  context: ReleaseDependencies,
  person: Person,
  process: string,
  { definitionId, note, nobodyDecides = false }: { definitionId: string; note: string; nobodyDecides?: boolean },
): Promise<Outcome> {
  const { db, library, definitions } = context
  const owned = ownedFlow(library, person, process)
  const content = await findContent(db, definitionId)
  if (content?.flow !== owned.flow.key) throw new BusinessError('platform.not-found')
  const { id: base } = await definitions.latest(owned.flow.key)
  const wanted = { process, base, restores: definitionId, note: note.trim(), results: null }
  return release(context, person, owned, { content, wanted, nobodyDecides, action: 'model.rolled-back' })
}

/** Decides on a proposal; its author can only withdraw it. */
export async function decideProposal(
  context: ReleaseDependencies,
  person: Person,
  process: string,
  id: string,
  { accept, note, nobodyDecides = false }: { accept: boolean; note: string; nobodyDecides?: boolean },
): Promise<{ deployed: { definitionId: string; version: number } | null }> {
  const { db, library } = context
  const { flow, actedAs } = ownedFlow(library, person, process)
  const told = note.trim()
  const proposal = await findProposal(db, process, id)
  if (!proposal) throw new BusinessError('platform.not-found')
  const refuseDecided = (state: string) => {
    if (state !== 'waiting') throw new BusinessError('platform.proposal-decided')
  }
  refuseDecided(proposal.state)
  const own = proposal.proposed_by === person.id
  if (own && accept) throw new BusinessError('platform.proposal-own')
  const content = { bpmn: proposal.bpmn, dmn: proposal.dmn }
  // A proposal never changes, so it can be checked before any lock is taken.
  const checked = accept && (await checkedFlow(context, { flow, content, nobodyDecides }))
  return releaseInTurn(context, async (trx) => {
    refuseDecided(await lockProposal(trx, id))
    const tell = (action: string, payload: object) =>
      audit(trx).record({
        actor: person.id,
        actedAs,
        action,
        object: `model:${process}`,
        payload: { proposal: id, by: proposal.proposed_by, note: told, ...payload },
      })
    await saveProposalDecision(trx, id, own ? 'withdrawn' : accept ? 'accepted' : 'refused', person.id, told)
    if (!checked) {
      await tell(own ? 'model.withdrawn' : 'model.refused', {})
      return { deployed: null }
    }
    const { changed, undecided } = checked
    const deployed = await deployModel(context, trx, changed)
    const wanted = {
      process,
      base: proposal.base_id,
      restores: proposal.restores_id,
      note: proposal.note,
      results: proposal.results,
      undecided,
    }
    await saveRelease(trx, deployed.definitionId, wanted, {
      by: proposal.proposed_by,
      proposal: id,
      approvedBy: person.id,
    })
    // Keep a draft that has changed since.
    const draft = (await findDraft(trx, process)) && (await contentOfDraft(trx, process))
    if (draft?.bpmn === content.bpmn && JSON.stringify(draft.dmn) === JSON.stringify(content.dmn))
      await deleteDraft(trx, process)
    await tell('model.approved', { ...deployed, undecided })
    return { deployed }
  })
}
