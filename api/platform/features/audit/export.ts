import { sign } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type SigningKey, keysIn, pemOf } from '../../kernel/keys.ts'
import { type AuditCheckpoint, headerText } from '../../kernel/audit/format.ts'
import { entryColumns } from './chain-repository.ts'
import type { SignedHead, SignedHeadMemory } from './signed-head.ts'
import type { AuditExport, AuditHeader } from './verify.ts'
import type { AuditLink, ErasureAct, Finding, LinkRange } from './chain-findings.ts'

/** Links read at a time. */
const BATCH = 1000
const LAST = '9223372036854775807'

async function linksOf(
  db: Kysely<DB>,
  { from, to, limit, registers }: { from: string; to: string; limit: number; registers: boolean },
): Promise<AuditLink[]> {
  const links = await db
    .selectFrom('audit_seal as s')
    .innerJoin('audit_entry as e', 'e.id', 's.entry_id')
    .leftJoin('audit_payload as p', 'p.entry_id', 'e.id')
    .select([
      sql<string>`s.sequence::text`.as('sequence'),
      sql<string>`encode(s.previous, 'hex')`.as('previous'),
      sql<string>`encode(s.hash, 'hex')`.as('hash'),
      sql<string | null>`encode(p.salt, 'base64')`.as('salt'),
      'p.payload',
    ])
    .select(entryColumns)
    .where('s.sequence', '>=', from)
    .where('s.sequence', '<=', to)
    .orderBy('s.sequence')
    .limit(limit)
    .execute()
  return links.map(({ sequence, previous, hash, salt, payload, ...entry }) => ({
    sequence,
    previous,
    hash,
    entryId: entry.id,
    entry,
    ...(salt === null
      ? {}
      : !registers && saysWhatItemsAre(entry.action, payload)
        ? { leftOut: true as const }
        : { salt, payload }),
  }))
}

/** Whether an entry contains content of register entries; not every auditor may read all of their fields. */
function saysWhatItemsAre(action: string, payload: unknown): boolean {
  const told = payload !== null && typeof payload === 'object' ? payload : {}
  return action.startsWith('register-item.') && ('data' in told || 'patch' in told)
}

async function checkpointsOf(db: Kysely<DB>, from: string, to: string): Promise<AuditCheckpoint[]> {
  const rows = await db
    .selectFrom('audit_checkpoint')
    .select([
      sql<string>`sequence::text`.as('sequence'),
      sql<string>`encode(hash, 'hex')`.as('hash'),
      'key_id as keyId',
      sql<string | null>`before::text`.as('before'),
      sql<string>`encode(signature, 'base64')`.as('signature'),
    ])
    .where('sequence', '>=', from)
    .where('sequence', '<=', to)
    .orderBy('sequence')
    .execute()
  return rows.map(({ before, signature, ...one }) => ({ ...one, ...(before !== null && { before }), signature }))
}

/** The chain from one link to another, with entries, remaining payloads and checkpoints. */
export async function exportAudit(db: Kysely<DB>, from = '1', to = LAST): Promise<AuditExport> {
  const links: AuditLink[] = []
  const checkpoints: AuditCheckpoint[] = []
  for await (const one of auditLines(db, { from, to }))
    if ('link' in one) links.push(one.link)
    else checkpoints.push(one.checkpoint)
  return { links, checkpoints }
}

/** One line of an export. */
export type AuditLine = { link: AuditLink } | { checkpoint: AuditCheckpoint }

/**
 * The export line by line, so that its length does not affect memory use. Without `registers`, the details of changes
 * to register entries are left out.
 */
export async function* auditLines(
  db: Kysely<DB>,
  { from = '1', to = LAST }: { from?: string; to?: string } = {},
  { registers = true }: { registers?: boolean } = {},
): AsyncGenerator<AuditLine> {
  let next = BigInt(from)
  for (;;) {
    const links = await linksOf(db, { from: String(next), to, limit: BATCH, registers })
    const last = links.at(-1)
    if (!last) return
    const checkpoints = await checkpointsOf(db, String(next), last.sequence)
    for (const link of links) {
      yield { link }
      const signed = checkpoints.find(({ sequence }) => sequence === link.sequence)
      if (signed) yield { checkpoint: signed }
    }
    if (links.length < BATCH) return
    next = BigInt(last.sequence) + 1n
  }
}

/**
 * The links of the entries made in a period; null if there are none. The sealed creation times decide. The stretch
 * includes a link on each side, so that the file shows where the period begins and ends. It also extends to the
 * signatures before and after, which vouch for it. It reads only the chain.
 */
export async function linkRangeOf(
  db: Kysely<DB>,
  { from, until }: { from?: Date | undefined; until?: Date | undefined },
): Promise<(LinkRange & Required<Pick<LinkRange, 'hash' | 'head' | 'acts' | 'signed'>>) | null> {
  const head = await linkAt(db, 'last')
  if (!head) return null
  const first = from === undefined ? 1n : await beginOf(db, from, BigInt(head.sequence))
  const last = until === undefined ? BigInt(head.sequence) : await endOf(db, until, BigInt(head.sequence))
  if (first > last) return null
  const before = await signedAt(db, 'max', '<', first)
  const behind = await signedAt(db, 'min', '>', last)
  const begins = from === undefined ? '1' : (before ?? String(first > 1n ? first - 1n : 1n))
  const end = until === undefined ? head : (behind !== null && (await linkAt(db, behind))) || head
  return {
    ...{ from: begins, to: end.sequence, hash: end.hash, head: head.sequence },
    acts: await actsOn(db, begins, end.sequence),
    signed: await signedWithin(db, begins, end.sequence),
    ...(from !== undefined && { since: from.toISOString() }),
    ...(until !== undefined && { until: until.toISOString() }),
  }
}

/**
 * The acts that erased details between two links. The acts themselves may be anywhere in the chain, or not sealed yet.
 */
async function actsOn(db: Kysely<DB>, from: string, to: string): Promise<ErasureAct[]> {
  const acts = await db
    .selectFrom('audit_entry as e')
    .innerJoin('audit_payload as p', 'p.entry_id', 'e.id')
    .select([sql<string>`encode(p.salt, 'base64')`.as('salt'), sql<unknown>`p.payload`.as('payload')])
    .select(entryColumns)
    .where(({ or, exists, selectFrom, eb }) =>
      or([
        exists(selectFrom('audit_seal as own').select('own.sequence').whereRef('own.entry_id', '=', 'e.id')),
        eb('e.at', '>', sql<Date>`clock_timestamp() - interval '2 minutes'`),
      ]),
    )
    .where('e.id', 'in', (eb) =>
      eb
        .selectFrom('audit_erasure as r')
        .innerJoin('audit_seal as s', 's.entry_id', 'r.entry_id')
        .select('r.act_id')
        .where('s.sequence', '>=', from)
        .where('s.sequence', '<=', to),
    )
    .orderBy('e.id')
    .execute()
  return acts.map(({ salt, payload, ...entry }) => ({ entry, salt, payload }))
}

/** The signature nearest to a link, before or after it. */
async function signedAt(db: Kysely<DB>, end: 'min' | 'max', side: '<' | '>', sequence: bigint): Promise<string | null> {
  const { nearest } = await db
    .selectFrom('audit_checkpoint')
    .select((eb) => sql<string | null>`${eb.fn(end, ['sequence'])}::text`.as('nearest'))
    .where('sequence', side, String(sequence))
    .executeTakeFirstOrThrow()
  return nearest
}

/** The last signature between two links, both included. */
async function signedWithin(db: Kysely<DB>, from: string, to: string): Promise<string | null> {
  const { last } = await db
    .selectFrom('audit_checkpoint')
    .select((eb) => sql<string | null>`${eb.fn.max('sequence')}::text`.as('last'))
    .where('sequence', '>=', from)
    .where('sequence', '<=', to)
    .executeTakeFirstOrThrow()
  return last
}

async function linkAt(db: Kysely<DB>, place: 'last' | (string & {})) {
  let query = db
    .selectFrom('audit_seal as s')
    .select([sql<string>`s.sequence::text`.as('sequence'), sql<string>`encode(s.hash, 'hex')`.as('hash')])
  if (place !== 'last') query = query.where('s.sequence', '=', place)
  return query.orderBy('s.sequence', 'desc').limit(1).executeTakeFirst()
}

/**
 * Maximum links between an entry that committed late and the position of its creation time. An even later entry counts
 * from when it was sealed.
 */
const MAX_LATE_LINKS = 5000n

/** The first link whose entry was made at a moment or later. */
async function beginOf(db: Kysely<DB>, moment: Date, head: bigint): Promise<bigint> {
  const near = await nearTo(db, moment, head)
  return (await within(db, 'min', '>=', moment, near > MAX_LATE_LINKS ? near - MAX_LATE_LINKS : 1n, near)) ?? near
}

/** The last link whose entry was made before a moment, or the position before the first link. */
async function endOf(db: Kysely<DB>, moment: Date, head: bigint): Promise<bigint> {
  const near = await nearTo(db, moment, head)
  return (await within(db, 'max', '<', moment, near, near + MAX_LATE_LINKS)) ?? near - 1n
}

async function within(db: Kysely<DB>, end: 'min' | 'max', side: '>=' | '<', moment: Date, from: bigint, to: bigint) {
  const { sequence } = await db
    .selectFrom('audit_seal as s')
    .innerJoin('audit_entry as e', 'e.id', 's.entry_id')
    .select((eb) => sql<string | null>`${eb.fn<string>(end, ['s.sequence'])}::text`.as('sequence'))
    .where('s.sequence', '>=', String(from))
    .where('s.sequence', '<=', String(to))
    .where('e.at', side, moment)
    .executeTakeFirstOrThrow()
  return sequence === null ? null : BigInt(sequence)
}

/** The approximate position of a moment, by binary search: entries are sealed roughly in order of creation. */
async function nearTo(db: Kysely<DB>, moment: Date, head: bigint): Promise<bigint> {
  let [low, high] = [1n, head + 1n]
  while (low < high) {
    const middle = (low + high) / 2n
    const link = await db
      .selectFrom('audit_seal as s')
      .innerJoin('audit_entry as e', 'e.id', 's.entry_id')
      .select(['s.sequence', 'e.at'])
      .where('s.sequence', '>=', String(middle))
      .orderBy('s.sequence')
      .limit(1)
      .executeTakeFirst()
    if (!link || link.at >= moment) high = middle
    else low = BigInt(link.sequence) + 1n
  }
  return low
}

/** The public keys that the chain was ever signed with, and whether the database still has them. */
export interface KnownKeys {
  /** PEM; the present signing key comes first. */
  pems: string[]
  /** The first one that was removed or replaced in the database. */
  wrong?: Finding
}

/**
 * The public keys that the chain was ever signed with. Keys in the database count only if this installation remembers
 * signing with them. If the database has another key under that id, or none, the remembered one counts.
 */
export async function publicKeysOf(
  db: Kysely<DB>,
  now: Pick<SigningKey, 'id' | 'publicKey'>,
  memory: SignedHeadMemory,
): Promise<KnownKeys> {
  const { keys = [], publicKeys = {} } = readable(memory) ?? {}
  const rows = await db
    .selectFrom('audit_key')
    .select(['id', 'public_key'])
    .where('id', '=', sql<string>`any(${[...keys]}::text[])`)
    .orderBy('at')
    .execute()
  const given = new Map(rows.map((row) => [row.id, row.public_key]))
  const isItself = (id: string) => keysIn(given.get(id) ?? '').has(id)
  const pems = keys
    .filter((id) => id !== now.id)
    .toSorted((a, b) => rows.findIndex(({ id }) => id === a) - rows.findIndex(({ id }) => id === b))
    .flatMap((id) => (isItself(id) ? given.get(id) : publicKeys[id]) ?? [])
  const wrong = keys.find((id) => !isItself(id))
  return {
    pems: [pemOf(now), ...pems],
    ...(wrong !== undefined && { wrong: await keyGone(db, wrong, given.has(wrong)) }),
  }
}

async function keyGone(db: Kysely<DB>, id: string, replaced: boolean): Promise<Finding> {
  const { first } = await db
    .selectFrom('audit_checkpoint')
    .select((eb) => sql<string | null>`${eb.fn.min('sequence')}::text`.as('first'))
    .where('key_id', '=', id)
    .executeTakeFirstOrThrow()
  const text = `the public key ${id}, which signed from there on, was ${replaced ? 'replaced by another' : 'removed'}`
  return { harm: 'key-replaced', sequence: first ?? '1', entryId: null, text }
}

/** The remembered head; `notAsSigned` reports one that cannot be read. */
function readable(memory: SignedHeadMemory): SignedHead | undefined {
  try {
    return memory.read()
  } catch {
    return undefined
  }
}

/**
 * The signed header of an export, so that nobody can make it claim less. `broken`: known problems of the audit trail.
 */
export function headerOf(stretch: LinkRange | null, key: SigningKey, broken?: Finding): AuditHeader {
  const header = {
    format: 'prakriya-audit-3' as const,
    keyId: key.id,
    at: new Date().toISOString(),
    count: stretch ? Number(BigInt(stretch.to) - BigInt(stretch.from) + 1n) : 0,
    ...stretch,
    ...(broken && { broken }),
  }
  return { ...header, signature: sign(null, headerText(header), key.privateKey).toString('base64') }
}
