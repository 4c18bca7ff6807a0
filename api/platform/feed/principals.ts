import type { Kysely } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import { holdersOf } from '../mail/recipients.ts'

const kinds = ['faculty', 'department', 'division', 'unit', 'post', 'committee', 'flow']
const account = /^user:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const grammar = /^(?<role>[^@:,]+)(?:@(?<kind>[a-z]+):(?<id>[A-Za-z0-9-]*))?$/

/**
 * Why a task may not be offered to this principal; undefined if it may. The engine splits groups after it has filled
 * in the variables, so nothing that comes from it is believed: not the grammar, and not that the desk is drawn for it.
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

/** Whether anybody holds one of these principals now. */
export async function isHeld(db: Kysely<DB>, principals: readonly string[]): Promise<boolean> {
  for (const principal of principals) if ((await holdersOf(db, principal)).length > 0) return true
  return false
}
