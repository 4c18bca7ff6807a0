import { sign } from 'node:crypto'
import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { utc } from '../../kernel/db/utc.ts'
import { type SigningKey, keysIn, pemOf } from '../../kernel/keys.ts'
import { type AuditEntry, GENESIS, checkpointText, sealHash } from '../../kernel/audit/format.ts'
import { type SignedHead, type SignedHeadMemory, notAsSigned } from './signed-head.ts'

/** Held by the one sealer at work; any number of API nodes may run one. */
const LOCK = 7_203_001
/** Below every id, also those that only a hand in the database writes. */
const BEFORE_ALL = String(-(2n ** 63n))
const BATCH = 500
const EVERY = 500
const CHECKPOINT_EVERY = 60_000
/** An entry that waited longer than this for its seal is signed with it: nobody could tell it from one put in later. */
const LATE = 30_000
/** While the chain is not as it was signed, it is told so often. */
const TELL_EVERY = 60_000
/** The operators' list has it under this id. */
const REWRITTEN = 'audit:rewritten'
const FULL_LOOK_EVERY = 600_000
/** So many links are gone through at a time for those that cannot be searched for yet. */
const CAUGHT_UP = 2000

export interface Sealer {
  start(): void
  /** Ends after the batch in hand. */
  stop(): Promise<void>
  /** Chains what waits; says how many entries it sealed. */
  seal(): Promise<number>
  /** Signs the head of the chain, unless that is done already. */
  checkpoint(): Promise<boolean>
}

/**
 * Chains audit entries within a second and signs the head of the chain each minute. Entries are sealed in the order
 * in which the sealer sees them: one that commits late gets a later link, never a changed one. What it chains it looks up
 * for the search; what cannot be looked up is chained all the same, told, and tried again with each full look.
 *
 * It goes on only where the chain still has the last link that it signed itself, as `memory` has it: nobody gets what
 * they wrote anew signed by it. Until somebody has looked into that, nothing is sealed.
 */
export function sealer({
  db,
  key,
  memory,
  onError,
}: {
  db: Kysely<DB>
  key: SigningKey
  memory?: SignedHeadMemory
  onError(error: unknown): void
}): Sealer {
  /** Every entry up to this id is sealed; trails a minute, because a lower id may still commit. */
  let lowWater = BEFORE_ALL
  let fullLook = 0
  /** The walk for those that cannot be searched for: what is left of it, from the newest down; undefined is none. */
  let walk: { top: bigint; left: bigint; done: bigint; failed: bigint | undefined } | undefined
  let signed = 0
  /** Whether the chain had what was signed when it was last looked at, and when it was told that it had not. */
  let held: boolean | undefined
  let told = 0
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  let stopped = false

  async function seal(): Promise<number> {
    if (Date.now() - fullLook > FULL_LOOK_EVERY) {
      lowWater = BEFORE_ALL
      fullLook = Date.now()
      // A walk that is under way goes on to its end.
      walk ??= await walkFromHead()
    }
    const sealed = await chain()
    if (walk) await catchUp(walk)
    return sealed
  }

  async function chain(): Promise<number> {
    const { sealed, head } = await db.transaction().execute(async (trx) => {
      if (!(await locked(trx)) || !(await holds(trx))) return { sealed: 0 }
      const entries = await unsealed(trx, lowWater)
      const before = await headOf(trx)
      let previous = before?.hash.toString('hex') ?? GENESIS
      let sequence = BigInt(before?.sequence ?? 0)
      const seals = entries.map((entry) => {
        sequence += 1n
        const hash = sealHash(previous, String(sequence), entry)
        const link = {
          sequence: String(sequence),
          entry_id: entry.id,
          previous: Buffer.from(previous, 'hex'),
          hash: Buffer.from(hash, 'hex'),
        }
        previous = hash
        return link
      })
      if (seals.length > 0) {
        await trx.insertInto('audit_seal').values(seals).execute()
        // From here on the auditor's console finds them.
        await lookUp(
          trx,
          entries.map(({ id }) => id),
        )
      }
      if (seals.length < BATCH) lowWater = await trailing(trx, lowWater)
      const atOnce =
        Date.now() - signed > CHECKPOINT_EVERY || entries.some(({ at }) => Date.now() - Date.parse(at) > LATE)
      return { sealed: seals.length, head: seals.length > 0 && atOnce ? await signHead(trx) : undefined }
    })
    if (head) remember(head)
    return sealed
  }

  /** Whether the chain has the last link that was signed here; where it does not, that is told, and listed. */
  async function holds(trx: Transaction<DB>): Promise<boolean> {
    const wrong = memory && (await notAsSigned(trx, memory))
    if (wrong === undefined) {
      if (held !== true) await resolve(trx)
      held = true
      return true
    }
    held = false
    if (Date.now() - told > TELL_EVERY) {
      told = Date.now()
      const message = `The audit is not as it was signed: ${wrong.text}. Until that is settled, nothing is sealed.`
      // Each time: whoever has a hand in the database could have taken it off the list.
      await list(trx, message)
      onError(new Error(message))
    }
    return false
  }

  /** Has the public key stand beside what it signs, so that it is known when there is another one. */
  async function makeKeyKnown(trx: Transaction<DB>): Promise<void> {
    await trx
      .insertInto('audit_key')
      .values({ id: key.id, public_key: pemOf(key) })
      .onConflict((oc) => oc.doNothing())
      .execute()
  }

  /** A walk from the head of the chain down to what earlier walks have done. */
  async function walkFromHead(): Promise<typeof walk> {
    const [head, mark] = await Promise.all([
      headOf(db),
      db.selectFrom('audit_searched').select('sequence').executeTakeFirst(),
    ])
    const top = BigInt(head?.sequence ?? 0)
    const done = BigInt(mark?.sequence ?? 0)
    return top > done ? { top, left: top, done, failed: undefined } : undefined
  }

  /** Looks up what some links of the walk missed: what was sealed before there was a search, or could not be looked up. */
  async function catchUp(now: NonNullable<typeof walk>): Promise<void> {
    const until = now.left - BigInt(CAUGHT_UP) > now.done ? now.left - BigInt(CAUGHT_UP) : now.done
    const failed = await db.transaction().execute(async (trx) => {
      if (!(await locked(trx))) return undefined
      const missed = await trx
        .selectFrom('audit_seal as s')
        .select([sql<string>`s.entry_id::text`.as('id'), 's.sequence'])
        .where('s.sequence', '<=', String(now.left))
        .where('s.sequence', '>', String(until))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb.selectFrom('audit_lookup as l').select('l.entry_id').whereRef('l.entry_id', '=', 's.entry_id'),
            ),
          ),
        )
        .execute()
      const left = await lookUp(
        trx,
        missed.map(({ id }) => id),
      )
      return missed.filter(({ id }) => left.includes(id)).map(({ sequence }) => BigInt(sequence))
    })
    if (failed === undefined) return
    now.left = until
    for (const sequence of failed) if (now.failed === undefined || sequence < now.failed) now.failed = sequence
    if (until > now.done) return
    // The next walk begins with what could not be looked up by this one.
    const upTo = String(now.failed === undefined ? now.top : now.failed - 1n)
    await db
      .insertInto('audit_searched')
      .values({ sequence: upTo })
      .onConflict((oc) => oc.column('one').doUpdateSet({ sequence: upTo }))
      .execute()
    walk = undefined
  }

  /**
   * Makes entries known to the search. Those that cannot be are told, and answered; the chain and the others do not wait
   * for them.
   */
  async function lookUp(trx: Transaction<DB>, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0 || (await lookedUp(trx, ids)) === null) return []
    const left: { id: string; error: unknown }[] = []
    for (const id of ids) {
      const error = await lookedUp(trx, [id])
      if (error !== null) left.push({ id, error })
    }
    if (left.length === 0) return []
    const named = left.map(({ id }) => id).slice(0, 20)
    const text = `${left.length} audit entries cannot be searched for, among them ${named.join(', ')}`
    onError(new Error(text, { cause: left[0]!.error }))
    return left.map(({ id }) => id)
  }

  async function checkpoint(): Promise<boolean> {
    const head = await db
      .transaction()
      .execute(async (trx) => ((await locked(trx)) && (await holds(trx)) ? signHead(trx) : undefined))
    if (head) remember(head)
    return head !== undefined
  }

  /** Signs the head of the chain; undefined where there is none, or it is signed. */
  async function signHead(trx: Transaction<DB>): Promise<SignedHead | undefined> {
    const head = await headOf(trx)
    if (!head) return undefined
    await makeKeyKnown(trx)
    const last = await trx
      .selectFrom('audit_checkpoint')
      .select((eb) => sql<string>`coalesce(${eb.fn.max('sequence')}, 0)::text`.as('sequence'))
      .where('sequence', '<=', head.sequence)
      .executeTakeFirstOrThrow()
    const stamped = { sequence: String(head.sequence), hash: head.hash.toString('hex'), before: last.sequence }
    const { sequence, hash, before } = stamped
    // It is signed already.
    if (before === sequence) return undefined
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('audit_checkpoint')
      .values({
        sequence,
        hash: head.hash,
        before,
        key_id: key.id,
        signature: sign(null, checkpointText(stamped), key.privateKey),
      })
      .onConflict((oc) => oc.doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n ? { sequence, hash, ...(await keysWith(trx)) } : undefined
  }

  /** The keys signed with before, and this one; what stands in the database counts only where nothing is remembered. */
  async function keysWith(trx: Transaction<DB>): Promise<Required<Pick<SignedHead, 'keys' | 'publicKeys'>>> {
    const before = memory?.read()
    const rows = await trx.selectFrom('audit_key').select(['id', 'public_key']).orderBy('at').execute()
    const ids = before ? [...before.keys, key.id] : rows.map(({ id }) => id)
    const known = rows.filter((row) => ids.includes(row.id) && keysIn(row.public_key).has(row.id))
    return {
      keys: [...new Set(ids)],
      publicKeys: {
        ...Object.fromEntries(known.map((row) => [row.id, row.public_key])),
        ...before?.publicKeys,
        [key.id]: pemOf(key),
      },
    }
  }

  /** Only what the database has for good is remembered. */
  function remember(head: SignedHead): void {
    signed = Date.now()
    memory?.write(head)
  }

  async function work(): Promise<void> {
    while (!stopped && (await seal()) === BATCH);
    if (Date.now() - signed > CHECKPOINT_EVERY) {
      await checkpoint()
      signed = Date.now()
    }
  }

  function next(): void {
    if (stopped) return
    timer = setTimeout(() => {
      working = work().catch(onError).finally(next)
    }, EVERY)
  }

  return {
    seal,
    checkpoint,
    start: next,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await working
    },
  }
}

async function locked(trx: Transaction<DB>): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as locked`.execute(trx)
  return rows[0]!.locked
}

/** Puts it on the list of the operators that the chain is not as it was signed. */
async function list(trx: Transaction<DB>, message: string): Promise<void> {
  await trx
    .insertInto('incident')
    .values({ id: REWRITTEN, kind: 'audit-rewritten', message })
    .onConflict((oc) => oc.column('id').doUpdateSet({ message, at: sql`clock_timestamp()`, resolved_at: null }))
    .execute()
}

async function resolve(trx: Transaction<DB>): Promise<void> {
  await trx
    .updateTable('incident')
    .set({ resolved_at: sql`clock_timestamp()` })
    .where('id', '=', REWRITTEN)
    .where('resolved_at', 'is', null)
    .execute()
}

/** Looks entries up, all of them or none; answers what went wrong. */
async function lookedUp(trx: Transaction<DB>, ids: readonly string[]): Promise<unknown> {
  await sql`savepoint look_up`.execute(trx)
  try {
    await sql`select audit_look_up(${ids}::bigint[])`.execute(trx)
    return null
  } catch (error) {
    await sql`rollback to savepoint look_up`.execute(trx)
    return error
  } finally {
    await sql`release savepoint look_up`.execute(trx)
  }
}

async function headOf(trx: Kysely<DB>) {
  return trx
    .selectFrom('audit_seal')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function unsealed(trx: Transaction<DB>, above: string): Promise<AuditEntry[]> {
  return trx
    .selectFrom('audit_entry as e')
    .select(entryColumns)
    .where('e.id', '>', above)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('audit_seal as s').select('s.entry_id').whereRef('s.entry_id', '=', 'e.id'))),
    )
    .orderBy('e.id')
    .limit(BATCH)
    .execute()
}

async function trailing(trx: Transaction<DB>, from: string): Promise<string> {
  const { id } = await trx
    .selectFrom('audit_entry')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('id', '>', from)
    .where('at', '<', sql<Date>`clock_timestamp() - interval '60 seconds'`)
    .executeTakeFirstOrThrow()
  return id === null ? from : String(id)
}

/** An entry as the chain reads it; times and bytes as text, so that nothing is rounded on the way. */
export const entryColumns = [
  sql<string>`e.id::text`.as('id'),
  utc(sql.ref('e.at')).as('at'),
  'e.actor',
  'e.acted_as as actedAs',
  'e.action',
  'e.case_id as caseId',
  'e.object',
  sql<string>`encode(e.commitment, 'hex')`.as('commitment'),
] as const
