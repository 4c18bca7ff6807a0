import { sign } from 'node:crypto'
import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import type { SigningKey } from '../keys.ts'
import { type AuditEntry, GENESIS, checkpointText, sealHash } from './format.ts'

/** Held by the one sealer at work; any number of API nodes may run one. */
const LOCK = 7_203_001
const BATCH = 500
const EVERY = 500
const CHECKPOINT_EVERY = 60_000
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
 */
export function sealer({
  db,
  key,
  onError,
}: {
  db: Kysely<DB>
  key: SigningKey
  onError(error: unknown): void
}): Sealer {
  /** Every entry up to this id is sealed; trails a minute, because a lower id may still commit. */
  let lowWater = '0'
  let fullLook = 0
  /** Links up to this one have not been gone through yet since the last full look, the newest first. */
  let unsearched = 0n
  let signed = 0
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  let stopped = false

  async function seal(): Promise<number> {
    if (Date.now() - fullLook > FULL_LOOK_EVERY) {
      lowWater = '0'
      fullLook = Date.now()
      // A walk that is under way goes on to its end.
      if (unsearched === 0n) unsearched = BigInt((await headOf(db))?.sequence ?? 0)
    }
    const sealed = await chain()
    if (unsearched > 0n) await catchUp()
    return sealed
  }

  async function chain(): Promise<number> {
    return db.transaction().execute(async (trx) => {
      if (!(await locked(trx))) return 0
      const entries = await unsealed(trx, lowWater)
      const head = await headOf(trx)
      let previous = head?.hash.toString('hex') ?? GENESIS
      let sequence = BigInt(head?.sequence ?? 0)
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
      return seals.length
    })
  }

  /** Looks up what some links of the walk missed: what was sealed before there was a search, or could not be looked up. */
  async function catchUp(): Promise<void> {
    const done = await db.transaction().execute(async (trx) => {
      if (!(await locked(trx))) return false
      const missed = await trx
        .selectFrom('audit_seal as s')
        .select(sql<string>`s.entry_id::text`.as('id'))
        .where('s.sequence', '<=', String(unsearched))
        .where('s.sequence', '>', String(unsearched - BigInt(CAUGHT_UP)))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb.selectFrom('audit_lookup as l').select('l.entry_id').whereRef('l.entry_id', '=', 's.entry_id'),
            ),
          ),
        )
        .execute()
      await lookUp(
        trx,
        missed.map(({ id }) => id),
      )
      return true
    })
    if (done) unsearched = unsearched > CAUGHT_UP ? unsearched - BigInt(CAUGHT_UP) : 0n
  }

  /** Makes entries known to the search. Those that cannot be are told; the chain and the others do not wait for them. */
  async function lookUp(trx: Transaction<DB>, ids: readonly string[]): Promise<void> {
    if (ids.length === 0 || (await lookedUp(trx, ids)) === null) return
    const left: { id: string; error: unknown }[] = []
    for (const id of ids) {
      const error = await lookedUp(trx, [id])
      if (error !== null) left.push({ id, error })
    }
    if (left.length === 0) return
    const named = left.map(({ id }) => id).slice(0, 20)
    const text = `${left.length} audit entries cannot be searched for, among them ${named.join(', ')}`
    onError(new Error(text, { cause: left[0]!.error }))
  }

  async function checkpoint(): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      if (!(await locked(trx))) return false
      const head = await headOf(trx)
      if (!head) return false
      const text = checkpointText(String(head.sequence), head.hash.toString('hex'))
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('audit_checkpoint')
        .values({
          sequence: head.sequence,
          hash: head.hash,
          key_id: key.id,
          signature: sign(null, text, key.privateKey),
        })
        .onConflict((oc) => oc.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    })
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
  sql<string>`to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
  'e.actor',
  'e.acted_as as actedAs',
  'e.action',
  'e.case_id as caseId',
  'e.object',
  sql<string>`encode(e.commitment, 'hex')`.as('commitment'),
] as const
