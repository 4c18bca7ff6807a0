import type { Kysely } from 'kysely'
import { type Units, readUnits } from './units.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type Person, admits } from '../persons/person.ts'

/** Where a person leads: everywhere, or in these units and all below them. */
export interface Leading {
  everywhere: boolean
  /** The units that they lead and those below, as `<kind>:<id>`. */
  places: ReadonlySet<string>
  /** The right by which they act on a task with these candidates; undefined if they do not lead there. */
  rightOn(candidates: readonly string[]): string | undefined
}

/**
 * Where a person leads by their own grants: as head of units, or with a role that sees everything. Substitutes do not
 * inherit it; they only decide.
 */
function leads(person: Person, units: Units): Leading {
  const led = units.ledBy(person.principals)
  const rights = new Map<string, string>(
    led.flatMap(({ unit, by }) =>
      units.list().flatMap((one) => (units.within(one, unit) ? [[`${one.kind}:${one.id}`, by] as const] : [])),
    ),
  )
  return {
    everywhere: person.seesAll,
    places: new Set(rights.keys()),
    rightOn(candidates) {
      if (person.seesAll) return admits(person, [])
      return candidates.map((one) => rights.get(one.split('@')[1] ?? '')).find((right) => right !== undefined)
    },
  }
}

/** Where a person leads now. Without a role at a unit they lead nowhere, and the units are not loaded. */
export async function leadsNow(db: Kysely<DB>, person: Person): Promise<Leading | undefined> {
  if (!person.seesAll && person.grants.every(({ scopeKind }) => scopeKind === null)) return undefined
  const found = leads(person, await readUnits(db))
  return found.everywhere || found.places.size > 0 ? found : undefined
}
