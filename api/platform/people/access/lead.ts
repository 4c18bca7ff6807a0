import type { Kysely } from 'kysely'
import { type Units, readUnits } from './units.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type Person, admits } from '../persons/person.ts'

/** Where somebody leads: everywhere, or in these units and all that lies below them. */
export interface Leading {
  everywhere: boolean
  /** Principals of the units that they lead and of those below, as `<kind>:<id>`. */
  places: ReadonlySet<string>
  /** By what right they act on a task that is offered to these; undefined where they do not lead. */
  rightOn(candidates: readonly string[]): string | undefined
}

/**
 * Where somebody leads by their own grants: as head of units, or since they see everything. It is not passed on to a
 * substitute, who decides in somebody's stead and nothing else.
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

/** Where somebody leads now. Who holds no role in a unit leads nowhere, and is answered without a look at the units. */
export async function leadsNow(db: Kysely<DB>, person: Person): Promise<Leading | undefined> {
  if (!person.seesAll && person.grants.every(({ scopeKind }) => scopeKind === null)) return undefined
  const found = leads(person, await readUnits(db))
  return found.everywhere || found.places.size > 0 ? found : undefined
}
