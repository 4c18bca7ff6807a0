import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { type Kysely, type Transaction, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { findForSignIn, findPerson } from './accounts.ts'
import { verifyPassword } from './password.ts'
import type { Person } from '../persons/person.ts'
import { factorsOf, wantSecondFactor } from './second-factor.ts'
import { tidy } from './tidy.ts'

/** How long a session lasts from sign-in, however often it is refreshed. */
const SESSION_SECONDS = 86_400
/**
 * How long after its use a token may come once more, in seconds: from a second tab, or because the answer with the next
 * one was lost. That is no sign of a copy, and costs nobody the session.
 */
const AGAIN_WITHIN = 10

/** What a sign-in or a refresh gives. */
export interface Session {
  person: Person
  /** The session's id, which is its refresh family; access tokens name it, so that they end with it. */
  family: string
  refreshToken: string
  /** Seconds until the session is over. */
  expiresIn: number
}

/** What signs in, as its owner will see it in the list of sessions. */
export interface Client {
  userAgent: string | null
  address: string | null
}

/** How somebody has shown who they are. */
export type Method = 'password' | 'totp' | 'recovery-code' | 'passkey' | 'oidc'

/*
 * Sessions by rotating refresh tokens. A token is good for one use; if it comes again later, somebody copied it, and the
 * whole family ends. Only hashes are stored. All refusals are alike.
 */

/** Opens a session of somebody who has shown who they are. */
export async function openSession(
  trx: Transaction<DB>,
  accountId: string,
  {
    method,
    client,
    identityToken,
    known,
  }: { method: Method; client: Client; identityToken?: Buffer; /** Read just now. */ known?: Person },
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

/** Ends sessions of an account: one, all, or all others; gives how many. */
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
    .$if(only !== undefined, (query) => query.where('id', '=', only!))
    .$if(except !== undefined, (query) => query.where('id', '<>', except!))
    .returning('id')
    .execute()
  for (const { id } of ended)
    await audit(trx).record({ actor: by, action: 'session.ended', object: `session:${id}`, payload: { reason } })
  return ended.length
}

/** The family and the account of a refresh token, whatever has become of them. */
async function familyOf(trx: Transaction<DB>, token: string) {
  return trx
    .selectFrom('refresh_token')
    .select(['family', 'account_id'])
    .where('hash', '=', hashOf(token))
    .executeTakeFirst()
}

/**
 * Opens a session; `username` may be the e-mail address too. Whoever has a second factor is refused with the
 * challenge that it has to answer.
 */
export async function signInByPassword(
  db: Kysely<DB>,
  username: string,
  password: string,
  client: Client,
): Promise<Session> {
  const account = await findForSignIn(db, username)
  // What else has to be known is read while the password is worked on.
  const [right, factors, person] = await Promise.all([
    verifyPassword(password, account?.password_hash),
    account && factorsOf(db, account.id),
    account && findPerson(db, account.id),
  ])
  if (!right || !factors || !person) throw new BusinessError('platform.sign-in-refused')
  await wantSecondFactor(db, person.id, factors)
  return db.transaction().execute((trx) => openSession(trx, person.id, { method: 'password', client, known: person }))
}

/** Trades a refresh token for the next one of its family. */
export async function refreshSession(db: Kysely<DB>, token: string): Promise<Session> {
  const session = await db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('refresh_token')
      .innerJoin('session', 'session.id', 'refresh_token.family')
      .select(['refresh_token.id', 'family', 'refresh_token.account_id', 'used_at', 'session.expires_at'])
      .select(sql<boolean>`coalesce(used_at < now() - make_interval(secs => ${AGAIN_WITHIN}), false)`.as('copied'))
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
  // Thrown after the commit: the end of a copied family must stand.
  if (!session) throw new BusinessError('platform.session-ended')
  return session
}

/** Ends the session that a refresh token belongs to; an unknown token changes nothing. */
export async function signOut(db: Kysely<DB>, token: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await familyOf(trx, token)
    if (found)
      await endSessions(trx, found.account_id, { only: found.family, by: found.account_id, reason: 'signed out' })
  })
}

/** The sessions of an account that go on, the latest first. */
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

/** Whether the session that an access token names still stands. */
export async function sessionStands(db: Kysely<DB>, family: string): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .select('id')
    .where('id', '=', family)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

/** A refresh token as it is stored. Its id is random, because it is what the next token is derived with. */
function tokenRow(of: { family: string; accountId: string; token: string; expiresAt: Date }) {
  const { family, accountId, token, expiresAt } = of
  return { id: randomUUID(), family, account_id: accountId, hash: hashOf(token), expires_at: expiresAt }
}

/**
 * The token after a token. It is derived, not drawn, so that whoever sends one token twice within the seconds allowed is
 * given the same next one: a family never has two branches, and a copy is found out when either side goes on.
 */
function successor(id: string, token: string): string {
  return createHmac('sha256', id).update(token).digest('base64url')
}

/** The end of the chain that begins with a used token: a second tab may have gone on meanwhile. */
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
