import type { Kysely, Transaction } from 'kysely'
import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { type Content, type Table, ownedFlow } from './content/flow.ts'
import { findContent } from './content/repository.ts'
import {
  type DraftRow,
  lockDraftRow,
  findDraft,
  deleteDraft,
  setDraftLock,
  clearDraftLock,
  contentOfDraft,
  insertDraft,
  updateDraft,
} from './content/draft-repository.ts'

/**
 * The one open draft of a flow. The editor holds its lock, which expires some minutes after the last save and can be
 * taken over. A save names the revision that it is based on, so nothing is overwritten unseen.
 */
export interface DraftDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
}

/** Who may edit a draft, and when the lock expires. */
export interface Lock {
  by: string
  until: string
  mine: boolean
}

/** A draft with its content. */
export interface DraftView {
  revision: number
  bpmn: string
  dmn: Table[]
  savedAt: string
  savedBy: string
  /** The version that it was begun from. */
  base: { definitionId: string; version: number }
  /** Another version has been deployed since. */
  behind: boolean
  lock: Lock | null
}

/** Largest diagram or table, in bytes. */
const MAX_MODEL_BYTES = 1024 * 1024
/** Largest set of stored tables, in bytes. */
const MAX_TABLES_BYTES = 2 * MAX_MODEL_BYTES

async function viewDraft(
  { definitions }: DraftDependencies,
  on: Kysely<DB>,
  person: Person,
  process: string,
  flow: string,
): Promise<DraftView> {
  const draft = await findDraft(on, process)
  if (!draft) throw new BusinessError('platform.not-found')
  const [{ bpmn, dmn }, latest] = await Promise.all([contentOfDraft(on, process), definitions.latest(flow)])
  return {
    revision: draft.revision,
    bpmn,
    dmn: [...dmn],
    savedAt: draft.saved_at.toISOString(),
    savedBy: draft.saver,
    base: { definitionId: draft.base_id, version: draft.base_version },
    behind: latest.id !== draft.base_id,
    lock: lockOf(draft, person),
  }
}

/** Changes the draft of a flow under its row lock. */
async function changeDraft<T>(
  { db, library }: DraftDependencies,
  person: Person,
  process: string,
  act: (at: {
    trx: Transaction<DB>
    draft: DraftRow
    area: string
    record(action: string, payload: object): Promise<void>
  }) => Promise<T>,
): Promise<T> {
  const { flow, actedAs } = ownedFlow(library, person, process)
  return db.transaction().execute(async (trx) => {
    await lockDraftRow(trx, process)
    const draft = await findDraft(trx, process)
    if (!draft) throw new BusinessError('platform.not-found')
    const record = (action: string, payload: object) =>
      audit(trx).record({ actor: person.id, actedAs, action, object: `model:${process}`, payload })
    return act({ trx, draft, area: flow.area, record })
  })
}

/** Begins a draft from a version, the running one by default, or returns the open draft. */
export async function beginDraft(
  context: DraftDependencies,
  person: Person,
  process: string,
  from: string | undefined,
): Promise<DraftView> {
  const { db, library, definitions } = context
  const { flow, actedAs } = ownedFlow(library, person, process)
  const base = from ?? (await definitions.latest(flow.key)).id
  return db.transaction().execute(async (trx) => {
    const content = await findContent(trx, base)
    if (content?.flow !== flow.key) throw new BusinessError('platform.not-found')
    if (await insertDraft(trx, process, base, content, person.id)) {
      await setDraftLock(trx, process, person.id)
      await audit(trx).record({
        actor: person.id,
        actedAs,
        action: 'model-draft.begun',
        object: `model:${process}`,
        payload: { from: base, version: content.version },
      })
    } else if (from !== undefined) {
      const { saver, saved_at } = known(await findDraft(trx, process), 'the open draft')
      throw new BusinessError('platform.draft-open', { name: saver, at: saved_at.toISOString() })
    }
    return viewDraft(context, trx, person, process, flow.key)
  })
}

export async function readDraft(context: DraftDependencies, person: Person, process: string): Promise<DraftView> {
  const { db, library } = context
  const { flow } = ownedFlow(library, person, process)
  return viewDraft(context, db, person, process, flow.key)
}

/** Saves the changed parts, and takes or renews the lock. */
export async function saveDraft(
  context: DraftDependencies,
  person: Person,
  process: string,
  { revision, bpmn, dmn }: { revision: number; bpmn?: string; dmn?: Content['dmn'] },
): Promise<{ revision: number; savedAt: string }> {
  return changeDraft(context, person, process, async ({ trx, draft, area, record }) => {
    refuseLocked(draft, person)
    refuseMovedOn(draft, revision)
    for (const content of [bpmn, ...(dmn ?? []).map((table) => table.content)])
      if (content !== undefined && Buffer.byteLength(content) > MAX_MODEL_BYTES)
        throw new BusinessError('platform.model-too-large')
    if (dmn && Buffer.byteLength(JSON.stringify(dmn)) > MAX_TABLES_BYTES)
      throw new BusinessError('platform.tables-too-large')
    if (dmn) refuseForeign(area, dmn)
    // One audit entry per editing session, however often it is saved.
    if (draft.holder === null) await record('model-draft.edited', { revision: draft.revision })
    await setDraftLock(trx, process, person.id)
    const saved = await updateDraft(
      trx,
      process,
      { ...(bpmn !== undefined && { bpmn }), ...(dmn !== undefined && { dmn }) },
      person.id,
    )
    return { revision: saved.revision, savedAt: saved.saved_at.toISOString() }
  })
}

export async function discardDraft(context: DraftDependencies, person: Person, process: string): Promise<void> {
  await changeDraft(context, person, process, async ({ trx, draft, record }) => {
    refuseLocked(draft, person)
    await record('model-draft.discarded', { base: draft.base_id, revision: draft.revision })
    await deleteDraft(trx, process)
  })
}

/** Takes or renews the lock; takes it from somebody else only if asked to. */
export async function takeDraftLock(
  context: DraftDependencies,
  person: Person,
  process: string,
  takeOver: boolean,
): Promise<Lock> {
  return changeDraft(context, person, process, async ({ trx, draft, record }) => {
    if (!takeOver) refuseLocked(draft, person)
    if (draft.holder !== null && draft.holder !== person.id)
      await record('model-draft.taken-over', { from: draft.holder, revision: draft.revision })
    const until = await setDraftLock(trx, process, person.id)
    return { by: person.name, until: until.toISOString(), mine: true }
  })
}

/** Releases the lock; does nothing if somebody else holds it. */
export async function dropDraftLock(context: DraftDependencies, person: Person, process: string): Promise<void> {
  await changeDraft(context, person, process, ({ trx }) => clearDraftLock(trx, process, person.id))
}

/** Throws if somebody else is editing. */
export function refuseLocked(draft: DraftRow, person: Person): void {
  const lock = lockOf(draft, person)
  if (!lock || lock.mine) return
  const { by, until } = lock
  throw new BusinessError('platform.draft-locked', { name: by, at: until }, [], { by, until })
}

/** Throws if the given revision is not the last one. */
export function refuseMovedOn({ revision: last, saver, saved_at }: DraftRow, revision: number): void {
  if (last === revision) return
  const at = saved_at.toISOString()
  throw new BusinessError('platform.draft-moved-on', { name: saver, at }, [], { by: saver, at, revision: last })
}

/** Throws if a table is of another area or occurs twice. */
function refuseForeign(area: string, dmn: readonly Table[]): void {
  const keys = dmn.map(({ key }) => key)
  const foreign = keys.find((key, at) => !key.startsWith(`${area}/`) || keys.indexOf(key) !== at)
  if (foreign !== undefined) throw new BusinessError('platform.table-foreign', { table: foreign, area })
}

function lockOf({ holder, holder_name, lock_until }: DraftRow, person: Person): Lock | null {
  if (holder === null) return null
  const until = known(lock_until, 'until when the draft is locked').toISOString()
  return { by: known(holder_name, 'who has locked the draft'), until, mine: holder === person.id }
}
