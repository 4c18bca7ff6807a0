import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type Kysely, type Transaction, sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Vault } from '../../kernel/keys.ts'
import { type MailDependencies, mail } from '../../records/mail/mail.ts'
import { known } from '../../kernel/known.ts'

/** The second factors of an account. */
export interface Factors {
  totp: boolean
  passkeys: number
  /** How many are left. */
  recoveryCodes: number
}

/** Lifetime of a challenge in seconds, and its maximum attempts. */
const CHALLENGE_SECONDS = 300
const MAX_ATTEMPTS = 5
/**
 * Wrong authenticator codes in an hour before only a recovery code or passkey is accepted. An attacker at this point
 * knows the password and could guess six digits.
 */
const MAX_WRONG_CODES = 10

const RECOVERY_CODE_COUNT = 10
/** 120 bits each, so that hashes cannot be reversed. */
const CODE_BYTES = 15

const STEP_SECONDS = 30

export interface SecondFactorContext {
  db: Kysely<DB>
  vault: Vault
  letters: MailDependencies
}

/** The factors of an account. */
export async function factorsOf(db: Kysely<DB>, accountId: string): Promise<Factors> {
  const { rows } = await sql<Factors>`
    select exists (select from totp where account_id = ${accountId} and confirmed_at is not null) as totp,
      (select count(*)::integer from passkey where account_id = ${accountId}) as passkeys,
      (select count(*)::integer from recovery_code where account_id = ${accountId} and used_at is null) as "recoveryCodes"
  `.execute(db)
  return known(rows[0], 'the factors')
}

/** Lets a sign-in by password pass, or throws with the challenge that the second factor has to answer. */
export async function requireSecondFactor(db: Kysely<DB>, accountId: string, factors: Factors): Promise<void> {
  const { totp, passkeys, recoveryCodes } = factors
  if (!totp && passkeys === 0) return
  const { id } = await db
    .insertInto('challenge')
    .values({
      id: randomUUID(),
      kind: 'second-factor',
      account_id: accountId,
      value: '',
      expires_at: sql`now() + make_interval(secs => ${CHALLENGE_SECONDS})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const methods = [
    ...(totp ? ['totp'] : []),
    ...(passkeys > 0 ? ['passkey'] : []),
    ...(recoveryCodes > 0 ? ['recovery-code'] : []),
  ]
  throw new BusinessError('platform.second-factor-wanted', {}, [], { challenge: id, methods })
}

/** Throws if the address is not confirmed: a factor would lock out its real owner. */
export async function expectConfirmed(db: Kysely<DB>, accountId: string): Promise<void> {
  const { email_confirmed_at } = await db
    .selectFrom('account')
    .select('email_confirmed_at')
    .where('id', '=', accountId)
    // Locks out concurrent password changes.
    .forShare()
    .executeTakeFirstOrThrow()
  if (email_confirmed_at === null) throw new BusinessError('platform.email-unconfirmed')
}

/** Mails the person what happened to their account, whatever their mail preferences are. */
export async function mailSecurityNotice(
  letters: MailDependencies,
  trx: Transaction<DB>,
  accountId: string,
  template: string,
  page = '/myprofile',
): Promise<void> {
  await mail(trx, letters).send({ to: accountId, template, values: { link: `${letters.publicUrl}${page}` } })
}

/** Creates ten recovery codes; older ones become invalid. */
async function makeRecoveryCodes(trx: Transaction<DB>, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, newCode)
  await trx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await trx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ account_id: accountId, hash: hashOf(plainOf(code)) })))
    .execute()
  return codes
}

/** After a factor was added: a mail, an audit entry and, with the first one, the recovery codes. */
export async function factorAdded(
  letters: MailDependencies,
  trx: Transaction<DB>,
  accountId: string,
  factor: string,
): Promise<string[] | null> {
  await audit(trx).record({
    actor: accountId,
    action: 'second-factor.added',
    object: `account:${accountId}`,
    payload: { factor },
  })
  await mailSecurityNotice(letters, trx, accountId, 'platform.mail.second-factor-added')
  return (await factorsOf(trx, accountId)).recoveryCodes === 0 ? makeRecoveryCodes(trx, accountId) : null
}

/** After a factor was removed: a mail, an audit entry and, with the last one, the recovery codes are deleted. */
export async function factorRemoved(
  letters: MailDependencies,
  trx: Transaction<DB>,
  accountId: string,
  factor: string,
): Promise<void> {
  await audit(trx).record({
    actor: accountId,
    action: 'second-factor.removed',
    object: `account:${accountId}`,
    payload: { factor },
  })
  await mailSecurityNotice(letters, trx, accountId, 'platform.mail.second-factor-removed')
  const { totp, passkeys } = await factorsOf(trx, accountId)
  if (!totp && passkeys === 0) await trx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
}

/* Setting up, checking and removing second factors. */

async function matchingStep(
  { db, vault }: SecondFactorContext,
  accountId: string,
  code: string,
  confirmed: boolean,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('totp')
    .select('sealed_secret')
    .where('account_id', '=', accountId)
    .where('confirmed_at', confirmed ? 'is not' : 'is', null)
    .executeTakeFirst()
  if (!row || !/^\d{6}$/.test(code)) return undefined
  const secret = new Secret({ buffer: bytesOf(vault.open(`totp:${accountId}`, row.sealed_secret)) })
  const timestamp = Date.now()
  // Accept one 30-second step either way, because clocks differ.
  const delta = new TOTP({ secret, period: STEP_SECONDS }).validate({ token: code, window: 1, timestamp })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / STEP_SECONDS) + delta
}

/** Whether this is an unused code of the authenticator; of two concurrent uses, one counts. */
async function isCode(context: SecondFactorContext, accountId: string, code: string): Promise<boolean> {
  const { db, letters } = context
  const key = `second-factor:${accountId}`
  // Count before the check, so that concurrent attempts cannot exceed the limit.
  const { rows } = await sql<{ count: number }>`
      insert into throttle (key, count, until) values (${key}, 1, now() + interval '1 hour')
      on conflict (key) do update set
        count = case when throttle.until < now() then 1 else throttle.count + 1 end,
        until = case when throttle.until < now() then excluded.until else throttle.until end
      returning count`.execute(db)
  const { count } = known(rows[0], 'the count')
  if (count > MAX_WRONG_CODES) throw new BusinessError('platform.second-factor-exhausted')
  const step = await matchingStep(context, accountId, code, true)
  if (step === undefined) {
    if (count === MAX_WRONG_CODES)
      await db
        .transaction()
        .execute((trx) => mailSecurityNotice(letters, trx, accountId, 'platform.mail.second-factor-guessed'))
    return false
  }
  const { numUpdatedRows } = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', String(step))]))
    .executeTakeFirst()
  if (numUpdatedRows === 1n) await db.deleteFrom('throttle').where('key', '=', key).execute()
  return numUpdatedRows === 1n
}

async function isRecoveryCode({ db, letters }: SecondFactorContext, accountId: string, code: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_code')
    .set({ used_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('hash', '=', hashOf(code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await db
    .transaction()
    .execute((trx) => mailSecurityNotice(letters, trx, accountId, 'platform.mail.recovery-code-used'))
  return true
}

/** The name of the person that a challenge is for. */
export async function nameChallenged({ db }: SecondFactorContext, challenge: string): Promise<string> {
  const row = await db
    .selectFrom('challenge')
    .innerJoin('account', 'account.id', 'challenge.account_id')
    .select('username')
    .where('challenge.id', '=', challenge)
    .where('kind', '=', 'second-factor')
    .executeTakeFirst()
  if (!row) throw new BusinessError('platform.challenge-ended')
  return row.username
}

/** Checks the response to a challenge. If it is right, returns the person and the method, and deletes the challenge. */
export async function answerChallenge(
  context: SecondFactorContext,
  challenge: string,
  given: string,
): Promise<{ accountId: string; method: 'totp' | 'recovery-code' }> {
  const { db } = context
  const row = await db
    .updateTable('challenge')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', challenge)
    .where('kind', '=', 'second-factor')
    .where('attempts', '<', MAX_ATTEMPTS)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('account_id')
    .executeTakeFirst()
  if (!row?.account_id) throw new BusinessError('platform.challenge-ended')
  const accountId = row.account_id
  const code = plainOf(given)
  const method = /^\d{6}$/.test(code) ? 'totp' : 'recovery-code'
  const right =
    method === 'totp' ? await isCode(context, accountId, code) : await isRecoveryCode(context, accountId, code)
  if (!right) throw new BusinessError('platform.second-factor-refused')
  await db.deleteFrom('challenge').where('id', '=', challenge).execute()
  return { accountId, method }
}

/** Creates an authenticator secret, which counts once a code confirms it. */
export async function beginTotp(
  { db, vault }: SecondFactorContext,
  accountId: string,
  username: string,
): Promise<{ secret: string; uri: string }> {
  await expectConfirmed(db, accountId)
  const secret = new Secret({ size: 20 })
  const sealed = vault.seal(`totp:${accountId}`, Buffer.from(secret.bytes))
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('totp')
    .values({ account_id: accountId, sealed_secret: sealed })
    .onConflict((oc) =>
      oc
        .column('account_id')
        .doUpdateSet({ sealed_secret: sealed, created_at: sql`now()`, last_step: null })
        .where('totp.confirmed_at', 'is', null),
    )
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) throw new BusinessError('platform.totp-there-already')
  const uri = new TOTP({ issuer: 'Prakriya', label: username, secret, period: STEP_SECONDS }).toString()
  return { secret: secret.base32, uri }
}

/** Confirms the authenticator with its first code; returns recovery codes, which are shown once. */
export async function confirmTotp(context: SecondFactorContext, accountId: string, given: string): Promise<string[]> {
  const { db, letters } = context
  const step = await matchingStep(context, accountId, plainOf(given), false)
  if (step === undefined)
    throw new BusinessError('platform.form-invalid', {}, [{ field: '/code', code: 'platform.second-factor-refused' }])
  return db.transaction().execute(async (trx) => {
    await expectConfirmed(trx, accountId)
    const { numUpdatedRows } = await trx
      .updateTable('totp')
      .set({ confirmed_at: sql`now()`, last_step: step })
      .where('account_id', '=', accountId)
      .where('confirmed_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw new BusinessError('platform.totp-there-already')
    return (await factorAdded(letters, trx, accountId, 'totp')) ?? makeRecoveryCodes(trx, accountId)
  })
}

/** Removes the authenticator, confirmed or not. */
export async function removeTotp({ db, letters }: SecondFactorContext, accountId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const gone = await trx
      .deleteFrom('totp')
      .where('account_id', '=', accountId)
      .returning('confirmed_at')
      .executeTakeFirst()
    if (gone?.confirmed_at) await factorRemoved(letters, trx, accountId, 'totp')
  })
}

/** Replaces the recovery codes. */
export async function renewRecoveryCodes({ db, letters }: SecondFactorContext, accountId: string): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const { totp, passkeys } = await factorsOf(trx, accountId)
    if (!totp && passkeys === 0) throw new BusinessError('platform.second-factor-missing')
    await audit(trx).record({
      actor: accountId,
      action: 'second-factor.codes-renewed',
      object: `account:${accountId}`,
      payload: {},
    })
    await mailSecurityNotice(letters, trx, accountId, 'platform.mail.recovery-codes-renewed')
    return makeRecoveryCodes(trx, accountId)
  })
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Twenty-four letters and digits in groups of four. */
function newCode(): string {
  const bits = [...randomBytes(CODE_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = bits.replaceAll(/.{5}/g, (five) => ALPHABET.charAt(Number.parseInt(five, 2)))
  return letters.replaceAll(/.{4}(?=.)/g, '$&-')
}

/** A code normalised for comparison: people type spaces, hyphens and lower case. */
function plainOf(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toUpperCase()
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

/** A copy in its own buffer, because otpauth reads the whole buffer. */
function bytesOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
