import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type WrongLookups, findWrongLookups, findStrayLookups } from './comparison-repository.ts'

/** Links whose rows of the search are compared at a time. */
const BATCH = 2000n

/** As it should be. */
export const nothingWrong: WrongLookups = { missing: 0, altered: 0, extra: 0, first: null }

/**
 * Compares what the search looks things up in with what the entries of some links say: rows that are missing hide an
 * entry, others make it be found where it has no place. `whole`: also rows of entries that stand nowhere in the chain.
 */
export async function compareLookups(
  db: Kysely<DB>,
  { from, to, whole }: { from: string; to: string; whole: boolean },
): Promise<WrongLookups> {
  let wrong = nothingWrong
  const add = (more: WrongLookups) => {
    wrong = {
      missing: wrong.missing + more.missing,
      altered: wrong.altered + more.altered,
      extra: wrong.extra + more.extra,
      first: wrong.first ?? more.first,
    }
  }
  const last = BigInt(to)
  for (let next = BigInt(from); next <= last; next += BATCH) {
    const until = next + BATCH - 1n
    add(await findWrongLookups(db, String(next), String(until < last ? until : last)))
  }
  if (whole) add(await findStrayLookups(db))
  return wrong
}
