import { type Kysely, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { utc } from '../../kernel/db/utc.ts'
import type { AuditEntry } from '../../kernel/audit/format.ts'
import { entryColumns } from './chain-repository.ts'

/** An entry with its data from the chain. */
export interface SealedEntry extends AuditEntry {
  /** Null if its details are gone. */
  payload: JsonObject | null
  salt: Buffer | null
  /** An act erased its details. */
  erased: boolean
  /** Its link; null if it is not sealed. */
  sequence: string | null
  previous: string | null
  hash: string | null
  /** It is so recent that it may not be sealed yet. */
  fresh: boolean
}

/** Search rows that do not match their entries. */
export interface WrongLookups {
  missing: number
  altered: number
  extra: number
  /** The first by position; an entry outside the chain has none. */
  first: { sequence: string | null; entryId: string; harm: 'missing' | 'altered' | 'extra' } | null
}

function sealedEntries(db: Kysely<DB>) {
  return db
    .selectFrom('audit_entry as e')
    .leftJoin('audit_payload as p', 'p.entry_id', 'e.id')
    .leftJoin('audit_seal as s', 's.entry_id', 'e.id')
    .select([
      sql<JsonObject | null>`p.payload`.as('payload'),
      'p.salt',
      sql<boolean>`exists (select from audit_erasure x where x.entry_id = e.id)`.as('erased'),
      sql<string | null>`s.sequence::text`.as('sequence'),
      sql<string | null>`encode(s.previous, 'hex')`.as('previous'),
      sql<string | null>`encode(s.hash, 'hex')`.as('hash'),
      sql<boolean>`e.at > clock_timestamp() - interval '2 minutes'`.as('fresh'),
    ])
    .select(entryColumns)
    .orderBy('e.id')
}

/** The entries of a case, in order of creation. */
export async function listEntriesOfCase(db: Kysely<DB>, caseId: string): Promise<SealedEntry[]> {
  return sealedEntries(db).where('e.case_id', '=', caseId).execute()
}

/** The entries that set the names of accounts. The search finds them, so a faulty search may miss some. */
export async function listEntriesOfAccounts(db: Kysely<DB>, ids: readonly string[]): Promise<SealedEntry[]> {
  if (ids.length === 0) return []
  const named = ids.map((id) => `account:${id}`)
  return sealedEntries(db)
    .where('e.id', 'in', (eb) =>
      eb
        .selectFrom('audit_person')
        .select('entry_id')
        .where('person', '=', sql<string>`any(${[...ids]}::uuid[])`)
        .where(sql<boolean>`action like 'account.%'`),
    )
    .where('e.object', '=', sql<string>`any(${named}::text[])`)
    .execute()
}

/** The names of accounts. */
export async function listAccountNames(db: Kysely<DB>, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('account')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The submissions of a case, oldest first. */
export async function listSent(db: Kysely<DB>, caseId: string) {
  return db
    .selectFrom('submission')
    .select(['id', 'task_id', 'form_key', 'form_hash', 'data', 'submitted_by', 'acted_as', 'salt'])
    .select(['effect', 'void_reason', utc(sql.ref('at')).as('at')])
    .where('case_id', '=', caseId)
    .orderBy('submission.at')
    .execute()
}

/** Those of these hashes whose stored content does not match. */
export async function listForeignContents(db: Kysely<DB>, hashes: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('artifact')
    .select('hash')
    .where('hash', 'in', [...hashes])
    .where(sql<boolean>`encode(sha256(convert_to(content, 'UTF8')), 'hex') <> hash`)
    .execute()
  return rows.map(({ hash }) => hash)
}

/** Search rows that do not match the entries between two links. */
export async function findWrongLookups(db: Kysely<DB>, from: string, to: string): Promise<WrongLookups> {
  const { rows } = await sql<{ entryId: string; sequence: string; harm: 'missing' | 'altered' | 'extra' }>`
    select w.entry_id::text as "entryId", s.sequence::text as sequence, w.harm
    from audit_lookup_wrong(array(select entry_id from audit_seal where sequence between ${from} and ${to})) w
      join audit_seal s on s.entry_id = w.entry_id
    order by s.sequence`.execute(db)
  const count = (harm: string) => rows.filter((row) => row.harm === harm).length
  const [first] = rows
  return {
    ...{ missing: count('missing'), altered: count('altered'), extra: count('extra') },
    first: first ?? null,
  }
}

/** Search rows of entries that are not in the chain. */
export async function findStrayLookups(db: Kysely<DB>): Promise<WrongLookups> {
  const { rows } = await sql<{ entryId: string }>`
    select entry_id::text as "entryId" from (
      select entry_id from audit_lookup union all select entry_id from audit_person
    ) l where not exists (select from audit_seal s where s.entry_id = l.entry_id) order by entry_id`.execute(db)
  const first = rows[0] ? { sequence: null, entryId: rows[0].entryId, harm: 'extra' as const } : null
  return { missing: 0, altered: 0, extra: rows.length, first }
}
