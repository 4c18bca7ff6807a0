import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library, Manifest } from '../../model/library/library.ts'
import { scopesOf } from '../../model/definitions/manifest.ts'
import { type Person, admits, grantsMeant } from '../../people/persons/person.ts'
import type { Visibility } from '../rows/case-lists.ts'
import { findTaskRight } from '../rows/cases.ts'

/** What decides who may see a case. */
export interface SeenCase {
  id: string
  flow: string
  requester_id: string
  sent_by: string | null
  scope: Readonly<Record<string, string>>
}

/**
 * The right by which a person sees a case: as requester or sender, through the manifest, or because a task of it is or
 * was theirs; undefined if they may not. `manifest` is the flow's present one, so that a new role sees old cases too.
 */
export async function rightToSee(
  db: Kysely<DB>,
  person: Person,
  row: SeenCase,
  manifest: Manifest,
): Promise<string | undefined> {
  if (row.requester_id === person.id || row.sent_by === person.id) return `user:${person.id}`
  return rightToHandle(db, person, row, manifest)
}

/** Like `rightToSee`, without the right of the requester. */
export async function rightToHandle(
  db: Kysely<DB>,
  person: Person,
  row: SeenCase,
  manifest: Manifest,
): Promise<string | undefined> {
  const { scope } = row
  // A case may have two units of a kind, for example two posts.
  const places = [{}, ...scopesOf(manifest).map(({ name, kind }) => ({ [kind]: scope[name] }))]
  const right = places.map((place) => admits(person, manifest.seenBy, place)).find((found) => found !== undefined)
  if (right && !(right === 'ADMIN' || right === 'SA')) return right
  return (await findTaskRight(db, row.id, person)) ?? right
}

/** The cases that a person may list beside their own; undefined means all. */
export function visibilityOf(person: Person, library: Library): Visibility[] | undefined {
  if (person.seesAll) return undefined
  return [...library.flows.values()].flatMap(({ key: flow, manifest }): Visibility[] => {
    const grants = manifest.seenBy.flatMap((entry) => grantsMeant(person, entry))
    if (manifest.seenBy.includes('*') || grants.some(({ scopeKind }) => scopeKind === null)) return [{ flow }]
    const units = scopesOf(manifest).flatMap(({ name, kind }) => {
      const ids = grants.flatMap(({ scopeKind, scopeId }) => (scopeKind === kind && scopeId !== null ? [scopeId] : []))
      return ids.length > 0 ? [{ name, ids }] : []
    })
    return units.length > 0 ? [{ flow, units }] : []
  })
}
