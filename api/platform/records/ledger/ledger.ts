import type { AccountKind } from '../../model/definitions/register.ts'
import { type Transaction, sql } from 'kysely'
import pg from 'pg'
import { v7 as uuid } from 'uuid'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'

/** What an entry moves; cents of a rupee, debits positive, credits negative. */
export interface LedgerLine {
  account: string
  amount: number
}

/** One entry of the ledger; its lines come to 0. */
export interface LedgerEntry {
  /** Says what it is for, once and for all: an entry of the same key is posted once. */
  key: string
  kind: string
  caseId?: string
  memo?: string
  lines: readonly LedgerLine[]
}

/**
 * Double-entry book-keeping in integer cents. Guarantees, all held by the database as well: every entry balances, no
 * entry is ever changed, added to or deleted, a balance is the sum of its lines, and no account without `overdraft`
 * falls below zero. Every entry is told to the audit with its lines, so that the balances follow from the audit alone.
 * Accounts are written in the order of their names; a transaction that posts more than one entry must post them in that
 * order too, or two such transactions may fall into a deadlock.
 */
export function ledger(trx: Transaction<DB>) {
  return {
    open: (account: string, kind: AccountKind, more?: { caseId?: string; overdraft?: boolean }) =>
      openAccount(trx, account, kind, more),
    post: (entry: LedgerEntry) => postEntry(trx, entry),
    linesOf: (key: string) => linesOf(trx, key),
    balance: (account: string) => balanceOf(trx, account),
    entries: (caseId: string) => entriesOf(trx, caseId),
  }
}

/** Makes sure that the account is there. Throws if it is there as another kind of account. */
async function openAccount(
  trx: Transaction<DB>,
  account: string,
  kind: AccountKind,
  { caseId = null, overdraft = false }: { caseId?: string | null; overdraft?: boolean } = {},
): Promise<void> {
  await trx
    .insertInto('ledger_account')
    .values({ id: account, kind, case_id: caseId, overdraft })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const there = await trx
    .selectFrom('ledger_account')
    .select(['kind', 'case_id', 'overdraft'])
    .where('id', '=', account)
    .executeTakeFirstOrThrow()
  if (there.kind !== kind || there.case_id !== caseId || there.overdraft !== overdraft)
    throw new Error(`the account ${account} is there already and is another: ${JSON.stringify(there)}`)
}

/**
 * Posts an entry, unless the one of this key is posted already. Lines of the same account are added up.
 * Throws an Error when it does not balance, moves nothing, or its key stands for other lines; the business error
 * `platform.ledger-below-zero` when an account would fall below zero: then the transaction must be rolled back.
 */
async function postEntry(trx: Transaction<DB>, entry: LedgerEntry): Promise<{ repeated: boolean }> {
  const { key, kind, caseId = null, memo = null } = entry
  const lines = addedUp(entry)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('ledger_entry')
    .values({ id: uuid(), key, kind, case_id: caseId, memo, lines: lines.length })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) {
    if (JSON.stringify(await linesOf(trx, key)) !== JSON.stringify(lines))
      throw new Error(`the ledger entry ${key} is posted already, with other lines`)
    return { repeated: true }
  }
  await addLines(trx, key, lines)
  await audit(trx).record({ actor: 'system:ledger', action: 'ledger.posted', caseId, payload: { key, kind, lines } })
  return { repeated: false }
}

async function addLines(trx: Transaction<DB>, key: string, lines: readonly LedgerLine[]): Promise<void> {
  const placed = JSON.stringify(lines.map((line, position) => ({ ...line, position })))
  try {
    // One statement for all lines: rows go in by their order, so that accounts are locked by their names.
    await sql`
      insert into ledger_line (entry_id, position, account_id, amount)
      select entry.id, line.position, line.account, line.amount
      from ledger_entry entry, jsonb_to_recordset(${placed}::jsonb)
        as line(account text, amount bigint, position integer)
      where entry.key = ${key} order by line.position`.execute(trx)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.constraint === 'ledger_not_below_zero')
      throw new BusinessError('platform.ledger-below-zero', { entry: key })
    throw error
  }
}

/** What an entry with this key moved, or undefined. */
async function linesOf(trx: Transaction<DB>, key: string): Promise<LedgerLine[] | undefined> {
  const rows = await trx
    .selectFrom('ledger_entry')
    .innerJoin('ledger_line', 'ledger_line.entry_id', 'ledger_entry.id')
    .select(['account_id', 'amount'])
    .where('key', '=', key)
    .orderBy('position')
    .execute()
  return rows.length > 0 ? rows.map((row) => ({ account: row.account_id, amount: Number(row.amount) })) : undefined
}

/** What is on the account in its own sense: what an asset is worth, what a liability owes; 0 if there is none. */
async function balanceOf(trx: Transaction<DB>, account: string): Promise<number> {
  const row = await trx.selectFrom('ledger_account').select('balance').where('id', '=', account).executeTakeFirst()
  return Number(row?.balance ?? 0)
}

/** What was posted for a case, the oldest first. */
async function entriesOf(trx: Transaction<DB>, caseId: string): Promise<LedgerEntry[]> {
  const rows = await trx
    .selectFrom('ledger_entry')
    .innerJoin('ledger_line', 'ledger_line.entry_id', 'ledger_entry.id')
    .select(['key', 'kind', 'memo', 'account_id', 'amount'])
    .where('case_id', '=', caseId)
    .orderBy('at')
    .orderBy('ledger_entry.id')
    .orderBy('position')
    .execute()
  const byKey = Map.groupBy(rows, ({ key }) => key)
  return [...byKey].map(([key, of]) => ({
    key,
    kind: of[0]!.kind,
    caseId,
    ...(of[0]!.memo !== null && { memo: of[0]!.memo }),
    lines: of.map((row) => ({ account: row.account_id, amount: Number(row.amount) })),
  }))
}

/** One line per account that changes, by the names of the accounts. */
function addedUp({ key, lines }: LedgerEntry): LedgerLine[] {
  const sums = new Map<string, number>()
  for (const { account, amount } of lines) {
    if (!Number.isSafeInteger(amount))
      throw new Error(`the ledger entry ${key} has ${amount} for ${account}: not cents`)
    sums.set(account, (sums.get(account) ?? 0) + amount)
  }
  const total = [...sums.values()].reduce((sum, amount) => sum + amount, 0)
  if (total !== 0) throw new Error(`the ledger entry ${key} does not balance: ${total} cents are left over`)
  const moved = [...sums].filter(([, amount]) => amount !== 0)
  if (moved.length === 0) throw new Error(`the ledger entry ${key} moves nothing`)
  return moved.map(([account, amount]) => ({ account, amount })).toSorted((a, b) => (a.account < b.account ? -1 : 1))
}
