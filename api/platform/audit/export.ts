import { type Kysely, sql } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import { entryColumns } from './sealer.ts'
import type { AuditExport } from './verify.ts'

/** The chain from one link to another with its entries, the payloads that still exist, and the checkpoints on it. */
export async function exportAudit(db: Kysely<DB>, from = '1', to = '9223372036854775807'): Promise<AuditExport> {
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
    .execute()
  const checkpoints = await db
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
  return {
    links: links.map(({ sequence, previous, hash, salt, payload, ...entry }) => ({
      sequence,
      previous,
      hash,
      entryId: entry.id,
      entry,
      ...(salt === null ? {} : { salt, payload }),
    })),
    checkpoints,
  }
}
