import { type Kysely, sql } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import { entryColumns } from './sealer.ts'
import type { AuditLink, AuditExport } from './verify.ts'
import type { AuditCheckpoint } from './format.ts'

/** Links that are read at a time. */
const BATCH = 1000
const LAST = '9223372036854775807'

async function linksOf(db: Kysely<DB>, from: string, to: string, limit: number): Promise<AuditLink[]> {
  const links = await db
    .selectFrom('audit_seal as s')
    .innerJoin('audit_entry as e', 'e.id', 's.entry_id')
    .leftJoin('audit_payload as p', 'p.entry_id', 'e.id')
    .select([
      sql<string>`s.sequence::text`.as('sequence'),
      sql<string>`encode(s.previous, 'hex')`.as('previous'),
      sql<string>`encode(s.hash, 'hex')`.as('hash'),
      sql<string | null>`encode(p.salt, 'base64')`.as('salt'),
      'p.payload',
    ])
    .select(entryColumns)
    .where('s.sequence', '>=', from)
    .where('s.sequence', '<=', to)
    .orderBy('s.sequence')
    .limit(limit)
    .execute()
  return links.map(({ sequence, previous, hash, salt, payload, ...entry }) => ({
    sequence,
    previous,
    hash,
    entryId: entry.id,
    entry,
    ...(salt === null ? {} : { salt, payload }),
  }))
}

async function checkpointsOf(db: Kysely<DB>, from: string, to: string): Promise<AuditCheckpoint[]> {
  return db
    .selectFrom('audit_checkpoint')
    .select([
      sql<string>`sequence::text`.as('sequence'),
      sql<string>`encode(hash, 'hex')`.as('hash'),
      'key_id as keyId',
      sql<string>`encode(signature, 'base64')`.as('signature'),
    ])
    .where('sequence', '>=', from)
    .where('sequence', '<=', to)
    .orderBy('sequence')
    .execute()
}

/** The chain from one link to another with its entries, the payloads that still exist, and the checkpoints on it. */
export async function exportAudit(db: Kysely<DB>, from = '1', to = LAST): Promise<AuditExport> {
  const links: AuditLink[] = []
  const checkpoints: AuditCheckpoint[] = []
  for await (const one of auditLines(db, { from, to }))
    if ('link' in one) links.push(one.link)
    else checkpoints.push(one.checkpoint)
  return { links, checkpoints }
}

/** One line of an export. */
export type AuditLine = { link: AuditLink } | { checkpoint: AuditCheckpoint }

/** The same line by line, so that a file of any length takes no more memory than a short one. */
export async function* auditLines(
  db: Kysely<DB>,
  { from = '1', to = LAST }: { from?: string; to?: string } = {},
): AsyncGenerator<AuditLine> {
  let next = BigInt(from)
  for (;;) {
    const links = await linksOf(db, String(next), to, BATCH)
    const last = links.at(-1)
    if (!last) return
    const checkpoints = await checkpointsOf(db, String(next), last.sequence)
    for (const link of links) {
      yield { link }
      const signed = checkpoints.find(({ sequence }) => sequence === link.sequence)
      if (signed) yield { checkpoint: signed }
    }
    if (links.length < BATCH) return
    next = BigInt(last.sequence) + 1n
  }
}

/** The links of the entries of some days; null where there is none. */
export async function stretchOf(
  db: Kysely<DB>,
  { from, until }: { from?: Date | undefined; until?: Date | undefined },
): Promise<{ from: string; to: string } | null> {
  const { rows } = await sql<{ from: string | null; to: string | null }>`
    select min(s.sequence)::text as from, max(s.sequence)::text as to
    from audit_seal s join (
      (select entry_id from audit_lookup where at >= coalesce(${from ?? null}::timestamptz, '-infinity') order by at, entry_id limit 100)
      union all
      (select entry_id from audit_lookup where at < coalesce(${until ?? null}::timestamptz, 'infinity') order by at desc, entry_id desc limit 100)
    ) e on e.entry_id = s.entry_id`.execute(db)
  const { from: first, to: last } = rows[0] ?? { from: null, to: null }
  return first === null || last === null ? null : { from: first, to: last }
}
