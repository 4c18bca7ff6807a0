import { type Kysely, sql } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import { entryColumns } from './sealer.ts'
import type { AuditLink, AuditExport, Stretch } from './verify.ts'
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

/**
 * The links that were sealed in some days, and those behind them up to the next signature, so that something vouches for
 * the last of them too; null where there is none. It asks nothing but the chain itself.
 */
export async function stretchOf(
  db: Kysely<DB>,
  { from, until }: { from?: Date | undefined; until?: Date | undefined },
): Promise<Stretch | null> {
  const { head } = await db
    .selectFrom('audit_seal')
    .select(sql<string | null>`max(sequence)::text`.as('head'))
    .executeTakeFirstOrThrow()
  if (head === null) return null
  const first = from === undefined ? 1n : await sealedSince(db, from, BigInt(head))
  const last = until === undefined ? BigInt(head) : (await sealedSince(db, until, BigInt(head))) - 1n
  if (first > last) return null
  const { signed } = await db
    .selectFrom('audit_checkpoint')
    .select(sql<string | null>`min(sequence)::text`.as('signed'))
    .where('sequence', '>=', String(last))
    .executeTakeFirstOrThrow()
  return { from: String(first), to: until === undefined || signed === null ? String(last) : signed }
}

/** The first link that was sealed at a moment or later: links are sealed one after the other, so the chain is halved. */
async function sealedSince(db: Kysely<DB>, moment: Date, head: bigint): Promise<bigint> {
  let [low, high] = [1n, head + 1n]
  while (low < high) {
    const middle = (low + high) / 2n
    const link = await db
      .selectFrom('audit_seal')
      .select(['sequence', 'at'])
      .where('sequence', '>=', String(middle))
      .orderBy('sequence')
      .limit(1)
      .executeTakeFirstOrThrow()
    if (link.at >= moment) high = middle
    else low = BigInt(link.sequence) + 1n
  }
  return low
}
