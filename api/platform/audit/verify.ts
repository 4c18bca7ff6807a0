import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { AuditLine } from './export.ts'
import {
  type AuditCheckpoint,
  type AuditEntry,
  type AuditSeal,
  GENESIS,
  checkpointText,
  commitmentOf,
  sealHash,
} from './format.ts'

/** A link as it is handed out; without a payload it is one whose payload was erased. */
export type AuditLink = AuditSeal & { entry: AuditEntry; salt?: string; payload?: unknown }

/** A stretch of the chain as it is handed out. */
export interface AuditExport {
  links: AuditLink[]
  checkpoints: AuditCheckpoint[]
}

/** What was done to the record, as far as the chain tells. */
export type Harm = 'altered' | 'removed' | 'reordered' | 'inserted' | 'unsigned' | 'rewritten' | 'unvouched'

/** The first thing that is wrong. */
export interface Finding {
  harm: Harm
  /** Place in the chain. */
  sequence: string
  /** Null where it is no longer there. */
  entryId: string | null
  text: string
}

/** The links that an export says it has: places in the chain, both included. */
export interface Stretch {
  from: string
  to: string
}

/** What an examination came to. */
export interface Verdict {
  links: number
  /** Places of the first and the last link; null where there is none. */
  from: string | null
  to: string | null
  /** Links without their payload, because it was erased. */
  erased: number
  checkpoints: number
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
 * Checks a stretch of the chain with nothing but itself and the public key, in one walk whatever its length; where
 * something is wrong, a second walk finds out what was done. With `stretch`, it also has to have all of these links.
 */
export async function examine(lines: Lines, publicKey: KeyObject, stretch?: Stretch): Promise<Verdict> {
  const verdict: Verdict = {
    links: 0,
    from: null,
    to: null,
    erased: 0,
    checkpoints: 0,
    vouched: null,
    unvouched: 0,
    first: null,
  }
  let last: AuditLink | undefined
  let firstUnvouched: AuditLink | undefined
  for await (const line of lines()) {
    if ('checkpoint' in line) {
      const { checkpoint } = line
      verdict.checkpoints += 1
      const wrong = signature(checkpoint, last, publicKey, verdict.vouched)
      if (wrong) return { ...verdict, first: wrong }
      verdict.unvouched = 0
      verdict.vouched = checkpoint.sequence
      firstUnvouched = undefined
      continue
    }
    const { link } = line
    verdict.links += 1
    verdict.unvouched += 1
    if (link.salt === undefined) verdict.erased += 1
    verdict.from ??= link.sequence
    verdict.to = link.sequence
    firstUnvouched ??= link
    if (!follows(link, last, stretch) || !holds(link))
      return { ...verdict, first: await whatWasDone(lines, link, last, stretch) }
    if (!keepsItsPayload(link))
      return {
        ...verdict,
        first: found('altered', link.sequence, link.entry.id, `the details of entry ${link.entry.id} were altered`),
      }
    last = link
  }
  return { ...verdict, first: missingAtTheEnd(last, stretch) ?? nothingVouches(verdict, firstUnvouched, last) }
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

function keepsItsPayload({ salt, payload, entry }: AuditLink): boolean {
  return salt === undefined || commitmentOf(Buffer.from(salt, 'base64'), payload).toString('hex') === entry.commitment
}

function signature(
  { sequence, hash, signature: signed }: AuditCheckpoint,
  last: AuditLink | undefined,
  publicKey: KeyObject,
  vouched: string | null,
): Finding | null {
  if (!verify(null, checkpointText(sequence, hash), publicKey, Buffer.from(signed, 'base64')))
    return found('unsigned', sequence, null, `the signature at link ${sequence} is not of this key`)
  if (last?.sequence === sequence && last.hash === hash) return null
  const from = vouched === null ? 'the beginning' : `link ${vouched}`
  const text = `the chain between ${from} and link ${sequence} was written anew: it is not what was signed there`
  return found('rewritten', vouched === null ? '1' : after(vouched), null, text)
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

/** What an export says of itself in its first line. */
export interface AuditHeader extends Partial<Stretch> {
  format: 'prakriya-audit-1'
  keyId: string
  /** Days that were asked for; an export of everything has neither. */
  days?: { from?: string; until?: string }
}

type Written = AuditLine | AuditHeader

/** The lines of a file, read as they are asked for. Throws where a line is no JSON. */
async function* written(file: string): AsyncGenerator<Written> {
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
    if (text.trim() !== '') yield JSON.parse(text) as Written
}

function linesOfFile(file: string): Lines {
  return async function* () {
    for await (const line of written(file)) if (!('format' in line)) yield line
  }
}

/** The links that a file says it has; an export that asked for no first day begins with the first link there is. */
async function stretchIn(file: string): Promise<Stretch> {
  for await (const line of written(file)) {
    if (!('format' in line)) break
    const { from, to, days = {} } = line
    if (from === undefined || to === undefined) throw new Error('There is no entry in this file.')
    return { from: days.from === undefined ? '1' : from, to }
  }
  throw new Error('This is no export of the audit: its first line does not say which links it has.')
}

/** The key beside a file, unless another one is named. */
function keyFor(file: string, named: string | undefined): string {
  const key = [named, `${file}.pem`, join(dirname(file), 'audit-key.pem')].find((one) => one && existsSync(one))
  if (!key)
    throw new Error(
      named
        ? `There is no key ${named}.`
        : `Say which public key: --key FILE, or put it as audit-key.pem beside ${file}. The console hands it out.`,
    )
  return key
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } })
  const [file] = positionals
  if (!file || !existsSync(file)) throw new Error('Say which export: npm run audit:verify -- FILE [--key KEY.pem]')
  const key = createPublicKey(readFileSync(keyFor(file, values.key), 'utf8'))
  const verdict = await examine(linesOfFile(file), key, await stretchIn(file))
  const { links, from, to, erased, checkpoints, vouched, unvouched, first } = verdict
  if (first) {
    console.error(`NOT WHOLE, ${first.harm} at link ${first.sequence}: ${first.text}.`)
    process.exitCode = 1
    return
  }
  console.log(
    `The record is whole from link ${from} to ${to}: ${links} entries, each as it was sealed and in its place.`,
  )
  console.log(
    `${checkpoints} signatures of this key vouch for it up to link ${vouched}${unvouched > 0 ? `; the last ${unvouched} entries came after them` : ''}.`,
  )
  if (erased > 0)
    console.log(`Of ${erased} entries the details were erased; that they were made, by whom and when, stands.`)
}

// npm run audit:verify -- FILE [--key KEY.pem]
if (import.meta.main)
  main().catch((error: Error) => {
    console.error(error instanceof SyntaxError ? `This is no export of the audit: ${error.message}` : error.message)
    process.exitCode = 1
  })
