import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type AuditEntry, GENESIS, sealHash } from '../../kernel/audit/format.ts'
import {
  BATCH,
  BEFORE_ALL,
  headOf,
  listAsRewritten,
  locked,
  resolveRewritten,
  trailing,
  unsealed,
} from './chain-repository.ts'
import { type CatchUp, catchUp, lookUp, walkFromHead } from './look-up.ts'
import { type SignedHead, notAsSigned } from './signed-head.ts'
import { type Signer, signHead } from './signing.ts'

const SEAL_INTERVAL_MS = 500
const CHECKPOINT_INTERVAL_MS = 60_000
/**
 * An entry older than this (in milliseconds) when it is sealed is signed at once: it could not be told from one
 * inserted later.
 */
const SIGN_AT_ONCE_AGE_MS = 30_000
/** Interval of the alert while the chain differs from what was signed, in milliseconds. */
const ALERT_INTERVAL_MS = 60_000
const FULL_CHECK_INTERVAL_MS = 600_000

/** Seals audit entries in the background once started. */
export interface Sealer {
  start(): void
  /** Resolves after the current batch. */
  stop(): Promise<void>
  /** Seals waiting entries; returns how many. */
  seal(): Promise<number>
  /** Signs the head of the chain, unless it is signed already. */
  checkpoint(): Promise<boolean>
}

interface SealerDependencies extends Signer {
  db: Kysely<DB>
  onError(error: unknown): void
}

/**
 * Links audit entries into the chain within a second, and signs its head every minute. Entries are sealed in the order
 * in which the sealer sees them: one that commits late gets a later link, and no link ever changes. Sealed entries are
 * added to the search index. If that fails, they are sealed anyway, and indexing is retried with every full scan.
 *
 * It seals only while the chain still has the last link that it signed, according to `memory`. Otherwise it would sign
 * a history that somebody has rewritten. Nothing is sealed until an operator has looked into it.
 */
export function sealer(dependencies: SealerDependencies): Sealer {
  return new ChainSealer(dependencies)
}

class ChainSealer implements Sealer {
  private readonly given: SealerDependencies
  /** Every entry up to this id is sealed. It lags a minute, because a lower id may still commit. */
  private lowWater = BEFORE_ALL
  private fullLook = 0
  /** The running catch-up walk of the search index. */
  private walk: CatchUp | undefined
  private signed = 0
  /** Whether the chain matched what was signed at the last check, and when the last alert was sent. */
  private held: boolean | undefined
  private told = 0
  private timer: NodeJS.Timeout | undefined
  private working: Promise<void> = Promise.resolve()
  private stopped = false

  constructor(given: SealerDependencies) {
    this.given = given
  }

  start(): void {
    if (this.stopped) return
    this.timer = setTimeout(() => {
      this.working = this.work()
        .catch((error: unknown) => this.given.onError(error))
        .finally(() => this.start())
    }, SEAL_INTERVAL_MS)
  }

  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.working
  }

  async seal(): Promise<number> {
    if (Date.now() - this.fullLook > FULL_CHECK_INTERVAL_MS) {
      this.lowWater = BEFORE_ALL
      this.fullLook = Date.now()
      // A walk that has begun is finished first.
      this.walk ??= await walkFromHead(this.given.db)
    }
    const sealed = await this.chain()
    if (this.walk) this.walk = await catchUp(this.given, this.walk)
    return sealed
  }

  async checkpoint(): Promise<boolean> {
    const head = await this.given.db
      .transaction()
      .execute(async (trx) => ((await locked(trx)) && (await this.holds(trx)) ? signHead(trx, this.given) : undefined))
    if (head) this.remember(head)
    return head !== undefined
  }

  private async work(): Promise<void> {
    while (!this.stopped && (await this.seal()) === BATCH);
    if (Date.now() - this.signed > CHECKPOINT_INTERVAL_MS) {
      await this.checkpoint()
      this.signed = Date.now()
    }
  }

  private async chain(): Promise<number> {
    const { db, onError } = this.given
    const { sealed, head } = await db.transaction().execute(async (trx) => {
      if (!(await locked(trx)) || !(await this.holds(trx))) return { sealed: 0 }
      const entries = await unsealed(trx, this.lowWater)
      if (entries.length > 0) {
        await trx
          .insertInto('audit_seal')
          .values(sealsOf(entries, await headOf(trx)))
          .execute()
        // From here on the auditor's console finds them.
        await lookUp(
          trx,
          entries.map(({ id }) => id),
          onError,
        )
      }
      if (entries.length < BATCH) this.lowWater = await trailing(trx, this.lowWater)
      const atOnce =
        Date.now() - this.signed > CHECKPOINT_INTERVAL_MS ||
        entries.some(({ at }) => Date.now() - Date.parse(at) > SIGN_AT_ONCE_AGE_MS)
      return {
        sealed: entries.length,
        head: entries.length > 0 && atOnce ? await signHead(trx, this.given) : undefined,
      }
    })
    if (head) this.remember(head)
    return sealed
  }

  /** Whether the chain has the last link that was signed here; if not, logs it and opens an incident. */
  private async holds(trx: Transaction<DB>): Promise<boolean> {
    const { memory, onError } = this.given
    const wrong = memory && (await notAsSigned(trx, memory))
    if (wrong === undefined) {
      if (this.held !== true) await resolveRewritten(trx)
      this.held = true
      return true
    }
    this.held = false
    if (Date.now() - this.told > ALERT_INTERVAL_MS) {
      this.told = Date.now()
      const message = `Audit sealing stopped: ${wrong.text}. Nothing is sealed until this is resolved.`
      // Every time: somebody with access to the database could have removed the incident.
      await listAsRewritten(trx, message)
      onError(new Error(message))
    }
    return false
  }

  /** Remembers only what is committed. */
  private remember(head: SignedHead): void {
    this.signed = Date.now()
    this.given.memory?.write(head)
  }
}

/** The links of entries after the last link. */
function sealsOf(entries: readonly AuditEntry[], before: Awaited<ReturnType<typeof headOf>>) {
  let previous = before?.hash.toString('hex') ?? GENESIS
  let sequence = BigInt(before?.sequence ?? 0)
  return entries.map((entry) => {
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
}
