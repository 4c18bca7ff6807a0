import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Person } from '../../people/persons/person.ts'
import { scopeTrouble, mayGrant } from '../../people/access/rights.ts'
import { invalid } from '../../people/access/refusals.ts'
import { countGrantsAt } from '../../people/access/grant-rows.ts'
import { listHolders } from '../../people/access/holder-rows.ts'
import { type Unit, type Units, UNIT_KINDS, unitOf } from '../../people/access/units.ts'
import { POST_HOLDER } from '../../model/definitions/manifest.ts'

/** The part of a register entry that defines a unit or post. */
export interface UnitEntry {
  id: string
  status: string
  data: JsonObject
}

/** Whether the entries of a register decide who may do what. */
export function isOfUnits(register: string): boolean {
  return UNIT_KINDS.some((kind) => register === `platform/${kind}`)
}

/**
 * Throws if an entry of a unit or post may not change this way because roles depend on it. `before` is undefined for a
 * new entry. Call it while no other access change runs.
 */
export async function refuseUnit(
  trx: Transaction<DB>,
  person: Person,
  register: string,
  { before, after, units }: { before?: UnitEntry | undefined; after: UnitEntry; units: Units },
): Promise<void> {
  const [was, becomes] = [before && unitOf({ register, ...before }), unitOf({ register, ...after })]
  if (becomes.kind === 'post') {
    const code = postTrouble(person, was, becomes, units)
    if (code) throw code === NOT_ALLOWED ? new BusinessError(code) : invalid([{ field: '/role', code }])
    if (was && (moved(was, becomes) || was.role !== becomes.role || (was.active && !becomes.active))) {
      const [holder] = await listHolders(trx, [was.id], { lasting: true })
      if (holder) throw new BusinessError('platform.post-held', { name: holder.name })
    }
  } else if (was?.active && !becomes.active) {
    const posts = units.list().filter(({ kind, active, above }) => kind === 'post' && active && above?.id === was.id)
    const grants = await countGrantsAt(trx, was)
    if (posts.length + grants > 0) throw new BusinessError('platform.unit-in-use', { posts: posts.length, grants })
  }
}

/** Whether the change can alter which people act as substitutes. */
export function shiftsUnits(register: string, before: UnitEntry | undefined, after: UnitEntry): boolean {
  const [was, becomes] = [before && unitOf({ register, ...before }), unitOf({ register, ...after })]
  if (!was) return becomes.head
  return moved(was, becomes) || was.role !== becomes.role || was.head !== becomes.head || was.active !== becomes.active
}

const NOT_ALLOWED = 'platform.post-not-allowed'

/** What keeps a person from creating this post, or from changing a post into it; undefined if nothing does. */
export function postTrouble(person: Person, was: Unit | undefined, becomes: Unit, units: Units): string | undefined {
  const { role, above } = becomes
  // The register itself rejects a post without a role.
  if (role === null) return undefined
  const sets =
    !was || moved(was, becomes) || was.role !== role || was.head !== becomes.head || (!was.active && becomes.active)
  if (!sets) return undefined
  if (role === POST_HOLDER) return 'platform.role-of-posts'
  const trouble = scopeTrouble(role, above, units)
  if (trouble && trouble !== 'platform.scope-unknown') return trouble
  const own = [becomes, ...(was ? [was] : [])]
  return own.every((post) => mayGrant(person, post.role ?? role, post.above, units)) ? undefined : NOT_ALLOWED
}

function moved(was: Unit, becomes: Unit): boolean {
  return was.above?.id !== becomes.above?.id
}
