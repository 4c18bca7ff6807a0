import { bound } from '../../kernel/bound.ts'
import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { keyPair, type Vault } from '../../kernel/keys.ts'

/** Life of an access token in seconds. */
export const ACCESS_SECONDS = 900
/** How long others may keep the published keys, in seconds. */
export const PUBLISHED_FOR = 300
/** A new key is published this long before it signs, in seconds: longer than anybody keeps what was published. */
const LEAD = 2 * PUBLISHED_FOR
/** After another has taken over, a key still verifies as long as its last token lives, and as clocks may differ. */
const AFTERGLOW = ACCESS_SECONDS + PUBLISHED_FOR
const DAYS = 30
/** How old what is known of the keys may be, in milliseconds: to sign and publish, and when an unknown id comes. */
const STALE = 60_000
const UNKNOWN_STALE = 3_000
/** Nodes take turns at making keys. */
const LOCK = 7_001_006

/** A key as this node knows it. */
interface Known {
  id: string
  published: JsonWebKey
  publicPem: string
  /** Missing when it was sealed with another secret: such a key verifies, and signs nothing here. */
  privatePem: string | undefined
  createdAt: number
  signsFrom: number
  retiredAt: number
}

/** The keys of access tokens: asymmetric, so that whoever checks tokens need not be able to make them. */
export interface TokenKeys {
  /** The key that signs now; one that is older than thirty days is followed by a new one. */
  signing(): Promise<{ id: string; privatePem: string }>
  /** The public half of a key (PEM), while tokens of it may be about. */
  verifying(id: string): Promise<string | undefined>
  /** Public halves as JSON Web Keys, with those that will sign soon. */
  published(): Promise<JsonWebKey[]>
  /** Makes a key that takes over as soon as everybody can know of it; nobody is signed out. */
  rotate(by: string, reason: string): Promise<{ id: string; signsFrom: Date }>
}

/** What this node knows of the keys, and how it comes to know it. */
interface KeyRing {
  db: Kysely<DB>
  vault: Vault
  now: () => number
  keys: Map<string, Known>
  readAt: number
  reading: Promise<void> | undefined
}

/** Reads the keys when what is known is older than this; whoever asks meanwhile waits for the same reading. */
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
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({
      type: 'pkcs8',
      format: 'pem',
    }) as string
  } catch {
    // Another TOKEN_SECRET sealed it: its tokens go on, and a key of our own takes over.
    return undefined
  }
}

/**
 * The newest key that can sign here. It must outlive the tokens that it signs: a node with another secret may have
 * retired it.
 */
function signer(ring: KeyRing): (Known & { privatePem: string }) | undefined {
  const tokensEnd = ring.now() + ACCESS_SECONDS * 1000
  return [...ring.keys.values()]
    .filter((key): key is Known & { privatePem: string } => key.privatePem !== undefined)
    .filter(({ signsFrom, retiredAt }) => signsFrom <= ring.now() && retiredAt >= tokensEnd)
    .sort((a, b) => b.signsFrom - a.signsFrom)[0]
}

/** Whether all keys that sign here, or will, are older than thirty days. */
function old(ring: KeyRing) {
  return ![...ring.keys.values()].some(
    ({ privatePem, createdAt }) => privatePem && ring.now() - createdAt < DAYS * 86_400_000,
  )
}

/** Makes a key unless, when it is this node's turn, it is no longer wanted. */
async function make(ring: KeyRing, by: string, reason: string, wanted: () => boolean) {
  return ring.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    await read(ring)
    if (!wanted()) return undefined
    const { id, privateKey, publicKey } = keyPair(generateKeyPairSync('ed25519').privateKey)
    const createdAt = new Date(ring.now())
    const signsFrom = new Date(ring.now() + (signer(ring) ? LEAD * 1000 : 0))
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
      .set({ retired_at: new Date(signsFrom.getTime() + AFTERGLOW * 1000) })
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
  await fresh(ring, STALE)
  if (!signer(ring) || old(ring)) {
    await make(ring, 'system:api', signer(ring) ? 'thirty days old' : 'no key signs', () => !signer(ring) || old(ring))
    await read(ring)
  }
  const key = signer(ring)
  if (!key) throw new Error('no key signs access tokens')
  return key
}

async function verifyingKey(ring: KeyRing, id: string): Promise<string | undefined> {
  if (!ring.keys.has(id)) await fresh(ring, UNKNOWN_STALE)
  const key = ring.keys.get(id)
  return key && key.retiredAt > ring.now() ? key.publicPem : undefined
}

async function publishedKeys(ring: KeyRing): Promise<JsonWebKey[]> {
  await fresh(ring, STALE)
  return [...ring.keys.values()].filter(({ retiredAt }) => retiredAt > ring.now()).map(({ published }) => published)
}

async function rotateKeys(ring: KeyRing, by: string, reason: string): ReturnType<TokenKeys['rotate']> {
  const made = await make(ring, by, reason, () => true)
  await read(ring)
  return made!
}

/**
 * Keys lie in the database, their private halves sealed, and are held in memory: all nodes share them, and a token
 * costs no look into the database.
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
  return createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }) as string
}
