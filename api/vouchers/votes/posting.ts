import type { Transaction } from 'kysely'
import type { DB } from '../../platform/kernel/db/database.generated.ts'
import { type LedgerLine, ledger } from '../../platform/records/ledger/ledger.ts'

/** Posts the ledger entry of a voucher; returns its key. */
export async function postOf(
  trx: Transaction<DB>,
  caseId: string,
  { kind, lines, vote }: { kind: string; lines: readonly LedgerLine[]; vote?: string },
): Promise<string> {
  const key = await nextKey(trx, caseId, kind, vote)
  await ledger(trx).post({ key, kind, caseId, lines })
  return key
}

/**
 * An unused key. The number of a case's entries only grows, each kind is posted only under the lock of the case, and
 * callers have posted all earlier ones. Carry-overs are posted under the vote's lock instead, so their key contains the
 * vote: two years may end at a time.
 */
async function nextKey(trx: Transaction<DB>, caseId: string, kind: string, vote?: string): Promise<string> {
  const { count } = await trx
    .selectFrom('ledger_entry')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('case_id', '=', caseId)
    .executeTakeFirstOrThrow()
  return `voucher:${caseId}:${Number(count) + 1}:${kind}${vote === undefined ? '' : `:${vote}`}`
}
