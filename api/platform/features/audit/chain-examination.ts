import { known } from '../../kernel/known.ts'
import { type AuditCheckpoint, sealHash } from '../../kernel/audit/format.ts'
import type { KeptCheckpoint } from './kept-checkpoint.ts'
import {
  type Lines,
  type PublicKeys,
  type LinkRange,
  type Verdict,
  type AuditLink,
  type Finding,
  NOTHING,
  erasedBy,
  signature,
  signatureBefore,
  isLeftOut,
  follows,
  holds,
  keepsItsPayload,
  found,
  otherThanKept,
  nextSequence,
  missingAtTheEnd,
  otherEnd,
  beyondTheDays,
  lastSignature,
  nothingVouches,
  missingDetails,
} from './chain-findings.ts'

/**
 * Verifies a stretch of the chain with only the stretch itself and the public keys. It needs one pass for any length,
 * and a second one to classify a failure. With `stretch`, all links of it must be present. With kept checkpoints, the
 * chain must match what was signed then.
 */
export async function examine(
  lines: Lines,
  keys: PublicKeys,
  stretch?: LinkRange,
  kept: readonly KeptCheckpoint[] = [],
): Promise<Verdict> {
  const walk: ChainWalk = { verdict: { ...NOTHING }, erased: stretch?.acts && erasedBy(stretch.acts) }
  const elsewhere = Map.groupBy(kept, ({ sequence }) => sequence)
  for await (const line of lines()) {
    const wrong =
      'checkpoint' in line
        ? passSignature(walk, line.checkpoint, keys)
        : (passLink(walk, line.link, stretch) ?? passKept(walk, line.link, elsewhere.get(line.link.sequence) ?? []))
    if (wrong === 'does-not-follow' && 'link' in line)
      return { ...walk.verdict, first: await whatWasDone(lines, line.link, walk.last, stretch) }
    if (wrong !== null && wrong !== 'does-not-follow') return { ...walk.verdict, first: wrong }
    if ('link' in line) walk.last = line.link
  }
  const { verdict, begin, last, firstUnvouched, firstMissing } = walk
  const missed =
    missingAtTheEnd(last, stretch) ??
    otherEnd(verdict, last, stretch) ??
    beyondTheDays(begin, last, stretch) ??
    lastSignature(verdict, stretch)
  const first = missed ?? nothingVouches(verdict, firstUnvouched, last) ?? missingDetails(firstMissing, verdict)
  return { ...verdict, first }
}

/** Progress of a verification pass, and what it has found. */
interface ChainWalk {
  verdict: Verdict
  /** Entries whose details were erased by an act, if the acts are known. */
  erased?: ReadonlySet<string> | undefined
  begin?: AuditLink
  last?: AuditLink
  firstMissing?: AuditLink
  firstUnvouched?: AuditLink | undefined
  /** The last link that was signed. */
  signedBefore?: string
  /** The last link that matches a kept checkpoint. */
  fits?: string
}

/** What is wrong with a signature; a valid one vouches for all links before it. */
function passSignature(walk: ChainWalk, checkpoint: AuditCheckpoint, keys: PublicKeys): Finding | null {
  const { verdict, last, signedBefore } = walk
  verdict.checkpoints += 1
  const wrong =
    signature(checkpoint, last, keys, verdict.vouched) ??
    signatureBefore(checkpoint, signedBefore, verdict.from ?? checkpoint.sequence)
  if (wrong) return wrong
  walk.signedBefore = checkpoint.sequence
  verdict.unvouched = 0
  verdict.vouched = checkpoint.sequence
  walk.firstUnvouched = undefined
  return null
}

/** What is wrong with a link on its own and after the previous one. */
function passLink(walk: ChainWalk, link: AuditLink, stretch?: LinkRange): Finding | 'does-not-follow' | null {
  const { verdict, erased } = walk
  const { sequence, entry } = link
  verdict.links += 1
  verdict.unvouched += 1
  if (link.salt === undefined && link.payload === undefined) {
    const why = isLeftOut(link) ? 'leftOut' : !erased || erased.has(entry.id) ? 'erased' : 'missing'
    verdict[why] += 1
    if (why === 'missing') walk.firstMissing ??= link
  }
  verdict.from ??= sequence
  verdict.to = sequence
  walk.begin ??= link
  walk.firstUnvouched ??= link
  if (!follows(link, walk.last, stretch) || !holds(link)) return 'does-not-follow'
  if (keepsItsPayload(link)) return null
  return found('altered', sequence, entry.id, `the details of entry ${entry.id} were altered`)
}

/** Compares a link with the checkpoints that were kept of it. */
function passKept(walk: ChainWalk, { sequence, hash }: AuditLink, kept: readonly KeptCheckpoint[]): Finding | null {
  const { verdict, fits } = walk
  const other = kept.find((one) => one.hash !== hash)
  if (other)
    return otherThanKept(
      other,
      fits === undefined ? known(verdict.from, 'the first link that was read') : nextSequence(fits),
    )
  if (kept.length > 0) {
    verdict.kept += kept.length
    walk.fits = sequence
  }
  return null
}

/** Classifies a failure: searches the whole stretch for the entry that belongs here. */
async function whatWasDone(
  lines: Lines,
  link: AuditLink,
  last: AuditLink | undefined,
  stretch: LinkRange | undefined,
): Promise<Finding> {
  const { sequence, entry, hash, previous } = link
  const wanted = last === undefined ? (stretch?.from ?? sequence) : nextSequence(last.sequence)
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
      // The seal is valid, but for another entry or position. An entry in its own position was not moved, even if it
      // looks like it.
      moved ||=
        one.sequence !== sequence &&
        (sealHash(previous, sequence, one.entry) === hash || sealHash(previous, one.sequence, entry) === hash)
    }
  }
  const { id } = entry
  const inserted = (at: string, who: string) => found('inserted', at, who, `entry ${who} was inserted as link ${at}`)
  // The previous link was inserted: this one follows the link before it.
  if (last !== undefined && previous === last.previous && holdsAt(link, last.sequence))
    return inserted(last.sequence, last.entry.id)
  if (moved) return found('reordered', sequence, id, `entry ${id} is at link ${sequence}, where another was sealed`)
  // The hash of this link was never sealed, and the next link follows the one before it.
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

/** The links missing between two positions. */
function missing(wanted: string, sequence: string): string {
  const until = String(BigInt(sequence) - 1n)
  return wanted === until
    ? `the entry of link ${wanted} was removed`
    : `the entries of the links ${wanted} to ${until} were removed`
}

/** Whether a link was sealed in a position, whatever its position is now. */
function holdsAt({ previous, entry, hash }: AuditLink, sequence: string): boolean {
  return sealHash(previous, sequence, entry) === hash
}
