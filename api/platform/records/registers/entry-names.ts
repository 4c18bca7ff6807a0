import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'

/**
 * After a change of an entry by somebody other than its person: the entry is checked and supplies the name from now on.
 * The database renames the account; this logs it in the audit trail.
 */
export async function noteEntryChanged(
  trx: Transaction<DB>,
  { id, by, before, now }: { id: string; by: string | null; before: unknown; now: unknown },
): Promise<void> {
  if (by !== null) {
    const answeredFor = await trx
      .updateTable('account')
      .set({ entry_unchecked: false })
      .where('record_id', '=', id)
      .where('id', '<>', by)
      .where('entry_unchecked', '=', true)
      .returning('id')
      .execute()
    await audit(trx).recordAll(
      answeredFor.map((account) => ({
        actor: by,
        action: 'account.changed',
        object: `account:${account.id}`,
        payload: { by: 'the register', before: { registered: false }, now: { registered: true } },
      })),
    )
  }
  if (before === now) return
  const account = await trx.selectFrom('account').select(['id', 'name']).where('record_id', '=', id).executeTakeFirst()
  if (!account) return
  await audit(trx).record({
    actor: by ?? 'system:registers',
    action: 'account.changed',
    object: `account:${account.id}`,
    payload: { by: 'the register', before: { name: before }, now: { name: account.name } },
  })
}
