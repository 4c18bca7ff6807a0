import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { type Kysely, type Transaction, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { findForSignIn, findPerson } from './accounts.ts'
import { verifyPassword } from './password.ts'
import type { Person } from '../persons/person.ts'
import { factorsOf, requireSecondFactor } from './second-factor.ts'
import { tidy } from './tidy.ts'

/** Lifetime of a session from sign-in, whatever its refreshes. */
const SESSION_SECONDS = 86_400
/**
 * Seconds within which a used token may come again: from a second tab, or because the response was lost. That is no
 * sign of a copy, and does not end the session.
 */
const REUSE_SECONDS = 10

/** The result of a sign-in or refresh. */
export interface Session {
  person: Person
  /** The session's id, which is its refresh family; access tokens contain it and end with it. */
  family: string
  refreshToken: string
  /** Seconds until the session ends. */
  expiresIn: number
}

/** The device, as its owner sees it in the list of sessions. */
export interface Client {
  userAgent: string | null
  address: string | null
}

/** How a person signed in. */
export type Method = 'password' | 'totp' | 'recovery-code' | 'passkey' | 'oidc'

/*
 * Sessions with rotating refresh tokens. A token is for one use. If it comes again later, it was copied, and the whole
 * family ends. Only hashes are stored. All errors look alike.
 */

/** Opens a session for a person who has signed in. */
export async function openSession(
  trx: Transaction<DB>,
  accountId: string,
  {
    method,
    client,
    identityToken,
    known,
  }: { method: Method; client: Client; identityToken?: Buffer; /** Already loaded. */ known?: Person },
): Promise<Session> {
  const person = known ?? (await findPerson(trx, accountId))
  if (!person) throw new BusinessError('platform.sign-in-refused')
  const family = randomUUID()
  const refreshToken = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000)
  await trx
    .with('opened', (query) =>
      query.insertInto('session').values({
        id: family,
        account_id: accountId,
        method,
        user_agent: client.userAgent,
        address: client.address,
        identity_token: identityToken ?? null,
        expires_at: expiresAt,
      }),
    )
    .insertInto('refresh_token')
    .values(tokenRow({ family, accountId, token: refreshToken, expiresAt }))
    .execute()
  await audit(trx).record({
    actor: accountId,
    action: 'session.opened',
    object: `session:${family}`,
    payload: { method },
  })
  await tidy(trx, accountId)
  return { person, family, refreshToken, expiresIn: SESSION_SECONDS }
}

/** Ends sessions of an account: one, all, or all others; returns how many. */
export async function endSessions(
  trx: Transaction<DB>,
  accountId: string,
  { only, except, by, reason }: { only?: string; except?: string; by: string; reason: string },
): Promise<number> {
  const ended = await trx
    .updateTable('session')
    .set({ ended_at: sql`now()`, end_reason: reason, identity_token: null })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where((eb) => (only === undefined ? eb.lit(true) : eb('id', '=', only)))
    .where((eb) => (except === undefined ? eb.lit(true) : eb('id', '<>', except)))
    .returning('id')
    .execute()
  for (const { id } of ended)
    await audit(trx).record({ actor: by, action: 'session.ended', object: `session:${id}`, payload: { reason } })
  return ended.length
}

/** The family and account of a refresh token, whatever their state. */
async function familyOf(trx: Transaction<DB>, token: string) {
  return trx
    .selectFrom('refresh_token')
    .select(['family', 'account_id'])
    .where('hash', '=', hashOf(token))
    .executeTakeFirst()
}

/**
 * Opens a session; `username` may be the email address. If the account has a second factor, throws with its challenge.
 */
export async function signInByPassword(
  db: Kysely<DB>,
  username: string,
  password: string,
  client: Client,
): Promise<Session> {
  const account = await findForSignIn(db, username)
  // Load the other data while the password is hashed.
  const [right, factors, person] = await Promise.all([
    verifyPassword(password, account?.password_hash),
    account && factorsOf(db, account.id),
    account && findPerson(db, account.id),
  ])
  if (!right || !factors || !person) throw new BusinessError('platform.sign-in-refused')
  await requireSecondFactor(db, person.id, factors)
  return db.transaction().execute((trx) => openSession(trx, person.id, { method: 'password', client, known: person }))
}

/** Exchanges a refresh token for the next one of its family. */
export async function refreshSession(db: Kysely<DB>, token: string): Promise<Session> {
  const session = await db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('refresh_token')
      .innerJoin('session', 'session.id', 'refresh_token.family')
      .select(['refresh_token.id', 'family', 'refresh_token.account_id', 'used_at', 'session.expires_at'])
      .select(sql<boolean>`coalesce(used_at < now() - make_interval(secs => ${REUSE_SECONDS}), false)`.as('copied'))
      .select(sql<number>`floor(extract(epoch from session.expires_at - now()))::integer`.as('expires_in'))
      .where('hash', '=', hashOf(token))
      .where('ended_at', 'is', null)
      .where('session.expires_at', '>', sql<Date>`now()`)
      .forUpdate(['session', 'refresh_token'])
      .executeTakeFirst()
    if (!row) return undefined
    const { family, account_id: accountId } = row
    if (row.copied) {
      await endSessions(trx, accountId, { only: family, by: accountId, reason: 'a refresh token was used twice' })
      return undefined
    }
    const person = await findPerson(trx, accountId)
    if (!person) return undefined
    const refreshToken = row.used_at ? await latest(trx, row.id, token) : successor(row.id, token)
    if (!row.used_at) {
      await trx
        .updateTable('refresh_token')
        .set({ used_at: sql`now()` })
        .where('id', '=', row.id)
        .execute()
      const next = tokenRow({ family, accountId, token: refreshToken, expiresAt: row.expires_at })
      await trx.insertInto('refresh_token').values(next).execute()
    }
    await trx
      .updateTable('session')
      .set({ last_seen_at: sql`now()` })
      .where('id', '=', family)
      .execute()
    await tidy(trx, accountId)
    return { person, family, refreshToken, expiresIn: row.expires_in }
  })
  // Throw after the commit: ending a copied family must not be rolled back.
  if (!session) throw new BusinessError('platform.session-ended')
  return session
}

/** Ends the session of a refresh token; ignores unknown tokens. */
export async function signOut(db: Kysely<DB>, token: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await familyOf(trx, token)
    if (found)
      await endSessions(trx, found.account_id, { only: found.family, by: found.account_id, reason: 'signed out' })
  })
}

/** The open sessions of an account, latest first. */
export async function listSessions(db: Kysely<DB>, accountId: string) {
  return db
    .selectFrom('session')
    .select(['id', 'method', 'user_agent', 'created_at', 'last_seen_at'])
    .select(sql<string | null>`host(address)`.as('address'))
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .limit(100)
    .execute()
}

/** Whether the session of an access token is still open. */
export async function isSessionOpen(db: Kysely<DB>, family: string): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .select('id')
    .where('id', '=', family)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

/** A refresh token as stored. Its id is random, because the next token is derived from it. */
function tokenRow(of: { family: string; accountId: string; token: string; expiresAt: Date }) {
  const { family, accountId, token, expiresAt } = of
  return { id: randomUUID(), family, account_id: accountId, hash: hashOf(token), expires_at: expiresAt }
}

/**
 * The next token. It is derived, not random, so that repeated requests within the permitted seconds get the same one. A
 * family never branches, so a copy is detected when either side refreshes.
 */
function successor(id: string, token: string): string {
  return createHmac('sha256', id).update(token).digest('base64url')
}

/** The end of the chain after a used token: a second tab may have refreshed meanwhile. */
async function latest(trx: Transaction<DB>, id: string, token: string): Promise<string> {
  const next = successor(id, token)
  const row = await trx
    .selectFrom('refresh_token')
    .select(['id', 'used_at'])
    .where('hash', '=', hashOf(next))
    .executeTakeFirstOrThrow()
  return row.used_at ? latest(trx, row.id, next) : next
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
