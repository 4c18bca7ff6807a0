import { verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { keysIn } from '../../kernel/keys.ts'
import { NotTheFormat, headerIn, linesIn } from './export-file.ts'
import { type AuditCheckpoint, checkpointText, headerText } from '../../kernel/audit/format.ts'
import { type KeptCheckpoint, readKeptCheckpoint } from './kept-checkpoint.ts'
import {
  type AuditLink,
  type Lines,
  type LinkRange,
  type Finding,
  type PublicKeys,
  type Verdict,
  found,
  nextSequence,
  NOTHING,
  earliest,
} from './chain-findings.ts'
import { examine } from './chain-examination.ts'

/** A stretch of the chain, as it is exported. */
export interface AuditExport {
  links: AuditLink[]
  checkpoints: AuditCheckpoint[]
}

/** The lines of an export in memory. */
export function linesOf({ links, checkpoints }: AuditExport): Lines {
  return async function* () {
    const signed = new Map(checkpoints.map((one) => [one.sequence, one]))
    for (const link of links) {
      yield { link }
      const checkpoint = signed.get(link.sequence)
      if (checkpoint) yield { checkpoint }
    }
  }
}

/** The header of an export; one without entries names no links. */
export interface AuditHeader extends Partial<LinkRange> {
  /** Format 1 has no acts of erasure, format 2 does not name the signatures. */
  format: 'prakriya-audit-1' | 'prakriya-audit-2' | 'prakriya-audit-3'
  keyId: string
  /** When it was made. */
  at: string
  /** Number of links. */
  count: number
  /** Problems of the audit trail that were known at the time of the export. */
  broken?: Finding
  /** Ed25519 over the rest, base64. */
  signature: string
}

/** Whether the header is the one that was signed; otherwise nothing in it counts. */
function isOwnWord({ signature: signed, ...header }: AuditHeader, keys: PublicKeys): boolean {
  const key = keys.get(header.keyId)
  return key !== undefined && verify(null, headerText(header), key, Buffer.from(signed ?? '', 'base64'))
}

/**
 * What is wrong with a kept checkpoint itself, or because the chain ends before it. Throws if the file does not reach
 * it.
 */
function beforeTheWalk(checkpoint: KeptCheckpoint, keys: PublicKeys, stretch: LinkRange) {
  const { sequence, keyId, signature: signed, at } = checkpoint
  const key = keys.get(keyId)
  if (!key) {
    const text = `the given checkpoint of link ${sequence} is signed by the unknown key ${keyId}: the audit trail may have been signed again with another`
    return found('unsigned', sequence, null, text)
  }
  if (!verify(null, checkpointText(checkpoint), key, Buffer.from(signed, 'base64')))
    return found(
      'unsigned',
      sequence,
      null,
      `the signature of the given checkpoint of link ${sequence} does not fit the key ${keyId}`,
    )
  const { from, to, head = to } = stretch
  if (BigInt(head) < BigInt(sequence)) {
    const text = `the audit trail ends at link ${head}, but link ${sequence} was signed on ${at.slice(0, 10)}`
    return found('removed', nextSequence(head), null, text)
  }
  if (BigInt(sequence) < BigInt(from) || BigInt(sequence) > BigInt(to))
    throw new Error(
      `The checkpoint is of link ${sequence}, and this file has the links ${from} to ${to}: export more days.`,
    )
  return null
}

/**
 * Verifies an export file: its header, its completeness, and that it matches kept checkpoints. Throws if it is not an
 * export.
 */
export async function examineFile(
  file: string,
  keys: PublicKeys,
  kept: readonly KeptCheckpoint[] = [],
): Promise<Verdict> {
  const header = await headerIn(file)
  const { from, to, broken } = header
  if (!isOwnWord(header, keys)) {
    const why = keys.has(header.keyId) ? 'was altered' : `is signed by the unknown key ${header.keyId}`
    const first = found('unsigned', from ?? '1', null, `the first line of the file, which describes it, ${why}`)
    return { ...NOTHING, first }
  }
  if (from === undefined || to === undefined) {
    if (broken) return { ...NOTHING, first: broken }
    throw new Error('No entries in this file.')
  }
  const stretch = { ...header, from, to }
  for (const one of kept) {
    const first = beforeTheWalk(one, keys, stretch)
    if (first) return { ...NOTHING, first }
  }
  const verdict = await examine(() => linesIn(file), keys, stretch, kept)
  return { ...verdict, first: earliest(verdict, broken, header.head) }
}

/** The keys beside a file, unless others are named. */
function keysFor(file: string, named: readonly string[]): PublicKeys {
  const absent = named.find((one) => !existsSync(one))
  if (absent) throw new Error(`Key file not found: ${absent}.`)
  const beside = [`${file}.pem`, join(dirname(file), 'audit-key.pem')].filter((one) => existsSync(one)).slice(0, 1)
  const keys = keysIn([...(named.length > 0 ? named : beside)].map((one) => readFileSync(one, 'utf8')).join('\n'))
  if (keys.size > 0) return keys
  throw new Error(
    named.length > 0
      ? `No public key in ${named.join(', ')}.`
      : `No public key. Name it with --key FILE, or save it as audit-key.pem beside ${file}; the console has it to download.`,
  )
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string', multiple: true, default: [] },
      checkpoint: { type: 'string', multiple: true, default: [] },
    },
  })
  const [file] = positionals
  if (!file || !existsSync(file))
    throw new Error('No file given. Usage: npm run audit:verify -- FILE [--key KEY.pem]… [--checkpoint FILE]…')
  const verdict = await examineFile(file, keysFor(file, values.key), values.checkpoint.map(readKeptCheckpoint))
  const { links, from, to, erased, leftOut, checkpoints, kept, vouched, unvouched, first } = verdict
  if (first) {
    console.error(`Audit trail not intact: ${first.harm} at link ${first.sequence}: ${first.text}.`)
    process.exitCode = 1
    return
  }
  console.log(`Audit trail intact from link ${from} to ${to}: ${links} entries are as they were sealed, and in order.`)
  console.log(
    `${checkpoints} signatures cover it up to link ${vouched}${unvouched > 0 ? `; the last ${unvouched} entries are not signed yet` : ''}.`,
  )
  if (kept > 0) console.log(`Given checkpoints that it agrees with: ${kept}.`)
  if (erased > 0) console.log(`The details of ${erased} entries were erased; their time and author are still recorded.`)
  if (leftOut > 0)
    console.log(
      `The details of ${leftOut} entries about register items are left out of this export; they were not erased.`,
    )
}

// npm run audit:verify -- FILE [--key KEY.pem]… [--checkpoint FILE]…; a file may hold several keys
if (import.meta.main)
  main().catch((error: Error) => {
    console.error(error instanceof NotTheFormat ? `Not an export of the audit trail: ${error.message}.` : error.message)
    process.exitCode = 1
  })
