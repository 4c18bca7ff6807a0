import type { Transaction } from 'kysely'
import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Person } from '../../people/persons/person.ts'
import { mail } from '../../records/mail/mail.ts'
import { counted } from '../../kernel/paging.ts'
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
import { principalsOf, type Scope, type Units, readUnits } from '../../people/access/units.ts'
import { scopeTrouble, mayGrant } from '../../people/access/rights.ts'
import {
  type HolderRow,
  addHolder,
  endHolder,
  findHolder,
  listHolders,
  listPostsOf,
} from '../../people/access/holder-rows.ts'
import { addGrants, endGrants, listGrantsOfHolder } from '../../people/access/grant-rows.ts'
import { settleAt } from '../../people/access/dated.ts'
import type { Shift } from '../../work/access/settle.ts'
import { POST_HOLDER } from '../../model/definitions/manifest.ts'
import { type Post, grantsOfPost, holderView, postOf } from './posts.ts'

/** A requested appointment. */
export interface Appointment {
  accountId: string
  startsAt?: string
  endsAt?: string | null
  acting?: boolean
  reason: string
}

/*
 * Posts and their holders. The holder of a post has its role at the post's unit for as long as they hold it. Tasks are
 * offered to the role, so a change of head moves the grant and not the tasks.
 */

/**
 * Ends a holding and the grants that came with it, whatever role the post has today. Returns the principals whose
 * holders change.
 */
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

/** Appoints a person after all checks; the previous holder leaves the post. */
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
  const lasting = (await listHolders(trx, [post.id], { lasting: true })).filter((one) => one.acting === acting)
  const start = span.startsAt?.getTime() ?? Date.now()
  const predecessor = lasting.find(
    (one) => one.starts_at.getTime() <= start && (one.ends_at?.getTime() ?? Infinity) > start,
  )
  if (predecessor?.account_id === to.id) throw new BusinessError('platform.post-held-already')
  const next = lasting.find(
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

/** Appoints a person to a post; the previous holder leaves it at the same moment. */
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
    const holding = known(await findHolder(trx, id), 'the holder just appointed')
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

/** Ends a holding now or at a later moment; then the post is vacant until somebody is appointed. */
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
    const holding = known(await findHolder(trx, holderId), 'the holder whose term just ended')
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
      values: { post: post.name, until: known(holding.ends_at, 'the end of a term').toISOString(), reason },
    })
    const principals = [...left, ...principalsOf(post.role, post.above)]
    const shift = { accounts: [holder.account_id], principals }
    return { result: holderView(holding), shift }
  })
}

/** What an appointment would change now. */
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
    const next = (await listHolders(trx, [postId], { lasting: true })).find(
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

function postInUse(units: Units, id: string): Post {
  const post = postOf(units, id)
  if (!post.active) throw new BusinessError('platform.item-inactive')
  return post
}

function refuseUngrantable(person: Person, role: string, scope: Scope | null, units: Units): void {
  if (!mayGrant(person, role, scope, units)) throw new BusinessError('platform.grant-not-allowed', { role })
}
