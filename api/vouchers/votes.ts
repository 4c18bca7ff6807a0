import { isDeepStrictEqual } from 'node:util'
import { type Transaction, sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { rupees } from '../platform/kernel/rupees.ts'
import { BusinessError } from '../platform/kernel/errors.ts'
import { type LedgerLine, ledger } from '../platform/records/ledger/ledger.ts'
import { accountOfItem } from '../platform/records/registers/books.ts'

/** The register of the votes. */
export const VOTES = 'vouchers/vote'

/** What a voucher takes of a vote, in cents. */
export interface VoteLine {
  vote: string
  amount: number
}

interface Vote {
  id: string
  title: string
  closed: boolean
}

type Account = 'available' | 'committed' | 'spent' | 'lapsed'

/** The ledger account of a vote. */
export const accountOf = (vote: string, account: Account) => accountOfItem(VOTES, vote, account)
/** The money of an account of the university, as far as vouchers move it. */
export const bankOf = (bankAccount: string) => `bank:${bankAccount}`
const EXPENDITURE = 'expenditure:vouchers'

/** Vouchers of one vote that a step of the year's end carries over, at most: a step is small. */
const MOST_CARRIED = 200

/**
 * The budget of votes: available, committed by approved vouchers, spent by paid ones. Guarantees: a voucher holds what
 * it has committed on votes that are open, of whatever year; what is given back goes there too; no account falls below
 * zero; doing a thing again does nothing. Every act locks the votes it touches, in the order of their ids, before it
 * posts; callers hold the lock of the case, all but `empty`, and post nothing else in the same transaction before.
 */
export function votes(trx: Transaction<DB>) {
  const books = ledger(trx)

  async function findVotes(ids: readonly string[]): Promise<Map<string, Vote>> {
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

  /** The vote in use of the same number and the next year in which there is one. */
  async function successorOf(vote: string): Promise<string | undefined> {
    const { rows } = await sql<{ id: string }>`
      select next.id from register_item next join register_item old
        on old.data ->> 'number' = next.data ->> 'number'
        and (old.data ->> 'year')::integer < (next.data ->> 'year')::integer
      where old.id = ${vote}::uuid and next.register = ${VOTES} and next.status = 'Active'
      order by (next.data ->> 'year')::integer limit 1`.execute(trx)
    return rows[0]?.id
  }

  /**
   * Does what takes locks until it finds nothing changed. What it had locked before is let go first: taken beside other
   * locks it would be out of order, and two who wait for each other would be told so by the database.
   */
  async function untilStill<T>(attempt: () => Promise<T | undefined>): Promise<T> {
    for (;;) {
      await sql`savepoint votes`.execute(trx)
      const done = await attempt()
      if (done !== undefined) return done
      await sql`rollback to savepoint votes`.execute(trx)
    }
  }

  /**
   * Locks votes and gives for each the one that stands for it now: itself while it is open, then its successor. A closed
   * vote without successor stands for itself. Nothing where somebody has closed one between the look and the lock.
   */
  async function tryLocking(ids: readonly string[]): Promise<Map<string, Vote> | undefined> {
    const closed = await trx
      .selectFrom('register_item')
      .select('id')
      .where('id', 'in', [...new Set(ids)])
      .where('status', '=', 'Closed')
      .execute()
    const next = new Map<string, string>()
    for (const { id } of closed) {
      const successor = await successorOf(id)
      if (successor !== undefined) next.set(id, successor)
    }
    const present = (id: string) => next.get(id) ?? id
    const locked = await findVotes(ids.map(present))
    if ([...locked.values()].some(({ id, closed: now }) => now && !closed.some((one) => one.id === id)))
      return undefined
    return new Map(
      ids.map((id) => {
        const vote = locked.get(present(id))
        if (!vote) throw new Error(`there is no vote ${id}`)
        return [id, vote]
      }),
    )
  }

  /** What a voucher has on an account of which votes. */
  async function sumsOf(caseId: string, account: 'committed' | 'spent'): Promise<VoteLine[]> {
    const { rows } = await sql<{ vote: string; amount: string }>`
      select split_part(l.account_id, ':', 2) as vote, sum(l.amount) as amount
      from ledger_line l join ledger_entry e on e.id = l.entry_id
      where e.case_id = ${caseId}::uuid and l.account_id like ${`vote:%:${account}`}
      group by l.account_id having sum(l.amount) <> 0 order by 1`.execute(trx)
    return rows.map(({ vote, amount }) => ({ vote, amount: Number(amount) }))
  }

  /** What a voucher holds of which votes. */
  const heldBy = (caseId: string) => sumsOf(caseId, 'committed')

  /** What a voucher holds, with the votes behind it and behind further lines locked, so that it stays what it is. */
  function lockHeld(
    caseId: string,
    lines: readonly VoteLine[] = [],
  ): Promise<{ held: VoteLine[]; present: Map<string, Vote> }> {
    return untilStill(async () => {
      const held = await heldBy(caseId)
      const ids = [...lines, ...held].map(({ vote }) => vote)
      if (ids.length === 0) return { held, present: new Map<string, Vote>() }
      const present = await tryLocking(ids)
      // The end of a year may have carried it over before the votes were locked.
      return present && isDeepStrictEqual(held, await heldBy(caseId)) ? { held, present } : undefined
    })
  }

  /**
   * A key that no entry of the case has: entries only become more, each kind of them is posted by who holds the lock of
   * the case, and whoever counts has posted all of that kind before. What is carried over is posted by who holds the
   * vote's lock instead, so the vote stands in its key: two years may end at a time.
   */
  async function nextKey(caseId: string, kind: string, vote?: string): Promise<string> {
    const { count } = await trx
      .selectFrom('ledger_entry')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('case_id', '=', caseId)
      .executeTakeFirstOrThrow()
    return `voucher:${caseId}:${Number(count) + 1}:${kind}${vote === undefined ? '' : `:${vote}`}`
  }

  async function post(caseId: string, kind: string, lines: readonly LedgerLine[], vote?: string): Promise<string> {
    const key = await nextKey(caseId, kind, vote)
    await books.post({ key, kind, caseId, lines })
    return key
  }

  return {
    /** The votes of a year that are not closed, in the order in which they are locked. */
    async openOf(year: number): Promise<string[]> {
      const rows = await trx
        .selectFrom('register_item')
        .select('id')
        .where('register', '=', VOTES)
        .where('status', '<>', 'Closed')
        .where(sql`data ->> 'year'`, '=', String(year))
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    /**
     * Makes what a voucher holds what its lines say: takes it from what its votes have available, and gives back what is
     * held beyond. One that is paid commits nothing. Throws `vouchers.vote-exceeded` with what is left of the first vote that has too little.
     */
    async commit(caseId: string, lines: readonly VoteLine[]): Promise<void> {
      const { held, present } = await lockHeld(caseId, lines)
      if ((await sumsOf(caseId, 'spent')).length > 0) throw new Error('the voucher is paid already')
      const more = new Map<string, number>()
      const add = (vote: string, amount: number) => more.set(vote, (more.get(vote) ?? 0) + amount)
      for (const { vote, amount } of lines) add(present.get(vote)!.id, amount)
      for (const { vote, amount } of held) add(vote, -amount)
      const byId = new Map([...present.values()].map((vote) => [vote.id, vote]))
      for (const [id, wanted] of [...more].toSorted()) {
        if (wanted <= 0) continue
        const vote = byId.get(id)!
        const left = vote.closed ? 0 : await books.balance(accountOf(id, 'available'))
        if (left < wanted)
          throw new BusinessError('vouchers.vote-exceeded', {
            vote: vote.title,
            left: rupees(left),
            wanted: rupees(wanted),
          })
      }
      const moved = [...more].filter(([, amount]) => amount !== 0)
      if (moved.length === 0) return
      await post(
        caseId,
        'committed',
        moved.flatMap(([vote, amount]) => [
          { account: accountOf(vote, 'committed'), amount },
          { account: accountOf(vote, byId.get(vote)!.closed ? 'lapsed' : 'available'), amount: -amount },
        ]),
      )
    },

    /** Gives back all that a voucher holds; what a closed vote has nobody can use again. */
    async release(caseId: string): Promise<void> {
      const { held, present } = await lockHeld(caseId)
      if (held.length === 0) return
      await post(
        caseId,
        'released',
        held.flatMap(({ vote, amount }) => {
          const to = present.get(vote)!
          return [
            { account: accountOf(vote, 'committed'), amount: -amount },
            { account: accountOf(to.id, to.closed ? 'lapsed' : 'available'), amount },
          ]
        }),
      )
    },

    /** Spends all that a voucher holds, which must be `total`, out of an account of the university. Gives the entry's key. */
    async spend(caseId: string, total: number, bankAccount: string): Promise<string> {
      const { held } = await lockHeld(caseId)
      const sum = held.reduce((all, { amount }) => all + amount, 0)
      if (sum !== total) throw new Error(`the voucher is over ${total} cents and holds ${sum}`)
      await books.open(bankOf(bankAccount), 'asset', { overdraft: true })
      await books.open(EXPENDITURE, 'expense')
      return post(caseId, 'paid', [
        ...held.flatMap(({ vote, amount }) => [
          { account: accountOf(vote, 'committed'), amount: -amount },
          { account: accountOf(vote, 'spent'), amount },
        ]),
        { account: bankOf(bankAccount), amount: -total },
        { account: EXPENDITURE, amount: total },
      ])
    },

    /** Takes a payment back: the voucher holds again what it had spent. Gives the entry's key. */
    async unspend(caseId: string, entryKey: string): Promise<string> {
      const paid = await books.linesOf(entryKey)
      if (!paid) throw new Error(`there is no entry ${entryKey}`)
      const spent = paid.filter(({ account }) => account.endsWith(':spent'))
      const voteOf = (account: string) => account.split(':')[1]!
      const present = await untilStill(() => tryLocking(spent.map(({ account }) => voteOf(account))))
      return post(caseId, 'payment-taken-back', [
        ...paid
          .filter(({ account }) => !account.startsWith('vote:'))
          .map(({ account, amount }) => ({ account, amount: -amount })),
        ...spent.flatMap(({ account, amount }) => [
          { account, amount: -amount },
          { account: accountOf(present.get(voteOf(account))!.id, 'committed'), amount },
        ]),
      ])
    },

    /**
     * A step of the end of a vote's year: carries over to its successor what vouchers hold of it, then lets lapse what is
     * available. Tells whether it is empty; until then it has to be called again. Throws `vouchers.no-successor` where
     * vouchers hold something that no vote could take over.
     */
    async empty(vote: string): Promise<boolean> {
      const successor = await successorOf(vote)
      const locked = await findVotes([vote, ...(successor === undefined ? [] : [successor])])
      const { rows } = await sql<{ case_id: string; amount: string }>`
        select e.case_id, sum(l.amount) as amount from ledger_line l join ledger_entry e on e.id = l.entry_id
        where l.account_id = ${accountOf(vote, 'committed')}
        group by e.case_id having sum(l.amount) <> 0 order by e.case_id limit ${MOST_CARRIED + 1}`.execute(trx)
      if (rows.length > 0 && (successor === undefined || locked.get(successor)!.closed))
        throw new BusinessError('vouchers.no-successor', { vote: locked.get(vote)!.title })
      for (const { case_id: caseId, amount } of rows.slice(0, MOST_CARRIED))
        await post(
          caseId,
          'carried-over',
          [
            { account: accountOf(vote, 'committed'), amount: -Number(amount) },
            { account: accountOf(successor!, 'committed'), amount: Number(amount) },
          ],
          vote,
        )
      if (rows.length > MOST_CARRIED) return false
      const left = await books.balance(accountOf(vote, 'available'))
      if (left > 0)
        await books.post({
          key: `vote:${vote}:lapsed`,
          kind: 'lapsed',
          lines: [
            { account: accountOf(vote, 'available'), amount: -left },
            { account: accountOf(vote, 'lapsed'), amount: left },
          ],
        })
      return true
    },
  }
}
