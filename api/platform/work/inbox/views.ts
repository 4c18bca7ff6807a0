import type { Kysely } from 'kysely'
import { v7 as uuid } from 'uuid'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Person } from '../../people/persons/person.ts'
import { bound } from '../../kernel/bound.ts'

/** A queue with its filters, sort, grouping and columns, saved under a name. */
export interface InboxView {
  id: string
  name: string
  /** As in the address bar. */
  query: Record<string, string>
  /** People who hold this role see the view too. */
  sharedWith: string | null
  /** Whether it belongs to the reader. */
  own: boolean
  version: number
}

interface Given {
  name: string
  query: Record<string, string>
  sharedWith?: string | null | undefined
}

/** Maximum views per person. */
const MAX_VIEWS = 100

/** The list that a view belongs to: the inbox, or the search of the audit trail. */
export type Viewed = 'inbox' | 'audit'

/** The views of a list that a person owns, or that are shared with a role of theirs. */
export function visibleViews(db: Kysely<DB>, person: Person, list: Viewed = 'inbox') {
  return db
    .selectFrom('inbox_view')
    .select(['id', 'name', 'query', 'shared_with', 'owner_id', 'version'])
    .where('list', '=', list)
    .where((eb) => eb.or([eb('owner_id', '=', person.id), eb('shared_with', 'in', rolesOf(person))]))
}

/** The database, and the list that the views belong to. */
interface ViewsContext {
  db: Kysely<DB>
  list?: Viewed
}

function toldView(person: Person, row: Awaited<ReturnType<typeof findView>> & object): InboxView {
  return {
    id: row.id,
    name: row.name,
    query: row.query,
    sharedWith: row.shared_with,
    own: row.owner_id === person.id,
    version: row.version,
  }
}

function findView({ db, list = 'inbox' }: ViewsContext, person: Person, id: string) {
  return visibleViews(db, person, list).where('id', '=', id).executeTakeFirst()
}

/** The view with this id, if it belongs to this person. */
async function findOwnView(context: ViewsContext, person: Person, id: string): Promise<InboxView> {
  const row = await findView(context, person, id)
  if (row?.owner_id !== person.id) throw new BusinessError('platform.not-found')
  return toldView(person, row)
}

function checkSharing(person: Person, role: string | null | undefined): void {
  if (role && !rolesOf(person).includes(role)) throw new BusinessError('platform.not-allowed')
}

async function noteView(
  { list = 'inbox' }: ViewsContext,
  person: Person,
  act: string,
  id: string,
  payload: object,
  trx: Parameters<typeof audit>[0],
): Promise<void> {
  const kind = `${list}-view`
  await audit(trx).record({ actor: person.id, action: `${kind}.${act}`, object: `${kind}:${id}`, payload })
}

/** Own views first, then by name. */
export async function listViews({ db, list = 'inbox' }: ViewsContext, person: Person): Promise<InboxView[]> {
  const rows = await visibleViews(db, person, list).orderBy('name').orderBy('id').execute()
  const views = rows.map((row) => toldView(person, row))
  return [...views.filter((view) => view.own), ...views.filter((view) => !view.own)]
}

export async function saveView(
  context: ViewsContext,
  person: Person,
  { name, query, sharedWith = null }: Given,
): Promise<InboxView> {
  const { db, list = 'inbox' } = context
  checkSharing(person, sharedWith)
  const id = uuid()
  await db.transaction().execute(async (trx) => {
    const { count } = await trx
      .selectFrom('inbox_view')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('owner_id', '=', person.id)
      .where('list', '=', list)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_VIEWS) throw new BusinessError('platform.too-many-views', { most: MAX_VIEWS })
    const view = {
      id,
      owner_id: person.id,
      list,
      name: name.trim(),
      shared_with: sharedWith,
      query: JSON.stringify(query),
    }
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('inbox_view')
      .values(view)
      .onConflict((oc) => oc.columns(['owner_id', 'list', 'name']).doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) throw new BusinessError('platform.view-name-taken', { name })
    await noteView(context, person, 'saved', id, { name, query, sharedWith }, trx)
  })
  return findOwnView(context, person, id)
}

/** Changes the given properties of the version that the caller has seen. */
export async function changeView(
  context: ViewsContext,
  person: Person,
  id: string,
  { version, ...given }: Partial<Given> & { version: number },
): Promise<InboxView> {
  const { db, list = 'inbox' } = context
  const { name, query, sharedWith } = given
  const before = await findOwnView(context, person, id)
  checkSharing(person, sharedWith)
  await db.transaction().execute(async (trx) => {
    if (name !== undefined && name.trim() !== before.name) {
      const other = await trx
        .selectFrom('inbox_view')
        .select('id')
        .where('owner_id', '=', person.id)
        .where('list', '=', list)
        .where('name', '=', name.trim())
        .executeTakeFirst()
      if (other) throw new BusinessError('platform.view-name-taken', { name })
    }
    const { numUpdatedRows } = await trx
      .updateTable('inbox_view')
      .set((eb) => ({
        ...(name !== undefined && { name: name.trim() }),
        ...(query && { query: JSON.stringify(query) }),
        ...(sharedWith !== undefined && { shared_with: sharedWith }),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .where('owner_id', '=', person.id)
      .where('version', '=', version)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw new BusinessError('platform.changed-meanwhile')
    await noteView(context, person, 'changed', id, given, trx)
  })
  return findOwnView(context, person, id)
}

export async function deleteView(context: ViewsContext, person: Person, id: string): Promise<void> {
  const { db } = context
  const { name } = await findOwnView(context, person, id)
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('inbox_view').where('id', '=', id).where('owner_id', '=', person.id).execute()
    await noteView(context, person, 'deleted', id, { name }, trx)
  })
}

/** Views of a list. Their owner changes them and shares them with a role that the owner holds. */
export function inboxViews(db: Kysely<DB>, list: Viewed = 'inbox') {
  return bound({ db, list }, { list: listViews, save: saveView, change: changeView, delete: deleteView })
}

/** The roles that a person holds, in any unit. */
function rolesOf({ grants }: Person): string[] {
  // PostgreSQL rejects an empty list, and no role has this name.
  return ['', ...new Set(grants.map(({ role }) => role))]
}
