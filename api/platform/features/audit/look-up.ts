import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { headOf, locked } from './chain-repository.ts'

/** Links read per step when the search index catches up. */
const LINKS_PER_STEP = 2000

interface Searching {
  db: Kysely<DB>
  onError(error: unknown): void
}

/** A catch-up walk, from the newest entry down. */
export interface CatchUp {
  top: bigint
  left: bigint
  done: bigint
  failed: bigint | undefined
}

/**
 * Adds entries to the search index. It reports and returns those that fail, so that they block neither the chain nor
 * other entries.
 */
export async function lookUp(
  trx: Transaction<DB>,
  ids: readonly string[],
  onError: Searching['onError'],
): Promise<string[]> {
  if (ids.length === 0 || (await lookedUp(trx, ids)) === null) return []
  const left: { id: string; error: unknown }[] = []
  for (const id of ids) {
    const error = await lookedUp(trx, [id])
    if (error !== null) left.push({ id, error })
  }
  const [first] = left
  if (!first) return []
  const named = left.map(({ id }) => id).slice(0, 20)
  const text = `${left.length} audit entries cannot be searched for, among them ${named.join(', ')}`
  onError(new Error(text, { cause: first.error }))
  return left.map(({ id }) => id)
}

/** Indexes entries, all or none; returns the error. */
async function lookedUp(trx: Transaction<DB>, ids: readonly string[]): Promise<unknown> {
  await sql`savepoint look_up`.execute(trx)
  try {
    await sql`select audit_look_up(${ids}::bigint[])`.execute(trx)
    return null
  } catch (error) {
    await sql`rollback to savepoint look_up`.execute(trx)
    return error
  } finally {
    await sql`release savepoint look_up`.execute(trx)
  }
}

/** A walk from the head of the chain down to where earlier walks ended. */
export async function walkFromHead(db: Kysely<DB>): Promise<CatchUp | undefined> {
  const [head, mark] = await Promise.all([
    headOf(db),
    db.selectFrom('audit_searched').select('sequence').executeTakeFirst(),
  ])
  const top = BigInt(head?.sequence ?? 0)
  const done = BigInt(mark?.sequence ?? 0)
  return top > done ? { top, left: top, done, failed: undefined } : undefined
}

/**
 * Indexes entries of some links that are missing: sealed before there was a search, or failed. Returns the rest of the
 * walk; undefined at its end.
 */
export async function catchUp({ db, onError }: Searching, now: CatchUp): Promise<CatchUp | undefined> {
  const until = now.left - BigInt(LINKS_PER_STEP) > now.done ? now.left - BigInt(LINKS_PER_STEP) : now.done
  const failed = await db.transaction().execute(async (trx) => {
    if (!(await locked(trx))) return undefined
    const missed = await listMissed(trx, now.left, until)
    const left = await lookUp(
      trx,
      missed.map(({ id }) => id),
      onError,
    )
    return missed.filter(({ id }) => left.includes(id)).map(({ sequence }) => BigInt(sequence))
  })
  if (failed === undefined) return now
  now.left = until
  for (const sequence of failed) if (now.failed === undefined || sequence < now.failed) now.failed = sequence
  if (until > now.done) return now
  // The next walk starts with the first failed entry.
  const upTo = String(now.failed === undefined ? now.top : now.failed - 1n)
  await db
    .insertInto('audit_searched')
    .values({ sequence: upTo })
    .onConflict((oc) => oc.column('one').doUpdateSet({ sequence: upTo }))
    .execute()
  return undefined
}

/** Links between two positions that the search index does not have. */
async function listMissed(trx: Transaction<DB>, from: bigint, until: bigint) {
  return trx
    .selectFrom('audit_seal as s')
    .select([sql<string>`s.entry_id::text`.as('id'), 's.sequence'])
    .where('s.sequence', '<=', String(from))
    .where('s.sequence', '>', String(until))
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('audit_lookup as l').select('l.entry_id').whereRef('l.entry_id', '=', 's.entry_id')),
      ),
    )
    .execute()
}
