import type { Kysely } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Person } from '../../people/persons/person.ts'
import { type Page, counted, cursorOf, readCursor } from '../../kernel/paging.ts'
import type { AccessDependencies } from '../../work/access/changes.ts'
import { type Scope, type Unit, type Units, principalOf, readUnits } from '../../people/access/units.ts'
import { mayGrant } from '../../people/access/rights.ts'
import { type HolderRow, listHolders } from '../../people/access/holder-rows.ts'
import { countWaitingTasks } from '../../people/access/offered-tasks.ts'
import { POST_HOLDER } from '../../model/definitions/manifest.ts'

/** A person's holding of a post. */
export interface HolderView {
  holderId: string
  account: { id: string; name: string }
  startsAt: string
  endsAt: string | null
  acting: boolean
  reason: string
}

/** A post with its present holder, substitute and next holder. */
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

export type Post = Unit & { role: string }

async function viewPosts(on: Kysely<DB>, posts: readonly Unit[], units: Units): Promise<PostView[]> {
  const holders = await listHolders(
    on,
    posts.map(({ id }) => id),
    { lasting: true },
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

/** Active posts by name. */
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
  const after = cursor === undefined ? undefined : readCursor(cursor, ['text', 'id'])
  const rest = after ? all.filter((one) => order(one, ...after) > 0) : all
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    next: rest.length > limit && last ? cursorOf([last.title, last.id]) : null,
    count: counted(all.length),
  }
}

/** A post with all its holders and the tasks that are offered to it now. */
export async function readPost({ db }: AccessDependencies, person: Person, id: string) {
  const units = await readUnits(db)
  const post = postOf(units, id)
  const [[shown], history, waiting] = await Promise.all([
    viewPosts(db, [post], units),
    listHolders(db, [id]),
    countWaitingTasks(db, principalOf(post.role, post.above)),
  ])
  return {
    ...known(shown, 'the post'),
    history: history.toReversed().map(holderView),
    waiting: counted(waiting),
    mayAppoint: post.active && mayGrant(person, post.role, post.above, units),
  }
}

/** The grants of a post's holder: its role at the post's unit, and being the holder of this post. */
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

export function postOf(units: Units, id: string): Post {
  const post = units.find({ kind: 'post', id })
  if (!post) throw new BusinessError('platform.not-found')
  if (post.role === null) throw new Error(`the post ${id} has no role`)
  return { ...post, role: post.role }
}

function order(post: { title: string; id: string }, title: string, id: string): number {
  if (post.title !== title) return post.title < title ? -1 : 1
  return post.id < id ? -1 : post.id > id ? 1 : 0
}
