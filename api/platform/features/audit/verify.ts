import { type KeyObject, verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { keysIn } from '../../kernel/keys.ts'
import { NotTheFormat, headerIn, linesIn } from './export-file.ts'
import type { AuditLine } from './export.ts'
import {
  type AuditCheckpoint,
  type AuditEntry,
  type AuditSeal,
  GENESIS,
  checkpointText,
  commitmentOf,
  headerText,
  sealHash,
} from '../../kernel/audit/format.ts'
import { type KeptCheckpoint, readKeptCheckpoint } from './kept-checkpoint.ts'

/** A link as it is handed out; without a payload it is one whose payload was erased, or left out of the export. */
export type AuditLink = AuditSeal & { entry: AuditEntry; salt?: string; payload?: unknown; leftOut?: true }

/** A stretch of the chain as it is handed out. */
export interface AuditExport {
  links: AuditLink[]
  checkpoints: AuditCheckpoint[]
}

/** What was done to the record, as far as the chain tells. */
export const harms = [
  ...['altered', 'missing', 'removed', 'reordered', 'inserted', 'unsigned'],
  ...['rewritten', 'unvouched', 'signature-removed', 'key-replaced'],
] as const
export type Harm = (typeof harms)[number]

/** The first thing that is wrong. */
export interface Finding {
  harm: Harm
  /** Place in the chain. */
  sequence: string
  /** Null where it is no longer there. */
  entryId: string | null
  text: string
}

/** The links that an export says it has. */
export interface Stretch {
  /** Places in the chain, both included. */
  from: string
  to: string
  /** Hash of the last of them. */
  hash?: string
  /** Place of the last link that there was in the chain. */
  head?: string
  /** Place of the last of them that was signed; null where none was. Absent in what was taken out before it said so. */
  signed?: string | null
  /** Moments that were asked for: entries that were made from `since` until before `until`. */
  since?: string
  until?: string
  /**
   * The acts that erased details of its entries, each with all that it erased. Absent in what was taken out before there
   * were such acts: there, details that are missing count as erased.
   */
  acts?: readonly ErasureAct[]
}

/** An act that erased details of entries, which its own details name; sealed, unless it is only just done. */
export type ErasureAct = Pick<AuditLink, 'entry' | 'salt' | 'payload'>

/** Public keys by what they are called. */
export type PublicKeys = ReadonlyMap<string, KeyObject>

/** What an examination came to. */
export interface Verdict {
  links: number
  /** Places of the first and the last link; null where there is none. */
  from: string | null
  to: string | null
  /** Links without their payload, because it was erased, by an act where these are known. */
  erased: number
  /** Links without their payload, which no act erased. */
  missing: number
  /** Links without their payload, because it says what an item of a register is, and nobody asked for these. */
  leftOut: number
  checkpoints: number
  /** Kept checkpoints that it was compared with, and fits. */
  kept: number
  /** Up to this link something signed vouches for it; null where nothing does. */
  vouched: string | null
  /** Links after that one: they agree with each other, but whoever writes them all anew makes that so too. */
  unvouched: number
  first: Finding | null
}

/** Lines of an export, from the beginning each time. */
type Lines = () => AsyncIterable<AuditLine>

/** The head of the chain is signed each minute; links that span more than this, in milliseconds, were signed once. */
const UNVOUCHED = 120_000

/**
 * Checks a stretch of the chain with nothing but itself and the public keys, in one walk whatever its length; where
 * something is wrong, a second walk finds out what was done. With `stretch`, it also has to have all of these links; with
 * checkpoints that were kept elsewhere, it has to be what was signed then.
 */
export async function examine(
  lines: Lines,
  keys: PublicKeys,
  stretch?: Stretch,
  kept: readonly KeptCheckpoint[] = [],
): Promise<Verdict> {
  const verdict: Verdict = { ...NOTHING }
  let signedBefore: string | undefined
  const elsewhere = Map.groupBy(kept, ({ sequence }) => sequence)
  let fits: string | undefined
  const erased = stretch?.acts && erasedBy(stretch.acts)
  let firstMissing: AuditLink | undefined
  let begin: AuditLink | undefined
  let last: AuditLink | undefined
  let firstUnvouched: AuditLink | undefined
  for await (const line of lines()) {
    if ('checkpoint' in line) {
      const { checkpoint } = line
      verdict.checkpoints += 1
      const wrong =
        signature(checkpoint, last, keys, verdict.vouched) ??
        signatureBefore(checkpoint, signedBefore, verdict.from ?? checkpoint.sequence)
      if (wrong) return { ...verdict, first: wrong }
      signedBefore = checkpoint.sequence
      verdict.unvouched = 0
      verdict.vouched = checkpoint.sequence
      firstUnvouched = undefined
      continue
    }
    const { link } = line
    verdict.links += 1
    verdict.unvouched += 1
    if (link.salt === undefined && link.payload === undefined) {
      const why = isLeftOut(link) ? 'leftOut' : !erased || erased.has(link.entry.id) ? 'erased' : 'missing'
      verdict[why] += 1
      if (why === 'missing') firstMissing ??= link
    }
    verdict.from ??= link.sequence
    verdict.to = link.sequence
    begin ??= link
    firstUnvouched ??= link
    if (!follows(link, last, stretch) || !holds(link))
      return { ...verdict, first: await whatWasDone(lines, link, last, stretch) }
    if (!keepsItsPayload(link))
      return {
        ...verdict,
        first: found('altered', link.sequence, link.entry.id, `the details of entry ${link.entry.id} were altered`),
      }
    const before = elsewhere.get(link.sequence) ?? []
    const other = before.find(({ hash }) => hash !== link.hash)
    if (other) return { ...verdict, first: otherThanKept(other, fits === undefined ? verdict.from : after(fits)) }
    if (before.length > 0) {
      verdict.kept += before.length
      fits = link.sequence
    }
    last = link
  }
  const missed =
    missingAtTheEnd(last, stretch) ??
    otherEnd(verdict, last, stretch) ??
    beyondTheDays(begin, last, stretch) ??
    lastSignature(verdict, stretch)
  const first = missed ?? nothingVouches(verdict, firstUnvouched, last) ?? missingDetails(firstMissing, verdict)
  return { ...verdict, first }
}

/** The entries whose details were erased by acts; an act whose own details are not what was sealed erased none. */
function erasedBy(acts: readonly ErasureAct[]): ReadonlySet<string> {
  return new Set(
    acts
      .filter((act) => act.entry.action === 'erasure.confirmed' && act.payload !== undefined && keepsItsPayload(act))
      .flatMap(({ payload }) => (payload as { entries?: string[] } | null)?.entries ?? []),
  )
}

/** Details that are gone, and nobody says to have erased them. All else was looked at before. */
function missingDetails(link: AuditLink | undefined, { missing: all }: Verdict): Finding | null {
  if (link === undefined) return null
  const { sequence, entry } = link
  const more = all > 1 ? `, and so are those of ${all - 1} more` : ''
  return found(
    'missing',
    sequence,
    entry.id,
    `the details of entry ${entry.id} are missing, and no act erased them${more}`,
  )
}

/** What is known before the first link is looked at. */
export const NOTHING: Verdict = {
  links: 0,
  from: null,
  to: null,
  erased: 0,
  missing: 0,
  leftOut: 0,
  checkpoints: 0,
  kept: 0,
  vouched: null,
  unvouched: 0,
  first: null,
}

/** The links that were written anew, and signed again, since somebody kept a checkpoint of them. */
function otherThanKept({ sequence, hash, at }: KeptCheckpoint, from: string): Finding {
  const text = `the links ${from} to ${sequence} were written anew, and signed again: link ${sequence} is not the one whose checkpoint was kept on ${at.slice(0, 10)} (${hash.slice(0, 16)}…)`
  return found('rewritten', from, null, text)
}

/** Whether a link stands right after another one; the first of a stretch follows whatever it says. */
function follows({ sequence, previous }: AuditLink, last: AuditLink | undefined, stretch?: Stretch): boolean {
  if (last === undefined)
    return (stretch === undefined || sequence === stretch.from) && (sequence !== '1' || previous === GENESIS)
  return BigInt(sequence) === BigInt(last.sequence) + 1n && previous === last.hash
}

function holds({ previous, sequence, entry, hash }: AuditLink): boolean {
  return sealHash(previous, sequence, entry) === hash
}

/** Whether the payload is what the entry is committed to; one that was erased went with its salt. */
function keepsItsPayload({ salt, payload, entry }: ErasureAct): boolean {
  if (salt === undefined || payload === undefined) return salt === payload
  return commitmentOf(Buffer.from(salt, 'base64'), payload).toString('hex') === entry.commitment
}

/** Only what is about items of registers is ever left out. */
function isLeftOut({ leftOut, entry }: AuditLink): boolean {
  return leftOut === true && entry.action.startsWith('register-item.')
}

function signature(
  checkpoint: AuditCheckpoint,
  last: AuditLink | undefined,
  keys: PublicKeys,
  vouched: string | null,
): Finding | null {
  const { sequence, hash, keyId, signature: signed } = checkpoint
  const key = keys.get(keyId)
  if (!key || !verify(null, checkpointText(checkpoint), key, Buffer.from(signed, 'base64'))) {
    const what = key ? `is not of the key ${keyId} that it names` : `is of the key ${keyId}, which is not known here`
    return found('unsigned', sequence, null, `the signature at link ${sequence} ${what}`)
  }
  if (last?.sequence === sequence && last.hash === hash) return null
  const from = vouched === null ? 'the beginning' : `link ${vouched}`
  const text = `the chain between ${from} and link ${sequence} was written anew: it is not what was signed there`
  return found('rewritten', vouched === null ? '1' : after(vouched), null, text)
}

/** Whether the signature before one is there, as it says itself; one that may stand before these links is not asked for. */
function signatureBefore(
  { before, sequence }: AuditCheckpoint,
  last: string | undefined,
  from: string,
): Finding | null {
  if (before === undefined || before === (last ?? '0')) return null
  if (BigInt(before) > BigInt(last ?? 0)) return BigInt(before) < BigInt(from) ? null : signatureRemoved(before)
  const text = `the signature at link ${last} was put in: none stood between those of the links ${before} and ${sequence}`
  return found('unsigned', last!, null, text)
}

/** Whether the last signature is the one that was there when the links were taken out. */
function lastSignature({ vouched }: Verdict, stretch: Stretch | undefined): Finding | null {
  const signed = stretch?.signed ?? null
  return signed === null || (vouched !== null && BigInt(vouched) >= BigInt(signed)) ? null : signatureRemoved(signed)
}

function signatureRemoved(sequence: string): Finding {
  return found('signature-removed', sequence, null, `the signature at link ${sequence} was removed`)
}

/**
 * What is wrong first, where something is known to be wrong that the links themselves need not show. Where the chain was
 * written anew and these links reach its end, that begins behind the last one that something still vouches for.
 */
export function earliest(
  { first, from, to, vouched }: Verdict,
  known: Finding | undefined,
  head: string | undefined,
): Finding | null {
  if (known === undefined) return first
  const since = from === null || to !== head ? undefined : vouched === null ? from : after(vouched)
  const begun =
    known.harm === 'rewritten' && since !== undefined && BigInt(since) < BigInt(known.sequence)
      ? { ...known, sequence: since }
      : known
  return first !== null && BigInt(first.sequence) <= BigInt(begun.sequence) ? first : begun
}

function found(harm: Harm, sequence: string, entryId: string | null, text: string): Finding {
  return { harm, sequence, entryId, text }
}

function after(sequence: string): string {
  return String(BigInt(sequence) + 1n)
}

/** What a stretch does not have behind its last link, though it says so. */
function missingAtTheEnd(last: AuditLink | undefined, stretch: Stretch | undefined): Finding | null {
  if (stretch === undefined || last?.sequence === stretch.to) return null
  const wanted = last === undefined ? stretch.from : after(last.sequence)
  if (BigInt(wanted) > BigInt(stretch.to)) {
    const text = `entry ${last!.entry.id} stands at link ${last!.sequence}, behind the last one, ${stretch.to}`
    return found('inserted', last!.sequence, last!.entry.id, text)
  }
  return found('removed', wanted, null, `the entries of the links ${wanted} to ${stretch.to} were removed`)
}

/** Whether the links end as they did when the export was made: those behind the last signature could be sealed anew. */
function otherEnd({ vouched }: Verdict, last: AuditLink | undefined, stretch: Stretch | undefined): Finding | null {
  if (last === undefined || stretch?.hash === undefined || last.hash === stretch.hash) return null
  const from = vouched === null ? stretch.from : after(vouched)
  const text = `the links ${from} to ${stretch.to} were written anew: the last is not the one that was taken out`
  return found('rewritten', from, null, text)
}

/**
 * Whether the links reach from before the days that were asked for until behind them. What decides is when entries say
 * that they were made, which is sealed: nobody moves an entry out of the days without being found.
 */
function beyondTheDays(
  begin: AuditLink | undefined,
  last: AuditLink | undefined,
  stretch: Stretch | undefined,
): Finding | null {
  if (begin === undefined || last === undefined || stretch === undefined) return null
  const { from, to, head, since, until } = stretch
  if (since !== undefined && from !== '1' && Date.parse(begin.entry.at) >= Date.parse(since)) {
    const text = `nothing shows that the days begin at link ${from}: entries before it may have been left out`
    return found('removed', String(BigInt(from) - 1n), null, text)
  }
  if (until !== undefined && to !== head && Date.parse(last.entry.at) < Date.parse(until)) {
    const text = `nothing shows that the days end at link ${to}: entries behind it may have been left out`
    return found('removed', after(to), null, text)
  }
  return null
}

/** Whether so much stands behind the last signature that it has to have been signed once. */
function nothingVouches(
  { vouched }: Verdict,
  first: AuditLink | undefined,
  last: AuditLink | undefined,
): Finding | null {
  if (first === undefined || last === undefined) return null
  const span = Date.parse(last.entry.at) - Date.parse(first.entry.at)
  if (vouched !== null && Math.abs(span) <= UNVOUCHED) return null
  const rest = `nothing that is signed vouches for the links ${first.sequence} to ${last.sequence}`
  return found('unvouched', first.sequence, null, vouched === null ? rest : `${rest}, only for those up to ${vouched}`)
}

/** What was done where a link does not fit: looks for what should stand there in the whole stretch. */
async function whatWasDone(
  lines: Lines,
  link: AuditLink,
  last: AuditLink | undefined,
  stretch: Stretch | undefined,
): Promise<Finding> {
  const { sequence, entry, hash, previous } = link
  const wanted = last === undefined ? (stretch?.from ?? sequence) : after(last.sequence)
  let next: AuditLink | undefined
  let passed = false
  let elsewhere = false
  let moved = false
  for await (const line of lines()) {
    if (!('link' in line)) continue
    const { link: one } = line
    if (passed && next === undefined) next = one
    if (one.sequence === sequence && one.entry.id === entry.id) passed = true
    else {
      if (one.sequence === wanted) elsewhere = true
      // The seal is right, but for the entry of another link, or in another place. One that stands in its own place is not
      // moved: this one only looks like it.
      moved ||=
        one.sequence !== sequence &&
        (sealHash(previous, sequence, one.entry) === hash || sealHash(previous, one.sequence, entry) === hash)
    }
  }
  const { id } = entry
  const inserted = (at: string, who: string) => found('inserted', at, who, `entry ${who} was inserted as link ${at}`)
  // What was put in has somebody behind it who follows the one before.
  if (last !== undefined && previous === last.previous && holdsAt(link, last.sequence))
    return inserted(last.sequence, last.entry.id)
  if (moved) return found('reordered', sequence, id, `entry ${id} stands at link ${sequence}, where another was sealed`)
  // Nothing was sealed like this, and the next one follows the one before it.
  if (last !== undefined && next?.previous === last.hash && !holds(link)) return inserted(sequence, id)
  if (sequence !== wanted)
    return BigInt(sequence) > BigInt(wanted) && !elsewhere
      ? found('removed', wanted, null, `${missing(wanted, sequence)} before entry ${id}`)
      : found('reordered', sequence, id, `entry ${id} stands where the one of link ${wanted} should be`)
  if (last !== undefined && next?.previous === last.hash) return inserted(sequence, id)
  if (!holds(link))
    return found('altered', sequence, id, `entry ${id} was altered: it is not what was sealed at link ${sequence}`)
  const sealed = last ?? link
  return found(
    'altered',
    sealed.sequence,
    sealed.entry.id,
    `entry ${sealed.entry.id} was altered and sealed again: link ${sequence} was sealed behind another one`,
  )
}

/** What stood from one place until before another one. */
function missing(wanted: string, sequence: string): string {
  const until = String(BigInt(sequence) - 1n)
  return wanted === until
    ? `the entry of link ${wanted} was removed`
    : `the entries of the links ${wanted} to ${until} were removed`
}

/** Whether a link was sealed in a place, whatever place it has now. */
function holdsAt({ previous, entry, hash }: AuditLink, sequence: string): boolean {
  return sealHash(previous, sequence, entry) === hash
}

/** Lines of an export that is held as a whole. */
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

/** What an export says of itself in its first line; one without any entry says nothing of links. */
export interface AuditHeader extends Partial<Stretch> {
  /** The first says nothing of acts that erased details, the second nothing of signatures that were there. */
  format: 'prakriya-audit-1' | 'prakriya-audit-2' | 'prakriya-audit-3'
  keyId: string
  /** When it was made. */
  at: string
  /** How many links it has. */
  count: number
  /** What was known to be wrong with the record when it was taken out. */
  broken?: Finding
  /** Ed25519 over all the rest, base64. */
  signature: string
}

/** Whether the first line is what was signed when the file was made; else nothing that it says counts. */
function isOwnWord({ signature: signed, ...header }: AuditHeader, keys: PublicKeys): boolean {
  const key = keys.get(header.keyId)
  return key !== undefined && verify(null, headerText(header), key, Buffer.from(signed ?? '', 'base64'))
}

/** What is wrong with a kept checkpoint itself, or because the record ends before it. Throws where the file does not reach there. */
function beforeTheWalk(checkpoint: KeptCheckpoint, keys: PublicKeys, stretch: Stretch) {
  const { sequence, keyId, signature: signed, at } = checkpoint
  const key = keys.get(keyId)
  if (!key) {
    const text = `the checkpoint that was kept of link ${sequence} is signed by the key ${keyId}, which is not among the keys: the record may have been signed again with another`
    return found('unsigned', sequence, null, text)
  }
  if (!verify(null, checkpointText(checkpoint), key, Buffer.from(signed, 'base64')))
    return found(
      'unsigned',
      sequence,
      null,
      `the kept checkpoint of link ${sequence} is not what the key ${keyId} signed`,
    )
  const { from, to, head = to } = stretch
  if (BigInt(head) < BigInt(sequence)) {
    const text = `the record ends at link ${head}, though link ${sequence} was there when its checkpoint was kept on ${at.slice(0, 10)}`
    return found('removed', after(head), null, text)
  }
  if (BigInt(sequence) < BigInt(from) || BigInt(sequence) > BigInt(to))
    throw new Error(
      `The checkpoint is of link ${sequence}, and this file has the links ${from} to ${to}: take out more days.`,
    )
  return null
}

/**
 * Checks an export that lies in a file: first what it says of itself, then that it has all of it, and that it is what it
 * was when checkpoints of it were kept elsewhere. Throws where it is not of the format.
 */
export async function examineFile(
  file: string,
  keys: PublicKeys,
  kept: readonly KeptCheckpoint[] = [],
): Promise<Verdict> {
  const header = await headerIn(file)
  const { from, to, broken } = header
  if (!isOwnWord(header, keys)) {
    const why = keys.has(header.keyId) ? 'was altered' : `is signed by the key ${header.keyId}, which is not known here`
    const first = found('unsigned', from ?? '1', null, `the first line of the file, which says what it has, ${why}`)
    return { ...NOTHING, first }
  }
  if (from === undefined || to === undefined) {
    if (broken) return { ...NOTHING, first: broken }
    throw new Error('There is no entry in this file.')
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
  if (absent) throw new Error(`There is no key ${absent}.`)
  const beside = [`${file}.pem`, join(dirname(file), 'audit-key.pem')].filter((one) => existsSync(one)).slice(0, 1)
  const keys = keysIn([...(named.length > 0 ? named : beside)].map((one) => readFileSync(one, 'utf8')).join('\n'))
  if (keys.size > 0) return keys
  throw new Error(
    named.length > 0
      ? `There is no public key in ${named.join(', ')}.`
      : `Say which public key: --key FILE, or put it as audit-key.pem beside ${file}. The console hands it out.`,
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
    throw new Error('Say which export: npm run audit:verify -- FILE [--key KEY.pem]… [--checkpoint FILE]…')
  const verdict = await examineFile(file, keysFor(file, values.key), values.checkpoint.map(readKeptCheckpoint))
  const { links, from, to, erased, leftOut, checkpoints, kept, vouched, unvouched, first } = verdict
  if (first) {
    console.error(`NOT WHOLE, ${first.harm} at link ${first.sequence}: ${first.text}.`)
    process.exitCode = 1
    return
  }
  console.log(
    `The record is whole from link ${from} to ${to}: ${links} entries, each as it was sealed and in its place.`,
  )
  console.log(
    `${checkpoints} signatures vouch for it up to link ${vouched}${unvouched > 0 ? `; the last ${unvouched} entries came after them` : ''}.`,
  )
  if (kept > 0) console.log(`It is what it was when ${kept} of its checkpoints were kept elsewhere.`)
  if (erased > 0)
    console.log(`Of ${erased} entries the details were erased; that they were made, by whom and when, stands.`)
  if (leftOut > 0)
    console.log(
      `Of ${leftOut} entries the details, of items of registers, are not in this export; they were not erased.`,
    )
}

// npm run audit:verify -- FILE [--key KEY.pem]… [--checkpoint FILE]…; a file may hold several keys
if (import.meta.main)
  main().catch((error: Error) => {
    console.error(error instanceof NotTheFormat ? `This is no export of the audit: ${error.message}.` : error.message)
    process.exitCode = 1
  })
