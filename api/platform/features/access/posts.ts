import type { Kysely, Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Person } from '../../people/persons/person.ts'
import { mail } from '../../records/mail/mail.ts'
import { type Page, counted, cursorOf, readCursor } from '../../kernel/paging.ts'
import {
  type AccessDependencies,
  type Span,
  type Warning,
  accessChanges,
  activeAccount,
  before,
  effectOf,
  endOf,
  spanOf,
} from '../../work/access/changes.ts'
import { rightOf, scopeOf } from './grants.ts'
import { principalsOf, type Scope, type Unit, type Units, principalOf, readUnits } from '../../people/access/units.ts'
import { scopeTrouble, mayGrant } from '../../people/access/rights.ts'
import {
  type HolderRow,
  addGrants,
  addHolder,
  countWaitingTasks,
  endGrants,
  endHolder,
  findHolder,
  listGrantsOfHolder,
  listHolders,
  listPostsOf,
  settleAt,
} from '../../people/access/repository.ts'
import type { Shift } from '../../work/access/settle.ts'
import { POST_HOLDER } from '../../model/definitions/manifest.ts'

/** Somebody's holding of a post. */
export interface HolderView {
  holderId: string
  account: { id: string; name: string }
  startsAt: string
  endsAt: string | null
  acting: boolean
  reason: string
}

/** A post with who holds it, who acts for it, and who holds it next. */
export interface PostView {
  id: string
  title: string
  code: string
  role: string
  head: boolean
  scope: { kind: string; id: string; name: string } | null
  holder: HolderView | null
  acting: HolderView | null
  next: HolderView | null
}

export interface PostQuery {
  search?: string
  state?: 'vacant' | 'held'
  unit?: Scope
  cursor?: string
  limit?: number
}

/** An appointment as it is asked for. */
export interface Appointment {
  accountId: string
  startsAt?: string
  endsAt?: string | null
  acting?: boolean
  reason: string
}

type Post = Unit & { role: string }

/*
 * Posts and who holds them. Whoever holds a post has its role where the post stands, for just as long; tasks are offered
 * to the role, so a change of head moves the grant and not the tasks.
 */

/** Ends a holding and the grants that go with it, whatever the post gives today; answers whose holders change by it. */
async function endHolding(
  trx: Transaction<DB>,
  person: Person,
  holding: HolderRow,
  { endsAt, reason }: { endsAt: Date | null; reason: string },
  units: Units,
): Promise<string[]> {
  const grants = await listGrantsOfHolder(trx, holding.id)
  for (const grant of grants.filter(({ role }) => role !== POST_HOLDER))
    refuseUngrantable(person, grant.role, scopeOf(grant), units)
  await endHolder(trx, holding.id, endsAt, person.id, reason)
  await endGrants(
    trx,
    grants.map(({ id }) => id),
    endsAt,
    person.id,
    reason,
  )
  await settleAt(trx, [endsAt])
  return grants.flatMap((grant) => principalsOf(grant.role, scopeOf(grant)))
}

/** Appoints somebody, after all that would forbid it; whoever holds the post until then leaves it. */
async function appoint(
  trx: Transaction<DB>,
  person: Person,
  post: Post,
  to: Person,
  { span, acting, reason }: { span: Span; acting: boolean; reason: string },
  units: Units,
): Promise<{ id: string; predecessor: HolderRow | undefined; shift: Shift }> {
  if (to.id === person.id) throw new BusinessError('platform.own-grant')
  refuseUngrantable(person, post.role, post.above, units)
  if (scopeTrouble(post.role, post.above, units)) throw new BusinessError('platform.post-misplaced')
  const standing = (await listHolders(trx, [post.id], { standing: true })).filter((one) => one.acting === acting)
  const start = span.startsAt?.getTime() ?? Date.now()
  const predecessor = standing.find(
    (one) => one.starts_at.getTime() <= start && (one.ends_at?.getTime() ?? Infinity) > start,
  )
  if (predecessor?.account_id === to.id) throw new BusinessError('platform.post-held-already')
  const next = standing.find(
    (one) => one.starts_at.getTime() > start && one.starts_at.getTime() < (span.endsAt?.getTime() ?? Infinity),
  )
  if (next)
    throw new BusinessError('platform.post-taken-then', { name: next.name, from: next.starts_at.toISOString() }, [
      {
        field: '/endsAt',
        code: 'platform.post-taken-then',
        values: { name: next.name, from: next.starts_at.toISOString() },
      },
    ])
  const left = predecessor ? await endHolding(trx, person, predecessor, { endsAt: span.startsAt, reason }, units) : []
  const id = await addHolder(trx, { post: post.id, account: to.id, acting, ...span, by: person.id, reason })
  const given = { account: to.id, ...span, origin: 'post' as const, holder: id, by: person.id, reason }
  const grants = grantsOfPost(post)
  await addGrants(
    trx,
    grants.map((grant) => ({ ...given, ...grant })),
  )
  await settleAt(trx, [span.startsAt, span.endsAt])
  const concerned = [to.id, ...(predecessor ? [predecessor.account_id] : [])]
  const principals = [...left, ...grants.flatMap(({ role, scope }) => principalsOf(role, scope))]
  return { id, predecessor, shift: { accounts: concerned, principals } }
}

async function viewPosts(on: Kysely<DB>, posts: readonly Unit[], units: Units): Promise<PostView[]> {
  const holders = await listHolders(
    on,
    posts.map(({ id }) => id),
    { standing: true },
  )
  const byPost = Map.groupBy(holders, (one) => one.post_id)
  return posts.map((post) => {
    const own = byPost.get(post.id) ?? []
    const now = own.filter(({ state, active }) => state === 'current' && active)
    const shown = (row: HolderRow | undefined) => (row ? holderView(row) : null)
    return {
      id: post.id,
      title: post.name,
      code: post.code,
      role: post.role ?? '',
      head: post.head,
      scope: post.above && { ...post.above, name: units.find(post.above)?.name ?? post.above.id },
      holder: shown(now.find(({ acting }) => !acting)),
      acting: shown(now.find(({ acting }) => acting)),
      next: shown(own.find(({ state }) => state === 'future')),
    }
  })
}

/** Posts in use by name. */
export async function listPosts(
  { db }: AccessDependencies,
  { search = '', state, unit, cursor, limit = 20 }: PostQuery,
): Promise<Page<PostView>> {
  const units = await readUnits(db)
  const words = search.trim().toLowerCase()
  const wanted = units
    .list()
    .filter(({ kind, active }) => kind === 'post' && active)
    .filter(({ name, code }) => `${name} ${code}`.toLowerCase().includes(words))
    .filter(({ above }) => !unit || units.within(above, unit))
  const all = (await viewPosts(db, wanted, units))
    .filter(({ holder, acting }) => !state || (state === 'vacant') === (holder === null && acting === null))
    .toSorted((a, b) => order(a, b.title, b.id))
  const [title, id] = cursor === undefined ? [] : readCursor(cursor, ['text', 'id'])
  const rest = title === undefined ? all : all.filter((one) => order(one, title, id!) > 0)
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    next: rest.length > limit && last ? cursorOf([last.title, last.id]) : null,
    count: counted(all.length),
  }
}

/** A post with everybody who has held it, and the tasks that are offered to it now. */
export async function readPost({ db }: AccessDependencies, person: Person, id: string) {
  const units = await readUnits(db)
  const post = postOf(units, id)
  const [[shown], history, waiting] = await Promise.all([
    viewPosts(db, [post], units),
    listHolders(db, [id]),
    countWaitingTasks(db, principalOf(post.role, post.above)),
  ])
  return {
    ...shown!,
    history: history.toReversed().map(holderView),
    waiting: counted(waiting),
    mayAppoint: post.active && mayGrant(person, post.role, post.above, units),
  }
}

/** Appoints somebody to a post; who held it before leaves it in the same moment. */
export async function appointHolder(
  dependencies: AccessDependencies,
  person: Person,
  postId: string,
  { accountId, acting = false, reason, ...dates }: Appointment,
) {
  const changes = accessChanges(dependencies)
  const span = spanOf(dates)
  return changes.make(async (trx) => {
    const units = await readUnits(trx)
    const post = postInUse(units, postId)
    const to = await activeAccount(trx, accountId, '/accountId')
    const { id, predecessor, shift } = await appoint(trx, person, post, to, { span, acting, reason }, units)
    const holding = (await findHolder(trx, id))!
    await audit(trx).record({
      actor: person.id,
      actedAs: rightOf(person, post.role),
      action: 'post.appointed',
      object: `post:${postId}`,
      payload: { ...holderView(holding), predecessor: predecessor?.account_id ?? null, post: post.name, reason },
    })
    const letters = mail(trx, dependencies)
    const values = { post: post.name, from: holding.starts_at.toISOString(), reason }
    await letters.send({ to: accountId, template: 'platform.mail.appointed', values })
    if (predecessor)
      await letters.send({
        to: predecessor.account_id,
        template: 'platform.mail.appointment-ended',
        values: { post: post.name, until: values.from, reason },
      })
    return { result: holderView(holding), shift }
  })
}

/** Ends a holding now or at a moment to come; until somebody follows, the post is vacant. */
export async function endAppointment(
  dependencies: AccessDependencies,
  person: Person,
  holderId: string,
  { endsAt, reason }: { endsAt?: string; reason: string },
) {
  const changes = accessChanges(dependencies)
  return changes.make(async (trx) => {
    const units = await readUnits(trx)
    const holder = await findHolder(trx, holderId)
    if (!holder) throw new BusinessError('platform.not-found')
    const post = postOf(units, holder.post_id)
    if (holder.account_id === person.id) throw new BusinessError('platform.own-grant')
    refuseUngrantable(person, post.role, post.above, units)
    if (holder.state === 'ended') throw new BusinessError('platform.grant-ended')
    const left = await endHolding(trx, person, holder, { endsAt: endOf(endsAt), reason }, units)
    const holding = (await findHolder(trx, holderId))!
    await audit(trx).record({
      actor: person.id,
      actedAs: rightOf(person, post.role),
      action: 'post.left',
      object: `post:${post.id}`,
      payload: { ...holderView(holding), post: post.name, reason },
    })
    await mail(trx, dependencies).send({
      to: holder.account_id,
      template: 'platform.mail.appointment-ended',
      values: { post: post.name, until: holding.ends_at!.toISOString(), reason },
    })
    const principals = [...left, ...principalsOf(post.role, post.above)]
    const shift = { accounts: [holder.account_id], principals }
    return { result: holderView(holding), shift }
  })
}

/** What appointing somebody would change at this moment. */
export async function effectOfAppointment(
  dependencies: AccessDependencies,
  person: Person,
  postId: string,
  { accountId }: { accountId: string },
) {
  const { library } = dependencies
  const changes = accessChanges(dependencies)
  return changes.preview(async (trx, settle) => {
    const units = await readUnits(trx)
    const post = postInUse(units, postId)
    const to = await activeAccount(trx, accountId, '/accountId')
    const had = await before(trx, to)
    const span = { startsAt: null, endsAt: null }
    const next = (await listHolders(trx, [postId], { standing: true })).find(
      ({ state, acting }) => state === 'future' && !acting,
    )
    const { predecessor, shift } = await appoint(
      trx,
      person,
      post,
      to,
      { span: { ...span, endsAt: next?.starts_at ?? null }, acting: false, reason: 'only looked at' },
      units,
    )
    const { released } = await settle(shift)
    const { tasks } = await effectOf(trx, library, had, 0)
    const others = (await listPostsOf(trx, accountId)).filter(
      ({ state, post_id }) => state === 'current' && post_id !== postId,
    )
    const warnings = others.map(({ post_id }): Warning => {
      const code = 'platform.effect.other-post'
      return { code, text: library.text(code, { post: units.find({ kind: 'post', id: post_id })?.name ?? '' }) }
    })
    return {
      successor: { tasksTaken: tasks.gained },
      predecessor: predecessor
        ? { id: predecessor.account_id, name: predecessor.name, released: counted(released.length) }
        : null,
      warnings,
    }
  })
}

/** What goes with a post for as long as somebody holds it: its role where it stands, and being who holds this post. */
export function grantsOfPost({ id, role, above }: Pick<Unit, 'id' | 'above'> & { role: string }): {
  role: string
  scope: Scope | null
}[] {
  return [
    { role, scope: above },
    { role: POST_HOLDER, scope: { kind: 'post', id } },
  ]
}

/** A holding as people administration shows it. */
export function holderView(row: HolderRow): HolderView {
  return {
    holderId: row.id,
    account: { id: row.account_id, name: row.name },
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    acting: row.acting,
    reason: row.reason,
  }
}

function postOf(units: Units, id: string): Post {
  const post = units.find({ kind: 'post', id })
  if (!post) throw new BusinessError('platform.not-found')
  if (post.role === null) throw new Error(`the post ${id} has no role`)
  return { ...post, role: post.role }
}

function postInUse(units: Units, id: string): Post {
  const post = postOf(units, id)
  if (!post.active) throw new BusinessError('platform.item-inactive')
  return post
}

function refuseUngrantable(person: Person, role: string, scope: Scope | null, units: Units): void {
  if (!mayGrant(person, role, scope, units)) throw new BusinessError('platform.grant-not-allowed', { role })
}

function order(post: { title: string; id: string }, title: string, id: string): number {
  if (post.title !== title) return post.title < title ? -1 : 1
  return post.id < id ? -1 : post.id > id ? 1 : 0
}
