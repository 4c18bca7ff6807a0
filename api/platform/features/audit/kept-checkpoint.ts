import { createPublicKey, verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { known } from '../../kernel/known.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { fingerprintOf } from '../../kernel/keys.ts'
import { checkpointText } from '../../kernel/audit/format.ts'

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

const members = {
  /** Format 1 does not name the previous checkpoint. */
  format: Type.Enum(['prakriya-audit-checkpoint-1', 'prakriya-audit-checkpoint-2']),
  sequence: Type.String({ pattern: '^[1-9][0-9]{0,18}$' }),
  hash: Hash,
  before: Type.Optional(Type.String({ pattern: '^(0|[1-9][0-9]{0,18})$' })),
  /** When it was signed. */
  at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT' }),
  keyId: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  /** Ed25519 over `checkpointText`, base64. */
  signature: Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' }),
  /** Of the public key, to compare it with the published one; `keyId` is its beginning. */
  fingerprint: Hash,
}
const schema = Type.Object(members, { additionalProperties: false })

/** A signed head of the chain, as the nightly mail attaches it. */
export type KeptCheckpoint = Static<typeof schema>

/** The newest checkpoint; undefined if nothing is signed yet. Throws if its signature is not valid. */
export async function newestCheckpoint(db: Kysely<DB>): Promise<KeptCheckpoint | undefined> {
  const row = await db
    .selectFrom('audit_checkpoint as c')
    .innerJoin('audit_key as k', 'k.id', 'c.key_id')
    .select([
      sql<string>`c.sequence::text`.as('sequence'),
      sql<string>`encode(c.hash, 'hex')`.as('hash'),
      sql<string | null>`c.before::text`.as('before'),
      'c.at',
      'c.signature',
      'k.public_key',
    ])
    .orderBy('c.sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const { sequence, hash, at, signature } = row
  const signed = { sequence, hash, ...(row.before !== null && { before: row.before }) }
  const key = createPublicKey(row.public_key)
  if (!verify(null, checkpointText(signed), key, signature))
    throw new Error(`checkpoint not mailed: the signature of the audit trail at link ${sequence} does not fit its key`)
  const fingerprint = fingerprintOf(key)
  return {
    format: row.before === null ? 'prakriya-audit-checkpoint-1' : 'prakriya-audit-checkpoint-2',
    ...{ ...signed, at: at.toISOString(), keyId: fingerprint.slice(0, 16) },
    ...{ signature: signature.toString('base64'), fingerprint },
  }
}

/** Parses the attachment of such a mail. Throws an error of one line that says what is wrong. */
export function readKeptCheckpoint(file: string): KeptCheckpoint {
  if (!existsSync(file)) throw new Error(`Checkpoint file not found: ${file}.`)
  const text = readFileSync(file, 'utf8')
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new Error(`${file} is no checkpoint: it is not JSON. Save the attachment of the mail as it is.`)
  }
  if (Value.Check(schema, given)) {
    // No value contains a space.
    if (JSON.stringify(given) === text.replaceAll(/\s/g, '')) return given
    throw new Error(`${file} is no checkpoint: a key appears twice, or a value is not written as in the mail.`)
  }
  const { instancePath, message } = known(Value.Errors(schema, given)[0], 'what is wrong with the file')
  throw new Error(`${file} is no checkpoint: ${instancePath.slice(1) || 'it'} ${message}.`)
}
