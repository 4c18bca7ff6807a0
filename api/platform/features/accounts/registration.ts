import { type Kysely, sql } from 'kysely'
import { checkedAs } from '../../model/forms/checked-as.ts'
import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Language } from '../../model/library/library.ts'
import { effectiveAnswers } from '../../../../forms/platform/answers.ts'
import { tidyNic } from '../../../../forms/platform/nic.ts'
import { checkForm } from '../../model/forms/check.ts'
import { formats } from '../../kernel/formats.ts'
import type { MailDependencies } from '../../records/mail/mail.ts'
import { registers } from '../../records/registers/registers.ts'
import { continueCases } from '../../work/guests/waiting.ts'
import { grantRole, isNameTaken, isUsername, plainName, tidyName } from '../../people/identity/accounts.ts'
import { clearOut } from '../../people/identity/clear-out.ts'
import { makeOwnAccount } from '../../people/identity/new-account.ts'
import {
  type OneTimeToken,
  findToken,
  issueToken,
  redeemToken,
  revokeTokens,
} from '../../people/identity/one-time-tokens.ts'
import { passwordLinks } from '../../people/identity/password-links.ts'
import { expectGoodPassword, hashPassword } from '../../people/identity/password.ts'
import { endSessions } from '../../people/identity/sessions.ts'
import { throttle } from '../../people/identity/throttle.ts'

/** The sign-up forms; browser and API validate with the same files. */
const FORMS = {
  account: 'applicant-accounts/account',
  signUp: 'applicant-accounts/sign-up',
  password: 'applicant-accounts/password',
  forgotPassword: 'applicant-accounts/forgot-password',
} as const

/** The register and role of people who sign up. */
const REGISTER = 'platform/temporary-employee'
const ROLE = 'Temporary Employee'

/** Content of the account form. */
interface Applicant {
  email: string
  first_name: string
  sur_name?: string
  full_name: string
  name_with_initials?: string
  nic: string
  mobile_no: string
  salutation?: string
  designation?: string
  request_ids?: string[]
}

/** A new account, as its creator sees it. */
export interface CreatedAccount {
  id: string
  username: string
}

/** Proof that a new password may be set. */
export interface PasswordProof {
  /** From the mailed link. */
  token?: string | undefined
  /** From the cookie of the browser that created the account. */
  setUp?: string | undefined
}

/*
 * Sign-up and passwords. A password can be set once by the browser that has just created the account, or through a link
 * mailed to its address.
 */

/** Validates with one of the forms; returns the data without surrounding spaces. */
function checked<T>(
  { library }: MailDependencies & { db: Kysely<DB>; definitions: Definitions },
  form: keyof typeof FORMS,
  data: unknown,
): T {
  const { schema } = known(library.forms.get(FORMS[form]), FORMS[form])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- bodies are JSON, and `checkForm` refuses all but objects
  const tidied = effectiveAnswers(schema, trimmed(data) as JsonObject)
  const fields = checkForm(schema, tidied)
  if (fields.length > 0) throw new BusinessError('platform.form-invalid', {}, fields)
  return checkedAs<T>(tidied)
}

/** Whether an address is available for a new account. */
export async function checkEmail(
  { db }: MailDependencies & { db: Kysely<DB>; definitions: Definitions },
  email: string,
): Promise<'valid' | 'taken' | 'invalid'> {
  const plain = email.trim()
  if (!formats.email.test(plain) || plain.length > 254) return 'invalid'
  return (await isNameTaken(db, plain)) ? 'taken' : 'valid'
}

/** Creates an account with a password; its address has to be confirmed. */
export async function registerAccount(
  context: MailDependencies & { db: Kysely<DB>; definitions: Definitions },
  data: { email: string; username?: string | undefined; password: string },
  language: Language,
): Promise<CreatedAccount> {
  const { db } = context
  const { username: wanted, ...rest } = data
  const { email } = checked<{ email: string }>(context, 'signUp', rest)
  const username = plainName(wanted ?? '') || email
  if (tidyName(username) !== tidyName(email) && !isUsername(username))
    throw new BusinessError('platform.form-invalid', {}, [{ field: '/username', code: 'platform.username-refused' }])
  expectGoodPassword(data.password, [username, email])
  const passwordHash = await hashPassword(data.password)
  return db.transaction().execute(async (trx) => {
    const name = email.slice(0, email.indexOf('@'))
    const id = await makeOwnAccount(trx, { username, email, name, passwordHash, language })
    await passwordLinks(trx, context).sendConfirmation(id)
    return { id, username }
  })
}

/**
 * Creates an applicant's account and their entry in the register of temporary employees. The password is set later: in
 * the same browser with `setUp`, or through a mailed link.
 */
export async function applyForAccount(
  context: MailDependencies & { db: Kysely<DB>; definitions: Definitions },
  data: unknown,
  language: Language,
): Promise<CreatedAccount & { setUp: string; seconds: number }> {
  const { db, library } = context
  const { mobile_no, nic, ...form } = checked<Applicant>(context, 'account', data)
  return db.transaction().execute(async (trx) => {
    const { email, full_name: name } = form
    const id = await makeOwnAccount(trx, { username: email, email, name, language })
    const entry: JsonObject = { ...form, nic: tidyNic(nic), contact_no: mobile_no }
    const { id: record } = await registers(trx, library).create(REGISTER, entry, id)
    await trx.updateTable('account').set({ record_id: record, entry_unchecked: true }).where('id', '=', id).execute()
    await grantRole(trx, id, { role: ROLE })
    await passwordLinks(trx, context).sendUnlessSet(id)
    const { token, seconds } = await issueToken(trx, id, 'set-password', { mailed: false })
    return { id, username: email, setUp: token, seconds }
  })
}

/**
 * Sets a password. This ends all sessions and invalidates all mailed links. Returns whether it is the account's first.
 */
export async function setPassword(
  context: MailDependencies & { db: Kysely<DB>; definitions: Definitions },
  data: { username: string; password: string },
  proof: PasswordProof,
): Promise<'created' | 'reset'> {
  const { db, definitions } = context
  const { username } = checked<{ username: string }>(context, 'password', data)
  const { password } = data
  const secret = proof.token ?? proof.setUp
  const mailed = proof.token !== undefined
  const refused = new BusinessError(mailed ? 'platform.link-spent' : 'platform.password-proof-wanted')
  if (secret === undefined) throw refused
  const fits = (found: OneTimeToken | undefined): OneTimeToken => {
    const own = found && [found.username, found.email].some((one) => tidyName(one) === tidyName(username))
    if (!own || found.purpose !== 'set-password' || found.mailed !== mailed) throw refused
    return found
  }
  const owner = fits(await findToken(db, secret))
  expectGoodPassword(password, [owner.username, owner.name, owner.email])
  const hash = await hashPassword(password)
  return db.transaction().execute(async (trx) => {
    const { accountId, hasPassword, confirmed } = fits(await redeemToken(trx, secret, 'set-password'))
    await trx
      .updateTable('account')
      .set({
        password_hash: hash,
        password_changed_at: sql`now()`,
        ...(mailed && { email_confirmed_at: sql`coalesce(email_confirmed_at, now())` }),
      })
      .where('id', '=', accountId)
      .execute()
    await revokeTokens(trx, accountId, 'set-password')
    const why = { by: accountId, reason: 'the password was set anew' }
    // The person who created the account may not own the address, so end their access.
    if (mailed && !confirmed) {
      await clearOut(trx, accountId, why)
      // They need the password even if their application cannot go on.
      await continueCases(trx, definitions, accountId, { taken: 'waits' })
    } else await endSessions(trx, accountId, why)
    await audit(trx).record({
      actor: accountId,
      action: 'account.password-set',
      object: `account:${accountId}`,
      payload: { by: mailed ? 'mailed link' : 'browser that made the account', first: !hasPassword },
    })
    if (hasPassword) await passwordLinks(trx, context).tellOfChange(accountId)
    else if (!mailed) await passwordLinks(trx, context).sendConfirmation(accountId)
    return hasPassword ? 'reset' : 'created'
  })
}

/** Mails a link if the address belongs to an account; the response does not reveal whether it does. */
export async function forgotPassword(
  context: MailDependencies & { db: Kysely<DB>; definitions: Definitions },
  data: unknown,
): Promise<void> {
  const { db } = context
  const { email } = checked<{ email: string }>(context, 'forgotPassword', data)
  await db.transaction().execute((trx) => passwordLinks(trx, context).sendLater(email))
}

/** The purpose and account of a mailed token; does not use it up. */
export async function lookAtToken(
  { db }: MailDependencies & { db: Kysely<DB>; definitions: Definitions },
  token: string,
): Promise<{ purpose: OneTimeToken['purpose']; email: string }> {
  const found = await findToken(db, token)
  if (!found?.mailed) throw new BusinessError('platform.link-spent')
  return { purpose: found.purpose, email: found.email }
}

/** Confirms an address: its owner has used the mailed link. */
export async function confirmEmail(
  { db, definitions }: MailDependencies & { db: Kysely<DB>; definitions: Definitions },
  token: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await redeemToken(trx, token, 'confirm-email')
    if (!found) throw new BusinessError('platform.link-spent')
    const { accountId } = found
    await revokeTokens(trx, accountId, 'confirm-email')
    await trx
      .updateTable('account')
      .set({ email_confirmed_at: sql`coalesce(email_confirmed_at, now())` })
      .where('id', '=', accountId)
      .execute()
    await continueCases(trx, definitions, accountId)
    await audit(trx).record({
      actor: accountId,
      action: 'account.email-confirmed',
      object: `account:${accountId}`,
      payload: {},
    })
  })
}

/** Mails the confirmation link again. */
export async function askForConfirmation(
  context: MailDependencies & { db: Kysely<DB>; definitions: Definitions },
  accountId: string,
): Promise<void> {
  const { db } = context
  const counted = [{ kind: 'mail', of: accountId } as const]
  if ((await throttle(db).level(counted)) > 0) throw new BusinessError('platform.too-many-requests')
  await throttle(db).note(counted)
  await db.transaction().execute((trx) => passwordLinks(trx, context).sendConfirmation(accountId))
}

/** Trims texts, except passwords, and removes empty ones. */
function trimmed(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data
  const tidied = Object.entries(data).map(([name, value]) => [
    name,
    typeof value === 'string' && name !== 'password' ? value.trim() : value,
  ])
  return Object.fromEntries(tidied.filter(([, value]) => value !== ''))
}
