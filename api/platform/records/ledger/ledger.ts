import type { AccountKind } from '../../model/definitions/register.ts'
import { type Transaction, sql } from 'kysely'
import pg from 'pg'
import { v7 as uuid } from 'uuid'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'

/** What the university has at its banks, where no account is named. */
export const BANK = 'bank'

/** A line of an entry; in cents of a rupee, debits are positive, credits negative. */
export interface LedgerLine {
  account: string
  amount: number
}

/** One ledger entry; its lines add up to 0. */
export interface LedgerEntry {
  /** Idempotency key: an entry of the same key is posted once. */
  key: string
  kind: string
  caseId?: string
  memo?: string
  /** Who posts it, if it is not the system. */
  by?: string | null
  /** The audit trail has key and kind, and neither the lines nor who posts it: they would say more than its readers may know. */
  quiet?: true
  lines: readonly LedgerLine[]
}

/**
 * Double-entry bookkeeping in integer cents. The database enforces all guarantees too: every entry balances, entries
 * are never changed, extended or deleted, a balance is the sum of its lines, and no account without `overdraft` falls
 * below zero. Every entry is logged in the audit trail, with its lines unless it is `quiet`, so
 * balances of money follow from the audit trail alone.
 * Accounts are locked in the order of their names. A transaction with several entries must post them in that order too,
 * or it can deadlock with another.
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

/** Creates the account if needed. Throws if it exists with another kind. */
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
    throw new Error(`the account ${account} already exists with other values: ${JSON.stringify(there)}`)
}

/**
 * Posts an entry, unless its key is posted already. Lines of the same account are added up. Throws an Error if it does
 * not balance, moves nothing, or its key exists with other lines. Throws the business error
 * `platform.ledger-below-zero` if an account would fall below zero; the transaction must then be rolled back.
 */
async function postEntry(trx: Transaction<DB>, entry: LedgerEntry): Promise<{ repeated: boolean }> {
  const { key, kind, caseId = null, memo = null, by = null, quiet = false } = entry
  const lines = addedUp(entry)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('ledger_entry')
    .values({ id: uuid(), key, kind, case_id: caseId, memo, posted_by: by, lines: lines.length })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) {
    if (JSON.stringify(await linesOf(trx, key)) !== JSON.stringify(lines))
      throw new Error(`the ledger entry ${key} is already posted with other lines`)
    return { repeated: true }
  }
  await addLines(trx, key, lines)
  await audit(trx).record({
    actor: quiet ? 'system:ledger' : (by ?? 'system:ledger'),
    action: 'ledger.posted',
    caseId,
    payload: quiet ? { key, kind } : { key, kind, lines },
  })
  return { repeated: false }
}

async function addLines(trx: Transaction<DB>, key: string, lines: readonly LedgerLine[]): Promise<void> {
  const placed = JSON.stringify(lines.map((line, position) => ({ ...line, position })))
  try {
    // One statement for all lines: rows are inserted in order, so accounts are locked by name.
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

/** The lines of the entry with this key, or undefined. */
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

/** The balance in the account's own sense: the value of an asset, the debt of a liability; 0 if there is none. */
async function balanceOf(trx: Transaction<DB>, account: string): Promise<number> {
  const row = await trx.selectFrom('ledger_account').select('balance').where('id', '=', account).executeTakeFirst()
  return Number(row?.balance ?? 0)
}

/** The entries of a case, oldest first. */
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
  return [...byKey].map(([key, of]) => {
    const { kind, memo } = known(of[0], 'the first line of an entry')
    return {
      key,
      kind,
      caseId,
      ...(memo !== null && { memo }),
      lines: of.map((row) => ({ account: row.account_id, amount: Number(row.amount) })),
    }
  })
}

/** One line per changed account, by account name. */
function addedUp({ key, lines }: LedgerEntry): LedgerLine[] {
  const sums = new Map<string, number>()
  for (const { account, amount } of lines) {
    if (!Number.isSafeInteger(amount))
      throw new Error(`the ledger entry ${key} has ${amount} for ${account}: not cents`)
    sums.set(account, (sums.get(account) ?? 0) + amount)
  }
  const total = [...sums.values()].reduce((sum, amount) => sum + amount, 0)
  if (total !== 0) throw new Error(`the ledger entry ${key} does not balance: its lines add up to ${total} cents`)
  const moved = [...sums].filter(([, amount]) => amount !== 0)
  if (moved.length === 0) throw new Error(`the ledger entry ${key} moves nothing`)
  return moved.map(([account, amount]) => ({ account, amount })).toSorted((a, b) => (a.account < b.account ? -1 : 1))
}
