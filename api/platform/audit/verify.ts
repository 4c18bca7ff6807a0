import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  type AuditCheckpoint,
  type AuditEntry,
  type AuditSeal,
  GENESIS,
  checkpointText,
  commitmentOf,
  sealHash,
} from './format.ts'

/** A stretch of the chain as it is handed out; a link without payload is one whose payload was erased. */
export interface AuditExport {
  links: (AuditSeal & { entry: AuditEntry; salt?: string; payload?: unknown })[]
  checkpoints: AuditCheckpoint[]
}

/**
 * Checks an export offline, with nothing but itself and the public key; gives what is wrong, in words. Links after
 * the last checkpoint are checked among themselves, but nothing signed vouches for them yet.
 */
export function verifyAudit({ links, checkpoints }: AuditExport, publicKey: KeyObject): string[] {
  const wrong: string[] = []
  let previous = links[0]?.sequence === '1' ? GENESIS : links[0]?.previous
  let expected = BigInt(links[0]?.sequence ?? 0)
  const hashes = new Map<string, string>()
  for (const link of links) {
    const { sequence, entry } = link
    if (BigInt(sequence) !== expected) wrong.push(`link ${expected} is missing`)
    if (link.previous !== previous) wrong.push(`link ${sequence} does not follow the one before it`)
    if (sealHash(link.previous, sequence, entry) !== link.hash)
      wrong.push(`entry ${entry.id} is not what link ${sequence} sealed`)
    if (
      link.salt !== undefined &&
      commitmentOf(Buffer.from(link.salt, 'base64'), link.payload).toString('hex') !== entry.commitment
    )
      wrong.push(`the payload of entry ${entry.id} is not what was committed to`)
    hashes.set(sequence, link.hash)
    previous = link.hash
    expected = BigInt(sequence) + 1n
  }
  for (const { sequence, hash, signature } of checkpoints) {
    if (!verify(null, checkpointText(sequence, hash), publicKey, Buffer.from(signature, 'base64')))
      wrong.push(`the signature of checkpoint ${sequence} is not of this key`)
    if (hashes.get(sequence) !== hash) wrong.push(`checkpoint ${sequence} signs another chain`)
  }
  return wrong
}

// node api/platform/audit/verify.ts <export.json> <public-key.pem>
if (import.meta.main) {
  const [file, key] = process.argv.slice(2)
  if (!file || !key) throw new Error('say which export and which public key: verify.ts <export.json> <public-key.pem>')
  const wrong = verifyAudit(
    JSON.parse(readFileSync(file, 'utf8')) as AuditExport,
    createPublicKey(readFileSync(key, 'utf8')),
  )
  console.log(wrong.length === 0 ? 'The chain is whole.' : wrong.join('\n'))
  process.exitCode = wrong.length === 0 ? 0 : 1
}
