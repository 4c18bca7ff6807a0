import { type Kysely, type Transaction, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { utc } from '../../kernel/db/utc.ts'
import type { AuditEntry } from '../../kernel/audit/format.ts'

/** Advisory lock key of the one active sealer; every API node may run one. */
const LOCK = 7_203_001
/** Below every id, including ids inserted by hand. */
export const BEFORE_ALL = String(-(2n ** 63n))
/** Entries sealed per transaction. */
export const BATCH = 500
/** Id of the incident for operators. */
const REWRITTEN = 'audit:rewritten'

/** Whether this transaction may seal; only one may at a time. */
export async function locked(trx: Transaction<DB>): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as locked`.execute(trx)
  return known(rows[0], 'whether the lock was free').locked
}

/** Opens an incident: the chain differs from what was signed. */
export async function listAsRewritten(trx: Transaction<DB>, message: string): Promise<void> {
  await trx
    .insertInto('incident')
    .values({ id: REWRITTEN, kind: 'audit-rewritten', message })
    .onConflict((oc) => oc.column('id').doUpdateSet({ message, at: sql`clock_timestamp()`, resolved_at: null }))
    .execute()
}

/** Resolves that incident. */
export async function resolveRewritten(trx: Transaction<DB>): Promise<void> {
  await trx
    .updateTable('incident')
    .set({ resolved_at: sql`clock_timestamp()` })
    .where('id', '=', REWRITTEN)
    .where('resolved_at', 'is', null)
    .execute()
}

/** The last link. */
export async function headOf(trx: Kysely<DB>) {
  return trx
    .selectFrom('audit_seal')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A batch of entries above an id that have no link yet. */
export async function unsealed(trx: Transaction<DB>, above: string): Promise<AuditEntry[]> {
  return trx
    .selectFrom('audit_entry as e')
    .select(entryColumns)
    .where('e.id', '>', above)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('audit_seal as s').select('s.entry_id').whereRef('s.entry_id', '=', 'e.id'))),
    )
    .orderBy('e.id')
    .limit(BATCH)
    .execute()
}

/** The id up to which no transaction can commit a new entry any longer. */
export async function trailing(trx: Transaction<DB>, from: string): Promise<string> {
  const { id } = await trx
    .selectFrom('audit_entry')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('id', '>', from)
    .where('at', '<', sql<Date>`clock_timestamp() - interval '60 seconds'`)
    .executeTakeFirstOrThrow()
  return id === null ? from : String(id)
}

/** An entry as the chain hashes it; times and bytes as text, so that nothing is rounded. */
export const entryColumns = [
  sql<string>`e.id::text`.as('id'),
  utc(sql.ref('e.at')).as('at'),
  'e.actor',
  'e.acted_as as actedAs',
  'e.action',
  'e.case_id as caseId',
  'e.object',
  sql<string>`encode(e.commitment, 'hex')`.as('commitment'),
] as const
