import { bound } from '../../kernel/bound.ts'
import { createHash } from 'node:crypto'
import { type Kysely, type Transaction, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Vault } from '../../kernel/keys.ts'
import { type ExternalAccountDependencies, resolveExternalAccount } from './external-accounts.ts'
import type { IdentityServer, Kept, IdentityClaims } from '../../people/identity/oidc.ts'
import { type Client, type Session, endSessions, openSession } from '../../people/identity/sessions.ts'

export interface ExternalSessionDependencies extends ExternalAccountDependencies {
  server: IdentityServer
  vault: Vault
}

/** The caller behind an access token of the identity server. */
export interface ExternalCaller {
  accountId: string
  expiresAt: number
}

interface ExternalSessionContext extends ExternalSessionDependencies {
  /** Running refreshes at the identity server, by session. */
  renewing: Map<string, Promise<boolean>>
}

export type ExternalSessions = ReturnType<typeof externalSessions>

/** The external sign-in, if there is one. */
export interface SignInElsewhere {
  server: IdentityServer
  sessions: ExternalSessions
}

/** Actor of audit entries for changes by the identity server. */
const ACTOR = 'system:identity-server'

function nameOf(accountId: string) {
  return `identity token:${accountId}`
}

function seal({ vault }: ExternalSessionContext, accountId: string, kept: Kept) {
  return vault.seal(nameOf(accountId), Buffer.from(JSON.stringify(kept)))
}

/** Also nothing if TOKEN_SECRET has changed: people then have to sign in again. */
function openKept(
  { vault }: ExternalSessionContext,
  { account_id, identity_token }: { account_id: string; identity_token: Buffer | null },
) {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `seal` made it from a `Kept`
    return identity_token && (JSON.parse(vault.open(nameOf(account_id), identity_token).toString()) as Kept)
  } catch {
    return null
  }
}

/** Active sessions of the identity server. */
function openSessions(trx: Kysely<DB> | Transaction<DB>) {
  return trx
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select(['session.id', 'session.account_id', 'identity_token', 'identity_subject'])
    .where('method', '=', 'oidc')
    .where('ended_at', 'is', null)
    .where('session.expires_at', '>', sql<Date>`now()`)
}

function findSession({ db }: ExternalSessionContext, id: string) {
  return openSessions(db).where('session.id', '=', id).executeTakeFirst()
}

function endSession({ db }: ExternalSessionContext, accountId: string, only: string, reason: string): Promise<number> {
  return db.transaction().execute((trx) => endSessions(trx, accountId, { only, by: ACTOR, reason }))
}

/** Refreshes at the identity server; false if that ended the session. One at a time per session. */
function renew(context: ExternalSessionContext, id: string): Promise<boolean> {
  const { renewing } = context
  const going = renewing.get(id) ?? renewNow(context, id).finally(() => renewing.delete(id))
  renewing.set(id, going)
  return going
}

async function renewNow(context: ExternalSessionContext, id: string): Promise<boolean> {
  const { server, db, library, offers } = context
  const row = await findSession(context, id)
  if (!row?.identity_token) return false
  const kept = openKept(context, row)
  const renewed = kept && (await server.renew(kept.refreshToken))
  if (!renewed) {
    // Another node may have used the token a moment ago and stored the new one.
    const now = await findSession(context, id)
    if (now?.identity_token && !now.identity_token.equals(row.identity_token)) return true
    await endSession(context, row.account_id, id, 'the identity server refuses it')
    return false
  }
  await db
    .updateTable('session')
    .set({ identity_token: seal(context, row.account_id, renewed.kept) })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
  await resolveExternalAccount({ db, library, offers }, renewed.told)
  return true
}

/** The session of a refresh token, if the identity server vouches for it. */
function ofToken({ db }: ExternalSessionContext, token: string) {
  return openSessions(db)
    .innerJoin('refresh_token', 'refresh_token.family', 'session.id')
    .where('hash', '=', createHash('sha256').update(token).digest())
    .executeTakeFirst()
}

/** Opens a session for a person who signed in at the identity server. */
async function signInElsewhere(
  context: ExternalSessionContext,
  { told, kept }: { told: IdentityClaims; kept: Kept },
  client: Client,
): Promise<Session> {
  const { db, library, offers } = context
  const accountId = await resolveExternalAccount({ db, library, offers }, told)
  return db.transaction().execute(async (trx) => {
    const identityToken = seal(context, accountId, kept)
    return openSession(trx, accountId, { method: 'oidc', client, identityToken })
  })
}

/** Before a refresh token is exchanged: refreshes at the identity server too. If that is refused, the session ends. */
async function renewFor(context: ExternalSessionContext, token: string): Promise<void> {
  const session = await ofToken(context, token)
  if (session && !(await renew(context, session.id))) throw new BusinessError('platform.session-ended')
}

/**
 * Whether the session is still valid at the identity server. A session in use is checked every 30 seconds, so access
 * ends within a minute after the account is closed there.
 */
async function isSessionValid(context: ExternalSessionContext, id: string): Promise<boolean> {
  const { server } = context
  const row = await findSession(context, id)
  const kept = row && openKept(context, row)
  // A negative answer may be about a token that was replaced meanwhile, so a refresh decides.
  return (kept && (await server.isTokenActive(kept.refreshToken))) || renew(context, id)
}

/** The caller behind an access token of the identity server; throws if the token is not valid. */
async function callerOf(
  { server, db, library, offers }: ExternalSessionContext,
  token: string,
): Promise<ExternalCaller> {
  const { told, expiresAt } = await server.bearer(token)
  if (!(await server.isTokenActive(token))) throw new BusinessError('platform.not-signed-in')
  return { accountId: await resolveExternalAccount({ db, library, offers }, told), expiresAt }
}

/** Whether an access token that was accepted before is still valid. */
function isBearerValid({ server }: ExternalSessionContext, token: string): Promise<boolean> {
  return Promise.resolve(server.isTokenActive(token))
}

/**
 * Returns a function that ends the session at the identity server. Call this before the local session is deleted with
 * its tokens.
 */
async function prepareLogout(context: ExternalSessionContext, token: string): Promise<() => Promise<void>> {
  const { server } = context
  const session = await ofToken(context, token)
  const kept = session && openKept(context, session)
  return () => (kept ? server.logOut(kept.refreshToken) : Promise.resolve())
}

/** Handles a back-channel logout: ends one session, or all sessions of a person. */
async function endLoggedOut(context: ExternalSessionContext, logoutToken: string): Promise<void> {
  const { server, db } = context
  const { subject, sid } = await server.loggedOut(logoutToken)
  const all = openSessions(db)
  const rows = await (subject === undefined ? all : all.where('identity_subject', '=', subject)).execute()
  for (const row of rows)
    if (sid === undefined || openKept(context, row)?.sid === sid)
      await endSession(context, row.account_id, row.id, 'signed out at the identity server')
}

/** Sessions and tokens of the identity server. They end here when they end there. */
export function externalSessions(dependencies: ExternalSessionDependencies) {
  const context: ExternalSessionContext = { ...dependencies, renewing: new Map() }
  return bound(context, {
    signIn: signInElsewhere,
    renewFor,
    isSessionValid,
    bearer: callerOf,
    isBearerValid,
    prepareLogout,
    loggedOut: endLoggedOut,
  })
}

/** Ends sessions of a kind of sign-in that the settings no longer use. */
export async function endOtherSessions(db: Kysely<DB>, now: 'identity-server' | 'built-in'): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable('session')
      .set({ ended_at: sql`now()`, end_reason: 'the way to sign in has changed', identity_token: null })
      .where('method', now === 'identity-server' ? '<>' : '=', 'oidc')
      .where('ended_at', 'is', null)
      .where('expires_at', '>', sql<Date>`now()`)
      .returning('id')
      .execute()
    const reason = `sign-in is now by ${now}`
    await audit(trx).recordAll(
      ended.map(({ id }) => ({ actor: ACTOR, action: 'session.ended', object: `session:${id}`, payload: { reason } })),
    )
  })
}
