import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { roleOf } from '../persons/person.ts'

const kinds = ['faculty', 'department', 'division', 'unit', 'post', 'committee', 'flow']
const account = /^user:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const grammar = /^(?<role>[^@:,]+)(?:@(?<kind>[a-z]+):(?<id>[A-Za-z0-9-]*))?$/

/**
 * Why a task may not be offered to this principal; undefined if it may. The engine splits groups after it has inserted
 * the variables, so neither their format nor their presence in the diagram can be trusted.
 */
export function objection(
  principal: string,
  roles: ReadonlySet<string>,
  deskRoles: readonly string[],
): string | undefined {
  if (account.test(principal)) return deskRoles.includes('user') ? undefined : 'the desk is not drawn for it'
  const { role, kind, id } = grammar.exec(principal)?.groups ?? {}
  if (role === undefined) return 'not a principal'
  if (!roles.has(role)) return 'unknown role'
  if (kind !== undefined && !kinds.includes(kind)) return 'unknown kind of scope'
  if (id === '' || id === 'none') return 'empty scope'
  return deskRoles.includes(kind === undefined ? role : `${role}@${kind}`) ? undefined : 'the desk is not drawn for it'
}

/**
 * Whether a desk is drawn for a unit that the case does not have, or for somebody that its steps name, who has no account
 * or has asked for the case, beside roles.
 */
export function isAbsent(principal: string, deskRoles: readonly string[]): boolean {
  if (principal === 'user:none') return deskRoles.includes('user') && deskRoles.some((role) => role !== 'user')
  const { role, kind, id } = grammar.exec(principal)?.groups ?? {}
  return id === 'none' && deskRoles.includes(`${role}@${kind}`)
}

/**
 * Whether an active person holds one of these principals now. A grant at a unit also counts as its bare role; people in
 * `barred` do not count.
 */
export async function isHeld(
  db: Kysely<DB>,
  principals: readonly string[],
  barred: readonly string[] = [],
): Promise<boolean> {
  const [held] = await areHeld(db, [{ principals, barred }])
  return known(held, 'the answer')
}

/** The roles that active people hold now, at any unit. */
export async function heldRoles(db: Kysely<DB>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ role: string }>`
    select distinct g.role from role_grant g join account a on a.id = g.account_id and a.active
    where g.starts_at <= now() and (g.ends_at is null or g.ends_at > now())`.execute(db)
  return new Set(rows.map(({ role }) => role))
}

/** Like `isHeld`, for many questions at once. */
export async function areHeld(
  db: Kysely<DB>,
  asked: readonly { principals: readonly string[]; barred: readonly string[] }[],
): Promise<boolean[]> {
  if (asked.length === 0) return []
  const questions = asked.map(({ principals, barred }, n) => ({
    n,
    principals,
    barred,
    roles: principals.map(roleOf),
    people: principals.filter((principal) => account.test(principal)).map((one) => one.slice('user:'.length)),
  }))
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from role_grant g join account a on a.id = g.account_id and a.active
      where g.role = any(q.roles) and a.id <> all(q.barred) and g.starts_at <= now() and (g.ends_at is null or g.ends_at > now())
        and (g.role = any(q.principals) or g.role || '@' || g.scope_kind || ':' || g.scope_id = any(q.principals))
    ) or exists (select from account where active and id = any(q.people)) as held
    from jsonb_to_recordset(${JSON.stringify(questions)}::jsonb)
      as q(n int, principals text[], roles text[], people uuid[], barred uuid[])
    order by q.n`.execute(db)
  return rows.map(({ held }) => held)
}

/** The holder of a principal, if exactly one person holds it now. */
export async function onlyHolder(db: Kysely<DB>, principal: string): Promise<string | undefined> {
  const [role = principal, scope] = principal.split('@')
  const { rows } = await sql<{ account_id: string }>`
    select distinct g.account_id from role_grant g join account a on a.id = g.account_id and a.active
    where g.role = ${role} and g.starts_at <= now() and (g.ends_at is null or g.ends_at > now())
      and (${scope ?? null}::text is null or g.scope_kind || ':' || g.scope_id = ${scope ?? null})
    limit 2`.execute(db)
  const [holder, ...others] = rows
  return others.length === 0 ? holder?.account_id : undefined
}
