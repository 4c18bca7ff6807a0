import type { Kysely } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import { holdersOf } from '../mail/recipients.ts'

const kinds = ['faculty', 'department', 'division', 'unit', 'post', 'committee', 'flow']
const grammar = /^(?<role>[^@:,]+)(?:@(?<kind>[a-z]+):(?<id>[A-Za-z0-9-]*))?$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Why a task may not be offered to this principal; undefined if it may. The engine splits groups after it has filled
 * in the variables, so nothing that comes from it is believed.
 */
export function objection(principal: string, roles: ReadonlySet<string>): string | undefined {
  if (principal.startsWith('user:')) return uuid.test(principal.slice(5)) ? undefined : 'no account id'
  const { role, kind, id } = grammar.exec(principal)?.groups ?? {}
  if (role === undefined) return 'not a principal'
  if (!roles.has(role)) return 'unknown role'
  if (kind === undefined) return undefined
  if (!kinds.includes(kind)) return 'unknown kind of scope'
  return id === '' || id === 'none' ? 'empty scope' : undefined
}

/** Whether anybody holds one of these principals now. */
export async function isHeld(db: Kysely<DB>, principals: readonly string[]): Promise<boolean> {
  for (const principal of principals) if ((await holdersOf(db, principal)).length > 0) return true
  return false
}
