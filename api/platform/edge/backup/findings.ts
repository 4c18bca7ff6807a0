import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { keysIn, signingKey } from '../../kernel/keys.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { auditLines, linkRangeOf, publicKeysOf } from '../../features/audit/export.ts'
import { examine } from '../../features/audit/chain-examination.ts'
import { fieldKeys } from '../../kernel/field-keys.ts'
import { usesOfKeys } from '../../records/registers/keys-in-use.ts'
import { notAsSigned, signedHeadFile } from '../../features/audit/signed-head.ts'

const Count = Type.Integer({ minimum: 0 })

/** How many rows there are of what only grows. */
export const Figures = Type.Object({
  cases: Count,
  submissions: Count,
  versionsOfEntries: Count,
  ledgerEntries: Count,
  auditEntries: Count,
})
export type Figures = Static<typeof Figures>

export async function figuresOf(db: Kysely<DB>): Promise<Figures> {
  const { rows } = await sql<Figures>`
    select (select count(*) from flow_case)::float8 as cases, (select count(*) from submission)::float8 as submissions,
      (select count(*) from register_item_version)::float8 as "versionsOfEntries",
      (select count(*) from ledger_entry)::float8 as "ledgerEntries",
      (select count(*) from audit_entry)::float8 as "auditEntries"`.execute(db)
  const [figures] = rows
  if (!figures) throw new Error('the database does not count its rows')
  return figures
}

/** The figures of a database right before and right after it was copied, and how many of its files were missing then. */
export interface Bounds {
  before: Figures
  after: Figures
  missing: number
}

/**
 * What is wrong with restored data, a line each: rows that are missing, cases without their process instance or the other
 * way round, balances that do not follow from their entries, files that are missing, and an audit trail that is not whole.
 */
export async function findingsOf(
  db: Kysely<DB>,
  { before, after, missing }: Bounds,
  { dataDir, auditKey, fieldKeys: given }: { dataDir: string; auditKey: string; fieldKeys: string },
): Promise<string[]> {
  const now = await figuresOf(db)
  const names: (keyof Figures)[] = ['cases', 'submissions', 'versionsOfEntries', 'ledgerEntries', 'auditEntries']
  const counts = names.flatMap((name) =>
    now[name] >= before[name] && now[name] <= after[name]
      ? []
      : [`${name}: ${now[name]}, but there were ${before[name]} to ${after[name]} when it was copied`],
  )
  return [
    ...counts,
    ...(await contradictions(db)),
    ...(await goneFiles(db, dataDir, missing)),
    ...(await auditTrail(db, dataDir, auditKey)),
    ...(await missingKeys(db, given)),
  ]
}

async function contradictions(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ what: string; count: number }>`
    select 'process instances without their case' as what, count(*)::int as count from engine.act_ru_execution e
    where e.parent_id_ is null and e.super_exec_ is null and e.business_key_ is not null
      and not exists (select from flow_case c where c.id::text = e.business_key_)
    union all
    select 'running cases without their process instance', count(*)::int from flow_case c
    where c.state = 'running' and not exists (select from engine.act_hi_procinst h where h.business_key_ = c.id::text)
      and not exists (select from command o where o.case_id = c.id and o.kind = 'start' and o.state = 'pending')
    union all
    select 'ledger entries that do not balance', count(*)::int
    from (select entry_id from ledger_line group by entry_id having sum(amount) <> 0) uneven
    union all
    select 'accounts whose balance is not the sum of their lines', count(*)::int from ledger_account a
    where a.balance <> (select coalesce(sum(case when a.kind in ('asset', 'expense') then l.amount else -l.amount end), 0)
      from ledger_line l where l.account_id = a.id)`.execute(db)
  return rows.flatMap(({ what, count }) => (count > 0 ? [`${count} ${what}`] : []))
}

/** How many of the files that the database names are not in the data folder, or not complete. */
export async function missingFiles(db: Kysely<DB>, dataDir: string): Promise<number> {
  const files = await db.selectFrom('file').select(['storage_key', 'size']).execute()
  const sizeOf = (key: string) => statSync(join(dataDir, 'files', key), { throwIfNoEntry: false })?.size
  return files.filter(({ storage_key: key, size }) => sizeOf(key) !== Number(size)).length
}

async function goneFiles(db: Kysely<DB>, dataDir: string, already: number): Promise<string[]> {
  const gone = (await missingFiles(db, dataDir)) - already
  return gone > 0 ? [`${gone} files are missing or not complete`] : []
}

async function missingKeys(db: Kysely<DB>, given: string): Promise<string[]> {
  const keys = fieldKeys(given)
  const uses = await usesOfKeys(db, keys)
  return uses.flatMap(({ id, lost }) =>
    lost || keys.ids.includes(id) ? [] : [`the key ${id} of encrypted fields: set FIELD_KEYS`],
  )
}

async function auditTrail(db: Kysely<DB>, dataDir: string, auditKey: string): Promise<string[]> {
  const memory = signedHeadFile(join(dataDir, 'audit-head.json'))
  const range = await linkRangeOf(db, {})
  const other = await notAsSigned(db, memory)
  if (other || !range) return other ? [`the audit trail: ${other.text}`] : []
  const { pems, wrong } = await publicKeysOf(db, signingKey(auditKey), memory)
  if (wrong) return [`the audit trail: ${wrong.text}`]
  const { first } = await examine(() => auditLines(db, range), keysIn(pems.join('\n')), range)
  return first ? [`the audit trail: ${first.text}`] : []
}
