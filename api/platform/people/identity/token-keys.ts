import { bound } from '../../kernel/bound.ts'
import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { keyPair, type Vault } from '../../kernel/keys.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { known } from '../../kernel/known.ts'

/** Lifetime of an access token in seconds. */
export const ACCESS_SECONDS = 900
/** How long clients may cache the published keys, in seconds. */
export const PUBLISHED_SECONDS = 300
/** A key is published this many seconds before it signs: longer than any client caches the keys. */
const LEAD_SECONDS = 2 * PUBLISHED_SECONDS
/** A replaced key still verifies for the lifetime of its last token, plus clock differences. */
const VERIFY_AFTER_SECONDS = ACCESS_SECONDS + PUBLISHED_SECONDS
const ROTATION_DAYS = 30
/** Maximum age of the cached keys in milliseconds: for signing and publishing, and for an unknown id. */
const CACHE_MS = 60_000
const UNKNOWN_KEY_CACHE_MS = 3_000
/** Advisory lock key for creating keys. */
const LOCK = 7_001_006

/** A key as this node knows it. */
interface Known {
  id: string
  published: JsonWebKey
  publicPem: string
  /** Missing if it was sealed with another secret: such a key verifies, but cannot sign here. */
  privatePem: string | undefined
  createdAt: number
  signsFrom: number
  retiredAt: number
}

/** The keys of access tokens. They are asymmetric, so that verifiers cannot issue tokens. */
export interface TokenKeys {
  /** The present signing key; after thirty days a new one replaces it. */
  signing(): Promise<{ id: string; privatePem: string }>
  /** The public key (PEM), while tokens signed with it may exist. */
  verifying(id: string): Promise<string | undefined>
  /** Public keys as JSON Web Keys, including those that sign soon. */
  published(): Promise<JsonWebKey[]>
  /** Creates a key that takes over once every client can know it; nobody is signed out. */
  rotate(by: string, reason: string): Promise<{ id: string; signsFrom: Date }>
}

/** The cached keys of this node, and how to load them. */
interface KeyRing {
  db: Kysely<DB>
  vault: Vault
  now: () => number
  keys: Map<string, Known>
  readAt: number
  reading: Promise<void> | undefined
}

/** Reloads the keys if the cache is older than this; concurrent callers share one query. */
function fresh(ring: KeyRing, atMost: number): Promise<void> {
  if (ring.reading) return ring.reading
  if (ring.now() - ring.readAt <= atMost) return Promise.resolve()
  ring.reading = read(ring).finally(() => (ring.reading = undefined))
  return ring.reading
}

async function read(ring: KeyRing): Promise<void> {
  const rows = await ring.db.selectFrom('token_key').selectAll().execute()
  ring.keys = new Map(
    rows.map((row): [string, Known] => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `make` stored an exported key
      const published = row.public_key as JsonWebKey
      const before = ring.keys.get(row.id)
      return [
        row.id,
        {
          id: row.id,
          published,
          publicPem: before?.publicPem ?? publicPemOf(published),
          privatePem: before?.privatePem ?? open(ring, row.id, row.sealed_private_key),
          createdAt: row.created_at.getTime(),
          signsFrom: row.signs_from.getTime(),
          retiredAt: row.retired_at?.getTime() ?? Number.POSITIVE_INFINITY,
        },
      ]
    }),
  )
  ring.readAt = ring.now()
}

function open(ring: KeyRing, id: string, sealed: Buffer): string | undefined {
  try {
    const der = ring.vault.open(`token-key:${id}`, sealed)
    return String(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ type: 'pkcs8', format: 'pem' }))
  } catch {
    // Sealed with another TOKEN_SECRET: its tokens stay valid, and a new key takes over.
    return undefined
  }
}

/**
 * The newest active key that can sign here. It must outlive the tokens that it signs: a node with another secret may
 * have retired it.
 */
function signer(ring: KeyRing): (Known & { privatePem: string }) | undefined {
  const tokensEnd = ring.now() + ACCESS_SECONDS * 1000
  return [...ring.keys.values()]
    .filter((key): key is Known & { privatePem: string } => key.privatePem !== undefined)
    .filter(({ signsFrom, retiredAt }) => signsFrom <= ring.now() && retiredAt >= tokensEnd)
    .sort((a, b) => b.signsFrom - a.signsFrom)[0]
}

/** Whether all keys that can sign here, now or soon, are older than thirty days. */
function old(ring: KeyRing) {
  return ![...ring.keys.values()].some(
    ({ privatePem, createdAt }) => privatePem && ring.now() - createdAt < ROTATION_DAYS * DAY_MS,
  )
}

/** Creates a key, unless another node has done so while this one waited for the lock. */
async function make(ring: KeyRing, by: string, reason: string, wanted: () => boolean) {
  return ring.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    await read(ring)
    if (!wanted()) return undefined
    const { id, privateKey, publicKey } = keyPair(generateKeyPairSync('ed25519').privateKey)
    const createdAt = new Date(ring.now())
    const signsFrom = new Date(ring.now() + (signer(ring) ? LEAD_SECONDS * 1000 : 0))
    await trx.deleteFrom('token_key').where('retired_at', '<', createdAt).execute()
    await trx
      .insertInto('token_key')
      .values({
        id,
        public_key: JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: id, use: 'sig', alg: 'EdDSA' }),
        sealed_private_key: ring.vault.seal(`token-key:${id}`, privateKey.export({ type: 'pkcs8', format: 'der' })),
        created_at: createdAt,
        signs_from: signsFrom,
      })
      .execute()
    await trx
      .updateTable('token_key')
      .set({ retired_at: new Date(signsFrom.getTime() + VERIFY_AFTER_SECONDS * 1000) })
      .where('id', '<>', id)
      .where('retired_at', 'is', null)
      .execute()
    await audit(trx).record({
      actor: by,
      action: 'token-key.rotated',
      object: `token-key:${id}`,
      payload: { reason },
    })
    return { id, signsFrom }
  })
}

async function signingKey(ring: KeyRing): ReturnType<TokenKeys['signing']> {
  await fresh(ring, CACHE_MS)
  if (!signer(ring) || old(ring)) {
    await make(ring, 'system:api', signer(ring) ? 'thirty days old' : 'no key signs', () => !signer(ring) || old(ring))
    await read(ring)
  }
  const key = signer(ring)
  if (!key) throw new Error('no key signs access tokens')
  return key
}

async function verifyingKey(ring: KeyRing, id: string): Promise<string | undefined> {
  if (!ring.keys.has(id)) await fresh(ring, UNKNOWN_KEY_CACHE_MS)
  const key = ring.keys.get(id)
  return key && key.retiredAt > ring.now() ? key.publicPem : undefined
}

async function publishedKeys(ring: KeyRing): Promise<JsonWebKey[]> {
  await fresh(ring, CACHE_MS)
  return [...ring.keys.values()].filter(({ retiredAt }) => retiredAt > ring.now()).map(({ published }) => published)
}

async function rotateKeys(ring: KeyRing, by: string, reason: string): ReturnType<TokenKeys['rotate']> {
  const made = await make(ring, by, reason, () => true)
  await read(ring)
  return known(made, 'the new key')
}

/**
 * Keys are stored in the database with encrypted private halves, and cached in memory. All nodes share them, and
 * verifying a token needs no query.
 */
export function tokenKeys({
  db,
  vault,
  now = Date.now,
}: {
  db: Kysely<DB>
  vault: Vault
  now?: () => number
}): TokenKeys {
  const ring: KeyRing = {
    db,
    vault,
    now,
    keys: new Map(),
    readAt: Number.NEGATIVE_INFINITY,
    reading: undefined,
  }
  return bound(ring, { signing: signingKey, verifying: verifyingKey, published: publishedKeys, rotate: rotateKeys })
}

function publicPemOf(key: JsonWebKey): string {
  return String(createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }))
}
