import type { Transaction } from 'kysely'
import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Library } from '../../model/library/library.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { mail } from '../../records/mail/mail.ts'
import { PROCESS_OWNER } from '../../people/access/process-owners.ts'
import { needsSecondOwner } from '../../people/access/second-owners.ts'
import {
  type AccessDependencies,
  type Effect,
  type Span,
  type Warning,
  accessChanges,
  activeAccount,
  before,
  effectOf,
  endOf,
  spanOf,
} from '../../work/access/changes.ts'
import { invalid } from '../../people/access/refusals.ts'
import {
  type GrantRow,
  type Origin,
  addGrants,
  endGrants,
  findGrant,
  isAdministratorLeft,
  listLastingGrants,
} from '../../people/access/grant-rows.ts'
import { type GrantState, settleAt } from '../../people/access/dated.ts'
import { countVacantTasks } from '../../people/access/offered-tasks.ts'
import { mayGrant, scopeTrouble } from '../../people/access/rights.ts'
import type { Shift } from '../../work/access/settle.ts'
import { type Scope, type Units, principalOf, principalsOf, readUnits, scopeFrom } from '../../people/access/units.ts'
import { POST_HOLDER } from '../../model/definitions/manifest.ts'

/** A grant as people administration shows it. */
export interface GrantView {
  id: string
  role: string
  scope: { kind: string; id: string; name: string } | null
  startsAt: string
  endsAt: string | null
  origin: Origin
  grantedBy: { id: string; name: string } | null
  reason: string | null
  state: GrantState
  endReason: string | null
  mayEnd: boolean
  /** Text key of the reason why it cannot be ended now, for people who otherwise could. */
  endRefusal: string | null
}

/** A requested grant. */
export interface GrantRequest {
  role: string
  scope: Scope | null
  startsAt?: string
  endsAt?: string | null
  reason: string
}

/* Granting and ending roles. Nobody may do either for themselves; `mayGrant` says who may. */

/** Grants a role after all checks. */
async function give(
  { library }: AccessDependencies,
  trx: Transaction<DB>,
  person: Person,
  to: Person,
  wanted: { role: string; scope: Scope | null; span: Span; reason: string },
  units: Units,
): Promise<{ id: string; shift: Shift }> {
  const role = roleNamed(library, wanted.role)
  const flows = [...library.flows.values()].map(({ manifest }) => manifest.process)
  const unit = scopeFor(role, wanted.scope, units, flows)
  if (to.id === person.id) throw new BusinessError('platform.own-grant')
  if (!mayGrant(person, role, unit, units)) throw new BusinessError('platform.grant-not-allowed', { role })
  await checkOwners(trx, person, 'give', role, unit)
  if (overlaps(await listLastingGrants(trx, [to.id]), { account: to.id, role, scope: unit, span: wanted.span }))
    throw new BusinessError('platform.grant-overlaps')
  const [id] = await addGrants(trx, [
    { account: to.id, role, scope: unit, ...wanted.span, origin: 'person', by: person.id, reason: wanted.reason },
  ])
  await settleAt(trx, [wanted.span.startsAt, wanted.span.endsAt])
  return {
    id: known(id, 'the id of the new grant'),
    shift: { accounts: [to.id], principals: principalsOf(role, unit) },
  }
}

/** Ends a grant after all checks. */
async function end(
  trx: Transaction<DB>,
  person: Person,
  id: string,
  { endsAt, reason }: { endsAt: Date | null; reason: string },
  units: Units,
): Promise<{ grant: GrantRow; shift: Shift }> {
  const grant = await findGrant(trx, id)
  if (!grant) throw new BusinessError('platform.not-found')
  if (grant.account_id === person.id) throw new BusinessError('platform.own-grant')
  const scope = scopeOf(grant)
  if (!mayGrant(person, grant.role, scope, units))
    throw new BusinessError('platform.grant-not-allowed', { role: grant.role })
  await checkOwners(trx, person, 'end', grant.role, scope)
  if (grant.post_holder_id !== null || grant.origin === 'token') throw new BusinessError('platform.grant-elsewhere')
  if (grant.state === 'ended') throw new BusinessError('platform.grant-ended')
  if (grant.role === 'ADMIN' && !(await isAdministratorLeft(trx, { grants: [id] })))
    throw new BusinessError('platform.last-administrator')
  await endGrants(trx, [id], endsAt, person.id, reason)
  await settleAt(trx, [endsAt])
  return { grant, shift: { accounts: [grant.account_id], principals: principalsOf(grant.role, scope) } }
}

async function checkOwners(
  trx: Transaction<DB>,
  person: Person,
  act: 'give' | 'end',
  role: string,
  scope: Scope | null,
): Promise<void> {
  if (role !== PROCESS_OWNER || scope === null) return
  const refusal = refusalOfOwners(person, act)
  if (refusal && (await needsSecondOwner(trx, scope.id))) throw new BusinessError(refusal)
}

async function tell(
  dependencies: AccessDependencies,
  trx: Transaction<DB>,
  template: string,
  to: string,
  values: object,
): Promise<void> {
  await mail(trx, dependencies).send({ to, template, values: { ...values } })
}

export async function giveGrant(
  dependencies: AccessDependencies,
  person: Person,
  accountId: string,
  { role, scope, reason, ...dates }: GrantRequest,
): Promise<GrantView> {
  const changes = accessChanges(dependencies)
  const span = spanOf(dates)
  return changes.make(async (trx) => {
    const units = await readUnits(trx)
    const to = await activeAccount(trx, accountId)
    const { id, shift } = await give(dependencies, trx, person, to, { role, scope, span, reason }, units)
    const grant = known(await findGrant(trx, id), 'the new grant')
    await audit(trx).record({
      actor: person.id,
      actedAs: rightOf(person, grant.role),
      action: 'grant.given',
      object: `account:${to.id}`,
      payload: { grant: id, role: grant.role, scope: scopeOf(grant), ...datesOf(grant), reason },
    })
    await tell(dependencies, trx, 'platform.mail.role-given', to.id, {
      role: units.named(principalOf(grant.role, scopeOf(grant))),
      from: grant.starts_at.toISOString(),
      reason,
    })
    return { result: grantView(person, grant, units), shift }
  })
}

/** Ends a grant now or at a later moment. */
export async function endGrant(
  dependencies: AccessDependencies,
  person: Person,
  id: string,
  { endsAt, reason }: { endsAt?: string; reason: string },
): Promise<GrantView> {
  const changes = accessChanges(dependencies)
  return changes.make(async (trx) => {
    const units = await readUnits(trx)
    const { shift } = await end(trx, person, id, { endsAt: endOf(endsAt), reason }, units)
    const grant = known(await findGrant(trx, id), 'the grant just ended')
    await audit(trx).record({
      actor: person.id,
      actedAs: rightOf(person, grant.role),
      action: 'grant.ended',
      object: `account:${grant.account_id}`,
      payload: { grant: id, role: grant.role, scope: scopeOf(grant), ...datesOf(grant), reason },
    })
    await tell(dependencies, trx, 'platform.mail.role-ended', grant.account_id, {
      role: units.named(principalOf(grant.role, scopeOf(grant))),
      until: known(grant.ends_at, 'the end of an ended grant').toISOString(),
      reason,
    })
    return { result: grantView(person, grant, units), shift }
  })
}

/** What these changes would do for a person now. */
export async function effectOfGrants(
  dependencies: AccessDependencies,
  person: Person,
  accountId: string,
  { add = [], end: ending = [] }: { add?: { role: string; scope: Scope | null }[]; end?: string[] },
): Promise<Effect> {
  const { library } = dependencies
  const changes = accessChanges(dependencies)
  return changes.preview(async (trx, settle) => {
    const units = await readUnits(trx)
    const to = await activeAccount(trx, accountId)
    const had = await before(trx, to)
    const warnings: Warning[] = []
    const warn = (code: string, values: Record<string, unknown>) =>
      warnings.push({ code, text: library.text(code, values) })
    const shift: { accounts: string[]; principals: string[] } = { accounts: [accountId], principals: [] }
    for (const id of ending) {
      const ended = await end(trx, person, id, { endsAt: null, reason: 'only looked at' }, units)
      if (ended.grant.account_id !== accountId) throw new BusinessError('platform.not-found')
      shift.principals.push(...ended.shift.principals)
    }
    for (const { role, scope } of add) {
      const named = roleNamed(library, role)
      const wide = to.grants.some(
        (own) => own.role === named && units.within(scope, scopeFrom(own.scopeKind, own.scopeId)),
      )
      if (wide) warn('platform.effect.held-already', { role: units.named(principalOf(named, scope)) })
      const span = { startsAt: null, endsAt: null }
      const added = await give(dependencies, trx, person, to, { role, scope, span, reason: 'only looked at' }, units)
      shift.principals.push(...added.shift.principals)
    }
    const { released } = await settle(shift)
    for (const id of ending) {
      const { role, scope_kind, scope_id } = known(await findGrant(trx, id), 'the grant to end')
      const principal = principalOf(role, scopeFrom(scope_kind, scope_id))
      const waiting = await countVacantTasks(trx, principal)
      if (waiting > 0) warn('platform.effect.nobody-left', { role: units.named(principal), count: waiting })
    }
    return { ...(await effectOf(trx, library, had, released.length)), warnings }
  })
}

/** A role by one of its names; throws if it does not exist, or is granted only through a post. */
function roleNamed(library: Pick<Library, 'roles' | 'roleAliases'>, name: string): string {
  const role = library.roleAliases.get(name) ?? name
  if (!library.roles.has(role)) throw invalid([{ field: '/role', code: 'platform.role-unknown' }])
  if (role === POST_HOLDER) throw invalid([{ field: '/role', code: 'platform.role-of-posts' }])
  return role
}

/** The unit or flow that a role is granted at, checked against what the role needs. */
function scopeFor(role: string, scope: Scope | null, units: Units, flows: readonly string[]): Scope | null {
  const code = scopeTrouble(role, scope, units, flows)
  if (code) throw invalid([{ field: '/scope', code }])
  return scope
}

/** Whether a person has the same grant at some time in the span. */
export function overlaps(
  lasting: readonly GrantRow[],
  { account, role, scope, span }: { account: string; role: string; scope: Scope | null; span: Span },
): GrantRow | undefined {
  const [from, until] = [span.startsAt?.getTime() ?? Date.now(), span.endsAt?.getTime() ?? Infinity]
  return lasting.find(
    (one) =>
      one.account_id === account &&
      one.role === role &&
      one.scope_kind === (scope?.kind ?? null) &&
      one.scope_id === (scope?.id ?? null) &&
      one.starts_at.getTime() < until &&
      (one.ends_at?.getTime() ?? Infinity) > from,
  )
}

/** The scope of a grant. */
export function scopeOf(grant: Pick<GrantRow, 'scope_kind' | 'scope_id'>): Scope | null {
  return scopeFrom(grant.scope_kind, grant.scope_id)
}

/** The right by which a person grants or ends a role. */
export function rightOf(person: Person, role: string): string | null {
  return admits(person, ['ADMIN', role]) ?? null
}

function datesOf({ starts_at, ends_at }: GrantRow) {
  return { startsAt: starts_at.toISOString(), endsAt: ends_at?.toISOString() ?? null }
}

/**
 * Why a person cannot change the owners of a flow that requires a second owner; undefined if they can. Otherwise a
 * person could appoint an owner to approve their own diagrams. That includes administrators.
 */
export function refusalOfOwners(person: Person, act: 'give' | 'end'): string | undefined {
  if (act === 'give') return 'platform.owners-stay'
  return person.seesAll ? undefined : 'platform.owners-chosen'
}

/** A grant as a person sees it; `asking` are the flows that require a second owner. */
export function grantView(
  person: Person,
  grant: GrantRow,
  units: Units,
  asking: ReadonlySet<string> = new Set(),
): GrantView {
  const scope = scopeOf(grant)
  const mayEnd =
    grant.state !== 'ended' &&
    grant.post_holder_id === null &&
    grant.origin !== 'token' &&
    grant.account_id !== person.id &&
    mayGrant(person, grant.role, scope, units)
  const kept = mayEnd && grant.role === PROCESS_OWNER && scope !== null && asking.has(scope.id)
  const endRefusal = (kept && refusalOfOwners(person, 'end')) || null
  return {
    id: grant.id,
    role: grant.role,
    scope: scope && { ...scope, name: units.find(scope)?.name ?? scope.id },
    ...datesOf(grant),
    origin: grant.origin,
    grantedBy: grant.granted_by === null ? null : { id: grant.granted_by, name: known(grant.granter, 'who gave it') },
    reason: grant.reason,
    state: grant.state,
    endReason: grant.end_reason,
    mayEnd: mayEnd && endRefusal === null,
    endRefusal,
  }
}
