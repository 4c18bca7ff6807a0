import { type KeyObject, verify } from 'node:crypto'
import { isObject, textsIn } from '../../kernel/objects.ts'
import { known } from '../../kernel/known.ts'
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

/** A link of an export. It has no payload if the payload was erased or left out. */
export type AuditLink = AuditSeal & { entry: AuditEntry; salt?: string; payload?: unknown; leftOut?: true }

/** Kinds of tampering that the chain can show. */
export const harms = [
  ...['altered', 'missing', 'removed', 'reordered', 'inserted', 'unsigned'],
  ...['rewritten', 'unvouched', 'signature-removed', 'key-replaced'],
] as const

export type Harm = (typeof harms)[number]

/** The first problem. */
export interface Finding {
  harm: Harm
  /** Position in the chain. */
  sequence: string
  /** Null if it is no longer there. */
  entryId: string | null
  text: string
}

/** The links that an export claims to contain. */
export interface LinkRange {
  /** Positions in the chain, both included. */
  from: string
  to: string
  /** Hash of the last of them. */
  hash?: string
  /** Position of the chain's last link at that time. */
  head?: string
  /** Position of the last signed link; null if none was signed. Older exports do not have it. */
  signed?: string | null
  /** Requested period: entries made from `since`, included, until `until`, excluded. */
  since?: string
  until?: string
  /**
   * The acts that erased details of these entries, each with the full list. Older exports do not have it; in them all
   * missing details count as erased.
   */
  acts?: readonly ErasureAct[]
}

/** An act that erased details of the entries it lists; sealed, unless it is very recent. */
export type ErasureAct = Pick<AuditLink, 'entry' | 'salt' | 'payload'>

/** Public keys by key id. */
export type PublicKeys = ReadonlyMap<string, KeyObject>

/** Result of a verification. */
export interface Verdict {
  links: number
  /** Positions of the first and the last link; null if there is none. */
  from: string | null
  to: string | null
  /** Links whose payload was erased, by a known act if acts are known. */
  erased: number
  /** Links without a payload that no act erased. */
  missing: number
  /** Links whose payload was left out, because it holds content of register entries that the export did not include. */
  leftOut: number
  checkpoints: number
  /** Kept checkpoints that match. */
  kept: number
  /** Up to this link a signature vouches for the chain; null if there is none. */
  vouched: string | null
  /** Links after that one. They are consistent, but a rewrite of all of them would be too. */
  unvouched: number
  first: Finding | null
}

/** Lines of an export; each call starts at the beginning. */
export type Lines = () => AsyncIterable<AuditLine>

/**
 * The head of the chain is signed every minute, so links that span more milliseconds than this must include a
 * signature.
 */
const MAX_UNSIGNED_SPAN_MS = 120_000

/** The entries whose details were erased; acts whose own details do not match their seal are ignored. */
export function erasedBy(acts: readonly ErasureAct[]): ReadonlySet<string> {
  return new Set(
    acts
      .filter((act) => act.entry.action === 'erasure.confirmed' && act.payload !== undefined && keepsItsPayload(act))
      .flatMap(({ payload }) => textsIn(isObject(payload) ? payload['entries'] : undefined)),
  )
}

/** Details that are missing without an act that erased them. Call it after all other checks. */
export function missingDetails(link: AuditLink | undefined, { missing: all }: Verdict): Finding | null {
  if (link === undefined) return null
  const { sequence, entry } = link
  const more = all > 1 ? `, and so are those of ${all - 1} more` : ''
  return found('missing', sequence, entry.id, `the details of entry ${entry.id} are missing without an erasure${more}`)
}

/** The verdict before the first link. */
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

/** The links were rewritten and signed again after a checkpoint of them was kept. */
export function otherThanKept({ sequence, hash, at }: KeptCheckpoint, from: string): Finding {
  const text = `the links ${from} to ${sequence} were rewritten and signed again: link ${sequence} differs from the checkpoint of ${at.slice(0, 10)} (${hash.slice(0, 16)}…)`
  return found('rewritten', from, null, text)
}

/** Whether a link directly follows another; the first link of a stretch may have any predecessor. */
export function follows({ sequence, previous }: AuditLink, last: AuditLink | undefined, stretch?: LinkRange): boolean {
  if (last === undefined)
    return (stretch === undefined || sequence === stretch.from) && (sequence !== '1' || previous === GENESIS)
  return BigInt(sequence) === BigInt(last.sequence) + 1n && previous === last.hash
}

/** Whether the hash of a link matches its content. */
export function holds({ previous, sequence, entry, hash }: AuditLink): boolean {
  return sealHash(previous, sequence, entry) === hash
}

/** Whether the payload matches the entry's commitment. Erasing a payload erases its salt too. */
export function keepsItsPayload({ salt, payload, entry }: ErasureAct): boolean {
  if (salt === undefined || payload === undefined) return salt === payload
  return commitmentOf(Buffer.from(salt, 'base64'), payload).toString('hex') === entry.commitment
}

/** Only content of register entries is ever left out. */
export function isLeftOut({ leftOut, entry }: AuditLink): boolean {
  return leftOut === true && entry.action.startsWith('register-item.')
}

/** What is wrong with a signature, or with the links that it covers. */
export function signature(
  checkpoint: AuditCheckpoint,
  last: AuditLink | undefined,
  keys: PublicKeys,
  vouched: string | null,
): Finding | null {
  const { sequence, hash, keyId, signature: signed } = checkpoint
  const key = keys.get(keyId)
  if (!key || !verify(null, checkpointText(checkpoint), key, Buffer.from(signed, 'base64'))) {
    const what = key ? `does not fit the key ${keyId} that it names` : `is by the unknown key ${keyId}`
    return found('unsigned', sequence, null, `the signature at link ${sequence} ${what}`)
  }
  if (last?.sequence === sequence && last.hash === hash) return null
  const from = vouched === null ? 'the beginning' : `link ${vouched}`
  const text = `the chain between ${from} and link ${sequence} was rewritten: it differs from what was signed`
  return found('rewritten', vouched === null ? '1' : nextSequence(vouched), null, text)
}

/**
 * Whether the previous signature that this one names is present; it is not required if it can lie before the stretch.
 */
export function signatureBefore(
  { before, sequence }: AuditCheckpoint,
  last: string | undefined,
  from: string,
): Finding | null {
  if (before === undefined || before === (last ?? '0')) return null
  if (BigInt(before) > BigInt(last ?? 0)) return BigInt(before) < BigInt(from) ? null : signatureRemoved(before)
  const text = `the signature at link ${last} was inserted between those at the links ${before} and ${sequence}`
  return found('unsigned', known(last, 'the signature before'), null, text)
}

/** Whether the last signature is the one that existed when the export was made. */
export function lastSignature({ vouched }: Verdict, stretch: LinkRange | undefined): Finding | null {
  const signed = stretch?.signed ?? null
  return signed === null || (vouched !== null && BigInt(vouched) >= BigInt(signed)) ? null : signatureRemoved(signed)
}

function signatureRemoved(sequence: string): Finding {
  return found('signature-removed', sequence, null, `the signature at link ${sequence} was removed`)
}

/**
 * The first problem, including one that is known and that the links themselves need not show. If the chain was
 * rewritten and these links reach its end, the problem begins after the last link that a signature vouches for.
 */
export function earliest(
  { first, from, to, vouched }: Verdict,
  told: Finding | undefined,
  head: string | undefined,
): Finding | null {
  if (told === undefined) return first
  const since = from === null || to !== head ? undefined : vouched === null ? from : nextSequence(vouched)
  const begun =
    told.harm === 'rewritten' && since !== undefined && BigInt(since) < BigInt(told.sequence)
      ? { ...told, sequence: since }
      : told
  return first !== null && BigInt(first.sequence) <= BigInt(begun.sequence) ? first : begun
}

export function found(harm: Harm, sequence: string, entryId: string | null, text: string): Finding {
  return { harm, sequence, entryId, text }
}

/** The next position. */
export function nextSequence(sequence: string): string {
  return String(BigInt(sequence) + 1n)
}

/** The links at the end that a stretch claims to contain and does not. */
export function missingAtTheEnd(last: AuditLink | undefined, stretch: LinkRange | undefined): Finding | null {
  if (stretch === undefined || last?.sequence === stretch.to) return null
  const wanted = last === undefined ? stretch.from : nextSequence(last.sequence)
  if (BigInt(wanted) > BigInt(stretch.to)) {
    const { sequence, entry } = known(last, 'the link after the last one')
    const text = `entry ${entry.id} is at link ${sequence}, after the last one, ${stretch.to}`
    return found('inserted', sequence, entry.id, text)
  }
  return found('removed', wanted, null, `the entries of the links ${wanted} to ${stretch.to} were removed`)
}

/** Whether the links end as they did when the export was made: links after the last signature can be sealed again. */
export function otherEnd(
  { vouched }: Verdict,
  last: AuditLink | undefined,
  stretch: LinkRange | undefined,
): Finding | null {
  if (last === undefined || stretch?.hash === undefined || last.hash === stretch.hash) return null
  const from = vouched === null ? stretch.from : nextSequence(vouched)
  const text = `the links ${from} to ${stretch.to} were rewritten: the last one differs from the exported one`
  return found('rewritten', from, null, text)
}

/**
 * Whether the links extend beyond the requested days on both sides. The creation times in the entries decide; they are
 * sealed, so nobody can move an entry out of the days unnoticed.
 */
export function beyondTheDays(
  begin: AuditLink | undefined,
  last: AuditLink | undefined,
  stretch: LinkRange | undefined,
): Finding | null {
  if (begin === undefined || last === undefined || stretch === undefined) return null
  const { from, to, head, since, until } = stretch
  if (since !== undefined && from !== '1' && Date.parse(begin.entry.at) >= Date.parse(since)) {
    const text = `nothing shows that the days begin at link ${from}: entries before it may have been left out`
    return found('removed', String(BigInt(from) - 1n), null, text)
  }
  if (until !== undefined && to !== head && Date.parse(last.entry.at) < Date.parse(until)) {
    const text = `nothing shows that the days end at link ${to}: entries after it may have been left out`
    return found('removed', nextSequence(to), null, text)
  }
  return null
}

/** Whether the links after the last signature span so long that one of them must have been signed. */
export function nothingVouches(
  { vouched }: Verdict,
  first: AuditLink | undefined,
  last: AuditLink | undefined,
): Finding | null {
  if (first === undefined || last === undefined) return null
  const span = Date.parse(last.entry.at) - Date.parse(first.entry.at)
  if (vouched !== null && Math.abs(span) <= MAX_UNSIGNED_SPAN_MS) return null
  const rest = `no signature covers the links ${first.sequence} to ${last.sequence}`
  return found('unvouched', first.sequence, null, vouched === null ? rest : `${rest}, only those up to ${vouched}`)
}
