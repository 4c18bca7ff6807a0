import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type WrongLookups, findWrongLookups, findStrayLookups } from './comparison-repository.ts'

/** Links whose search rows are compared at a time. */
const BATCH = 2000n

export const nothingWrong: WrongLookups = { missing: 0, altered: 0, extra: 0, first: null }

/**
 * Compares the search index with the entries of some links: a missing row hides an entry, an extra one shows it where
 * it does not belong. `whole`: also checks rows of entries that are not in the chain.
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
