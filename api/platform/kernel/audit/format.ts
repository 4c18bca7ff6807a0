import { createHash } from 'node:crypto'

/** The sealed part of an entry. Its details are in the payload; the chain contains only the commitment to them. */
export interface AuditEntry {
  id: string
  /** UTC with microseconds, as in the database. */
  at: string
  actor: string
  actedAs: string | null
  action: string
  caseId: string | null
  object: string | null
  /** Hex of sha256(salt || canonical payload). */
  commitment: string
}

/** One link of the chain. Hashes in hex. */
export interface AuditSeal {
  sequence: string
  entryId: string
  previous: string
  hash: string
}

/** A signed head of the chain. */
export interface AuditCheckpoint {
  sequence: string
  hash: string
  keyId: string
  /** Position of the previous signed link, `0` if there is none; absent in older checkpoints. */
  before?: string
  /** Ed25519 over `checkpointText`, base64. */
  signature: string
}

/** The predecessor hash of the first link. */
export const GENESIS = '00'.repeat(32)

/** JSON with sorted keys and no white space: equal values give equal texts, also after storage as jsonb. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one ?? null)).join(',')}]`
  if (value !== null && typeof value === 'object') {
    if (typeof (value as { toJSON?: unknown }).toJSON === 'function')
      return canonical(JSON.parse(JSON.stringify(value)))
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value)
}

/** The commitment to a payload; reveals nothing about it without the salt. */
export function commitmentOf(salt: Buffer, payload: unknown): Buffer {
  return createHash('sha256').update(salt).update(canonical(payload)).digest()
}

/** The hash of a link, over the previous hash, its position and the entry. */
export function sealHash(previous: string, sequence: string, entry: AuditEntry): string {
  const { id, at, actor, actedAs, action, caseId, object, commitment } = entry
  return createHash('sha256')
    .update(canonical({ previous, sequence, id, at, actor, actedAs, action, caseId, object, commitment }))
    .digest('hex')
}

/** A submission, as its entry seals it. */
export interface SentText {
  id: string
  caseId: string
  taskId: string | null
  formKey: string
  formHash: string
  data: unknown
  by: string
  actedAs: string | null
  /** UTC with microseconds, as in the database. */
  at: string
}

/** The hash that seals a submission. It reveals nothing without the salt, which is stored with the submission. */
export function sentHash(
  salt: Buffer,
  { id, caseId, taskId, formKey, formHash, data, by, actedAs, at }: SentText,
): string {
  return commitmentOf(salt, { id, caseId, taskId, formKey, formHash, data, by, actedAs, at }).toString('hex')
}

/** The text that a checkpoint signs. */
export function checkpointText({
  sequence,
  hash,
  before,
}: Pick<AuditCheckpoint, 'sequence' | 'hash' | 'before'>): Buffer {
  if (before === undefined) return Buffer.from(`prakriya audit checkpoint\n${sequence}\n${hash}\n`)
  return Buffer.from(`prakriya audit checkpoint 2\n${sequence}\n${hash}\n${before}\n`)
}

/** The text that an export signs: its whole header. Older verifiers reject newer formats. */
export function headerText(header: { format: string }): Buffer {
  const name = header.format === 'prakriya-audit-3' ? 'prakriya audit export 3' : 'prakriya audit export'
  return Buffer.from(`${name}\n${canonical(header)}\n`)
}
