import type { Transaction } from 'kysely'
import type { DB } from '../../platform/kernel/db/database.generated.ts'
import { type LedgerLine, ledger } from '../../platform/records/ledger/ledger.ts'

/** Posts what a voucher moves. Gives the entry's key. */
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
 * A key that no entry of the case has: entries only become more, each kind of them is posted by who holds the lock of
 * the case, and whoever counts has posted all of that kind before. What is carried over is posted by who holds the
 * vote's lock instead, so the vote stands in its key: two years may end at a time.
 */
async function nextKey(trx: Transaction<DB>, caseId: string, kind: string, vote?: string): Promise<string> {
  const { count } = await trx
    .selectFrom('ledger_entry')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('case_id', '=', caseId)
    .executeTakeFirstOrThrow()
  return `voucher:${caseId}:${Number(count) + 1}:${kind}${vote === undefined ? '' : `:${vote}`}`
}
