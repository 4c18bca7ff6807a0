import { randomUUID } from 'node:crypto'
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { FastifyBaseLogger } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { MailDependencies } from '../../records/mail/mail.ts'
import type { Person } from '../persons/person.ts'
import { expectConfirmed, factorAdded, factorRemoved } from './second-factor.ts'

/** Time limit for the browser's response, in seconds. */
const CHALLENGE_SECONDS = 300
/** Maximum passkeys per person. */
const MAX_PASSKEYS = 10

/** Errors of the library that mean a fault here and not an invalid response. */
const FAULTS = [TypeError, ReferenceError]

export interface PasskeyContext {
  db: Kysely<DB>
  letters: MailDependencies
  publicUrl: string
  log: Pick<FastifyBaseLogger, 'debug'>
}

/** A passkey as its owner sees it. */
export interface Passkey {
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

/*
 * Passkeys. The device finds them and asks for its own PIN or biometrics, so one of them signs in without a password
 * and counts as two factors.
 */

/** The result of a library check. Invalid responses become a refusal; faults of our own are rethrown. */
async function verified<T>({ log }: PasskeyContext, check: Promise<T>): Promise<T> {
  try {
    return await check
  } catch (error) {
    if (!(error instanceof Error) || FAULTS.some((fault) => error instanceof fault)) throw error
    log.debug({ err: error }, 'a passkey was refused')
    throw new BusinessError('platform.passkey-refused')
  }
}

async function ask(
  { db }: PasskeyContext,
  kind: 'passkey-sign-in' | 'passkey-registration',
  accountId: string | null,
  value: string,
) {
  const id = randomUUID()
  const expires_at = sql<Date>`now() + make_interval(secs => ${CHALLENGE_SECONDS})`
  await db.insertInto('challenge').values({ id, kind, account_id: accountId, value, expires_at }).execute()
  return id
}

/** The stored challenge; it can be used once, whatever the result. */
async function asked(
  { db }: PasskeyContext,
  id: string,
  kind: 'passkey-sign-in' | 'passkey-registration',
  accountId: string | null,
) {
  const row = await db
    .deleteFrom('challenge')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('account_id', 'is not distinct from', accountId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('value')
    .executeTakeFirst()
  if (!row) throw new BusinessError('platform.challenge-ended')
  return row.value
}

export async function listPasskeys({ db }: PasskeyContext, accountId: string): Promise<Passkey[]> {
  return db
    .selectFrom('passkey')
    .select(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()
}

/** The options for creating a passkey in a browser. */
export async function beginPasskey(context: PasskeyContext, { id, username, name }: Person) {
  const { db, publicUrl } = context
  const { hostname } = new URL(publicUrl)
  await expectConfirmed(db, id)
  const own = await db.selectFrom('passkey').select(['id', 'transports']).where('account_id', '=', id).execute()
  if (own.length >= MAX_PASSKEYS) throw new BusinessError('platform.too-many-passkeys', { most: MAX_PASSKEYS })
  const options = await generateRegistrationOptions({
    rpName: 'Prakriya',
    rpID: hostname,
    userName: username,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(id.replaceAll('-', ''), 'hex')),
    excludeCredentials: own,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { challenge: await ask(context, 'passkey-registration', id, options.challenge), options }
}

/** Stores a new passkey; with the first factor, returns recovery codes, which are shown once. */
export async function registerPasskey(
  context: PasskeyContext,
  accountId: string,
  { challenge, name, response }: { challenge: string; name: string; response: RegistrationResponseJSON },
): Promise<Passkey & { recoveryCodes: string[] | null }> {
  const { db, letters, publicUrl } = context
  const { origin, hostname } = new URL(publicUrl)
  const expectedChallenge = await asked(context, challenge, 'passkey-registration', accountId)
  expectReadable(response)
  const { registrationInfo } = await verified(
    context,
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
    }),
  )
  if (!registrationInfo) throw new BusinessError('platform.passkey-refused')
  const { credential } = registrationInfo
  return db.transaction().execute(async (trx) => {
    await expectConfirmed(trx, accountId)
    const made = await trx
      .insertInto('passkey')
      .values({
        id: credential.id,
        account_id: accountId,
        name,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
      })
      .onConflict((oc) => oc.doNothing())
      .returning(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
      .executeTakeFirst()
    if (!made) throw new BusinessError('platform.passkey-refused')
    return { ...made, recoveryCodes: await factorAdded(letters, trx, accountId, 'passkey') }
  })
}

export async function removePasskey({ db, letters }: PasskeyContext, accountId: string, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('passkey')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (numDeletedRows !== 1n) throw new BusinessError('platform.not-found')
    await factorRemoved(letters, trx, accountId, 'passkey')
  })
}

/** The options for signing in; they do not reveal who has passkeys. */
export async function beginPasskeySignIn(context: PasskeyContext) {
  const { publicUrl } = context
  const { hostname } = new URL(publicUrl)
  const options = await generateAuthenticationOptions({ rpID: hostname, userVerification: 'required' })
  return { challenge: await ask(context, 'passkey-sign-in', null, options.challenge), options }
}

/** The person whose passkey responded. */
export async function signInByPasskey(
  context: PasskeyContext,
  {
    challenge,
    response,
  }: {
    challenge: string
    response: AuthenticationResponseJSON
  },
): Promise<string> {
  const { db, publicUrl } = context
  const { origin, hostname } = new URL(publicUrl)
  const expectedChallenge = await asked(context, challenge, 'passkey-sign-in', null)
  const known = await db.selectFrom('passkey').selectAll().where('id', '=', response.id).executeTakeFirst()
  if (!known) throw new BusinessError('platform.passkey-refused')
  expectReadable(response)
  const answer = await verified(
    context,
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
      credential: {
        id: known.id,
        publicKey: new Uint8Array(known.public_key),
        counter: Number(known.counter),
      },
    }),
  )
  if (!answer.verified) throw new BusinessError('platform.passkey-refused')
  await db
    .updateTable('passkey')
    .set({ counter: answer.authenticationInfo.newCounter, last_used_at: sql`now()` })
    .where('id', '=', known.id)
    .execute()
  return known.account_id
}

/** Throws where the library would fail before its checks: the client data must be an object. */
function expectReadable({ response }: { response: { clientDataJSON: string } }): void {
  const { clientDataJSON } = response
  if (typeof clientDataJSON === 'string')
    try {
      const told: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
      if (typeof told === 'object' && told !== null) return
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  throw new BusinessError('platform.passkey-refused')
}
