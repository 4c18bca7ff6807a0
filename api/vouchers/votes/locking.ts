/**
 * The budget of votes: available, committed by approved vouchers, spent by paid ones. Guarantees: a voucher's
 * commitments are on open votes of any year; releases go to these too; no account falls below zero; every act is
 * idempotent. Every act locks its votes in the order of their ids before it posts. Callers hold the lock of the case,
 * except at year-end, and post nothing else before in the same transaction.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Transaction, sql } from 'kysely'
import type { DB } from '../../platform/kernel/db/database.generated.ts'
import { VOTES, type VoteLine } from './accounts.ts'

/** A locked vote. */
export interface Vote {
  id: string
  title: string
  closed: boolean
}

/** What a voucher holds; locks its votes and those of further lines, so that it cannot change. */
export function lockHeld(
  trx: Transaction<DB>,
  caseId: string,
  lines: readonly VoteLine[] = [],
): Promise<{ held: VoteLine[]; present: Map<string, Vote> }> {
  return untilStill(trx, async () => {
    const held = await sumsOf(trx, caseId, 'committed')
    const ids = [...lines, ...held].map(({ vote }) => vote)
    if (ids.length === 0) return { held, present: new Map<string, Vote>() }
    const present = await tryLocking(trx, ids)
    // Year-end may have carried it over before the votes were locked.
    return present && isDeepStrictEqual(held, await sumsOf(trx, caseId, 'committed')) ? { held, present } : undefined
  })
}

/** Locks votes and returns for each the vote that replaces it now. */
export function lockPresent(trx: Transaction<DB>, ids: readonly string[]): Promise<Map<string, Vote>> {
  return untilStill(trx, () => tryLocking(trx, ids))
}

/** Locks votes in the order of their ids. */
export async function lockVotes(trx: Transaction<DB>, ids: readonly string[]): Promise<Map<string, Vote>> {
  const rows = await trx
    .selectFrom('register_item')
    .select(['id', 'title', 'status'])
    .where('register', '=', VOTES)
    .where('id', 'in', [...new Set(ids)])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map(({ id, title, status }) => [id, { id, title, closed: status === 'Closed' }]))
}

/** The active vote with the same number in the next year that has one. */
export async function successorOf(trx: Transaction<DB>, vote: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select next.id from register_item next join register_item old
      on old.data ->> 'number' = next.data ->> 'number'
      and (old.data ->> 'year')::integer < (next.data ->> 'year')::integer
    where old.id = ${vote}::uuid and next.register = ${VOTES} and next.status = 'Active'
    order by (next.data ->> 'year')::integer limit 1`.execute(trx)
  return rows[0]?.id
}

/** The sums of a voucher on one kind of account, by vote. */
export async function sumsOf(
  trx: Transaction<DB>,
  caseId: string,
  account: 'committed' | 'spent',
): Promise<VoteLine[]> {
  const { rows } = await sql<{ vote: string; amount: string }>`
    select split_part(l.account_id, ':', 2) as vote, sum(l.amount) as amount
    from ledger_line l join ledger_entry e on e.id = l.entry_id
    where e.case_id = ${caseId}::uuid and l.account_id like ${`vote:%:${account}`}
    group by l.account_id having sum(l.amount) <> 0 order by 1`.execute(trx)
  return rows.map(({ vote, amount }) => ({ vote, amount: Number(amount) }))
}

/**
 * Retries an act that takes locks until nothing has changed meanwhile. Earlier locks are released first: additional
 * locks would be out of order and could deadlock.
 */
async function untilStill<T>(trx: Transaction<DB>, attempt: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    await sql`savepoint votes`.execute(trx)
    const done = await attempt()
    if (done !== undefined) return done
    await sql`rollback to savepoint votes`.execute(trx)
  }
}

/**
 * Locks votes and returns for each the vote that replaces it now: itself while it is open, then its successor. A closed
 * vote without successor replaces itself. Undefined if one was closed between the query and the lock.
 */
async function tryLocking(trx: Transaction<DB>, ids: readonly string[]): Promise<Map<string, Vote> | undefined> {
  const closed = await trx
    .selectFrom('register_item')
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .where('status', '=', 'Closed')
    .execute()
  const next = new Map<string, string>()
  for (const { id } of closed) {
    const successor = await successorOf(trx, id)
    if (successor !== undefined) next.set(id, successor)
  }
  const present = (id: string) => next.get(id) ?? id
  const locked = await lockVotes(trx, ids.map(present))
  if ([...locked.values()].some(({ id, closed: now }) => now && !closed.some((one) => one.id === id))) return undefined
  return new Map(
    ids.map((id) => {
      const vote = locked.get(present(id))
      if (!vote) throw new Error(`there is no vote ${id}`)
      return [id, vote]
    }),
  )
}
