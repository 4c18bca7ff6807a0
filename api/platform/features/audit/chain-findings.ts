import { type KeyObject, verify } from 'node:crypto'
import type { AuditLine } from './export.ts'
import {
  type AuditCheckpoint,
  type AuditEntry,
  type AuditSeal,
  GENESIS,
  checkpointText,
  commitmentOf,
  sealHash,
} from '../../kernel/audit/format.ts'
import type { KeptCheckpoint } from './kept-checkpoint.ts'

/** A link as it is handed out; without a payload it is one whose payload was erased, or left out of the export. */
export type AuditLink = AuditSeal & { entry: AuditEntry; salt?: string; payload?: unknown; leftOut?: true }

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
export type Lines = () => AsyncIterable<AuditLine>

/** The head of the chain is signed each minute; links that span more than this, in milliseconds, were signed once. */
const UNVOUCHED = 120_000

/** The entries whose details were erased by acts; an act whose own details are not what was sealed erased none. */
export function erasedBy(acts: readonly ErasureAct[]): ReadonlySet<string> {
  return new Set(
    acts
      .filter((act) => act.entry.action === 'erasure.confirmed' && act.payload !== undefined && keepsItsPayload(act))
      .flatMap(({ payload }) => (payload as { entries?: string[] } | null)?.entries ?? []),
  )
}

/** Details that are gone, and nobody says to have erased them. All else was looked at before. */
export function missingDetails(link: AuditLink | undefined, { missing: all }: Verdict): Finding | null {
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
export function otherThanKept({ sequence, hash, at }: KeptCheckpoint, from: string): Finding {
  const text = `the links ${from} to ${sequence} were written anew, and signed again: link ${sequence} is not the one whose checkpoint was kept on ${at.slice(0, 10)} (${hash.slice(0, 16)}…)`
  return found('rewritten', from, null, text)
}

/** Whether a link stands right after another one; the first of a stretch follows whatever it says. */
export function follows({ sequence, previous }: AuditLink, last: AuditLink | undefined, stretch?: Stretch): boolean {
  if (last === undefined)
    return (stretch === undefined || sequence === stretch.from) && (sequence !== '1' || previous === GENESIS)
  return BigInt(sequence) === BigInt(last.sequence) + 1n && previous === last.hash
}

/** Whether a link is sealed over what it has. */
export function holds({ previous, sequence, entry, hash }: AuditLink): boolean {
  return sealHash(previous, sequence, entry) === hash
}

/** Whether the payload is what the entry is committed to; one that was erased went with its salt. */
export function keepsItsPayload({ salt, payload, entry }: ErasureAct): boolean {
  if (salt === undefined || payload === undefined) return salt === payload
  return commitmentOf(Buffer.from(salt, 'base64'), payload).toString('hex') === entry.commitment
}

/** Only what is about items of registers is ever left out. */
export function isLeftOut({ leftOut, entry }: AuditLink): boolean {
  return leftOut === true && entry.action.startsWith('register-item.')
}

/** What is wrong with a signature by itself, or with the links that it is over. */
export function signature(
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
export function signatureBefore(
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
export function lastSignature({ vouched }: Verdict, stretch: Stretch | undefined): Finding | null {
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

/** A finding, as it is told. */
export function found(harm: Harm, sequence: string, entryId: string | null, text: string): Finding {
  return { harm, sequence, entryId, text }
}

/** The place behind one. */
export function after(sequence: string): string {
  return String(BigInt(sequence) + 1n)
}

/** What a stretch does not have behind its last link, though it says so. */
export function missingAtTheEnd(last: AuditLink | undefined, stretch: Stretch | undefined): Finding | null {
  if (stretch === undefined || last?.sequence === stretch.to) return null
  const wanted = last === undefined ? stretch.from : after(last.sequence)
  if (BigInt(wanted) > BigInt(stretch.to)) {
    const text = `entry ${last!.entry.id} stands at link ${last!.sequence}, behind the last one, ${stretch.to}`
    return found('inserted', last!.sequence, last!.entry.id, text)
  }
  return found('removed', wanted, null, `the entries of the links ${wanted} to ${stretch.to} were removed`)
}

/** Whether the links end as they did when the export was made: those behind the last signature could be sealed anew. */
export function otherEnd(
  { vouched }: Verdict,
  last: AuditLink | undefined,
  stretch: Stretch | undefined,
): Finding | null {
  if (last === undefined || stretch?.hash === undefined || last.hash === stretch.hash) return null
  const from = vouched === null ? stretch.from : after(vouched)
  const text = `the links ${from} to ${stretch.to} were written anew: the last is not the one that was taken out`
  return found('rewritten', from, null, text)
}

/**
 * Whether the links reach from before the days that were asked for until behind them. What decides is when entries say
 * that they were made, which is sealed: nobody moves an entry out of the days without being found.
 */
export function beyondTheDays(
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
export function nothingVouches(
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
