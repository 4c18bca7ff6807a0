import { type Transaction, sql } from 'kysely'
import type { Changed } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type OfferDependencies, taskOffers } from '../offers/offers.ts'
import { isHeld, onlyHolder } from '../../people/access/principals.ts'
import { lockAccess } from '../../people/access/lock.ts'
import { lockFeed } from '../rows/feed.ts'

/** What a change affected: the people whose rights differ, and the principals that gained or lost a holder. */
export interface Shift {
  accounts: readonly string[]
  principals: readonly string[]
}

/** The effect of the change, to be announced after the commit. `released` are the tasks that were taken back. */
export interface Settled extends Changed {
  released: string[]
}

/**
 * Begins a change of who may do what. Until the transaction ends, no task can be created, claimed or offered again, so
 * none of them misses the change.
 */
export async function beginAccessChange(trx: Transaction<DB>): Promise<void> {
  await lockFeed(trx)
  await lockAccess(trx, 'alone')
}

/**
 * Brings tasks in line with current grants. While a post is vacant, its substitutes are offered its tasks; once
 * somebody holds it, they are not. A task whose assignee may no longer see it is released. Call it after the change, in
 * the same transaction, and from the job that runs when a dated grant begins or ends.
 */
export async function settleAccess(
  trx: Transaction<DB>,
  { accounts, principals }: Shift,
  dependencies: OfferDependencies,
): Promise<Settled> {
  // A principal with a holder is already offered the right tasks, unless a substitute acts for it.
  const vacant: string[] = []
  const alone = { principals: [] as string[], holders: [] as string[] }
  for (const principal of new Set(principals)) {
    if (!(await isHeld(trx, [principal]))) vacant.push(principal)
    const holder = principal.startsWith('user:') ? undefined : await onlyHolder(trx, principal)
    if (holder) {
      alone.principals.push(principal)
      alone.holders.push(holder)
    }
  }
  const { rows } = await sql<{ id: string; case_id: string }>`
    select distinct t.id, t.case_id from task t
    where t.state in ('open', 'held') and t.id in (
      select task_id from task_candidate where stands_in_for is not null or principal = any(${vacant}::text[])
      -- Who is the only one left may be the one who may not decide it.
      union all select k.task_id from unnest(${alone.principals}::text[], ${alone.holders}::uuid[]) one(principal, holder)
        join task_candidate k on k.principal = one.principal join task o on o.id = k.task_id
        join flow_case c on c.id = o.case_id
        where one.holder in (c.requester_id, c.sent_by)
          or exists (select from task d where d.case_id = c.id and d.decided_by = one.holder)
      union all select task from inbox where state in ('mine', 'asked')
        and principal = any(${accounts.map((id) => `user:${id}`)}::text[])
      -- By a substitute, or by a colleague asked for an opinion.
      union all select id from task where held_for = any(${[...accounts]}::uuid[])
      union all select id from task where delegated_by = any(${[...accounts]}::uuid[]))
    order by t.case_id, t.id`.execute(trx)
  const changed: Settled = {
    principals: accounts.map((id) => `user:${id}`),
    cases: [],
    tasks: [],
    people: [...accounts],
    released: [],
  }
  const offered = taskOffers(trx, dependencies)
  offered.touch(...rows.map(({ id }) => id))
  changed.principals.push(...(await offered.settle()))
  changed.released.push(...offered.released())
  changed.tasks.push(...offered.touched())
  changed.cases.push(...new Set(rows.map((row) => row.case_id)))
  return changed
}
