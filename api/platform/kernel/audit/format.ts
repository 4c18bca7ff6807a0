import { createHash } from 'node:crypto'

/** What an entry says in the open; what it is about stands in the payload, of which only the commitment is chained. */
export interface AuditEntry {
  id: string
  /** UTC with microseconds, as the database holds it. */
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
  /** Place of the link whose checkpoint was signed before this one, `0` where there was none; absent where none said it. */
  before?: string
  /** Ed25519 over `checkpointText`, base64. */
  signature: string
}

/** What the first link has before it. */
export const GENESIS = '00'.repeat(32)

/** JSON with sorted keys and no white space: the same value gives the same text, also after a trip through jsonb. */
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

/** The commitment to a payload: tells nothing about it without the salt. */
export function commitmentOf(salt: Buffer, payload: unknown): Buffer {
  return createHash('sha256').update(salt).update(canonical(payload)).digest()
}

/** The hash of a link: over the one before, its place and the whole entry. */
export function sealHash(previous: string, sequence: string, entry: AuditEntry): string {
  const { id, at, actor, actedAs, action, caseId, object, commitment } = entry
  return createHash('sha256')
    .update(canonical({ previous, sequence, id, at, actor, actedAs, action, caseId, object, commitment }))
    .digest('hex')
}

/** What somebody sent, as its entry seals it. */
export interface SentText {
  id: string
  caseId: string
  taskId: string | null
  formKey: string
  formHash: string
  data: unknown
  by: string
  actedAs: string | null
  /** UTC with microseconds, as the database holds it. */
  at: string
}

/** The hash by which an entry seals what was sent: tells nothing about it without the salt, which stays with what was sent. */
export function sentHash(
  salt: Buffer,
  { id, caseId, taskId, formKey, formHash, data, by, actedAs, at }: SentText,
): string {
  return commitmentOf(salt, { id, caseId, taskId, formKey, formHash, data, by, actedAs, at }).toString('hex')
}

/** What a checkpoint signs. */
export function checkpointText({
  sequence,
  hash,
  before,
}: Pick<AuditCheckpoint, 'sequence' | 'hash' | 'before'>): Buffer {
  if (before === undefined) return Buffer.from(`prakriya audit checkpoint\n${sequence}\n${hash}\n`)
  return Buffer.from(`prakriya audit checkpoint 2\n${sequence}\n${hash}\n${before}\n`)
}

/** What an export signs of itself: everything that its first line says. A verifier of before takes no later one for whole. */
export function headerText(header: { format: string }): Buffer {
  const name = header.format === 'prakriya-audit-3' ? 'prakriya audit export 3' : 'prakriya audit export'
  return Buffer.from(`${name}\n${canonical(header)}\n`)
}
