import { type Transaction, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { effectiveAnswers } from '../../../../forms/platform/answers.ts'
import { tidyNic } from '../../../../forms/platform/nic.ts'
import { checkForm } from '../../model/forms/check.ts'
import { cleanName } from '../../kernel/formats.ts'
import { registers } from '../../records/registers/registers.ts'
import { createAccount, grantRole, isNameTaken, tidyName } from './accounts.ts'
import { clearOut } from './clear-out.ts'
import { type KnownPerson, findKnownPeople } from './known-people.ts'
import { revokeTokens } from './one-time-tokens.ts'

/** The form by which somebody without an account says who they are; browser and API check by the same file. */
const FORM = 'applicant-accounts/temporary-account'
const REGISTER = 'platform/temporary-employee'
const ROLE = 'Temporary Employee'

/** Somebody as they, or whoever books for them, describe them. */
export type Described = {
  salutation: string
  full_name: string
  email: string
  contact_no: string
  nic: string
  employee_id?: string
  designation?: string
}

/** What was sent as a description, by the form's rules; throws what is wrong with it field by field. */
export function describedBy({ forms }: Pick<Library, 'forms'>, data: unknown): Described {
  const tidied = Object.fromEntries(
    Object.entries(data as Record<string, unknown>)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const)
      .filter(([, value]) => value !== ''),
  )
  const { schema } = forms.get(FORM)!
  const answers = effectiveAnswers(schema, tidied)
  const fields = checkForm(schema, answers)
  if (fields.length > 0) throw new BusinessError('platform.form-invalid', {}, fields)
  // The form has just been checked, and asks for these.
  return answers as Described
}

/*
 * The accounts of people who have not signed in, in the caller's transaction. Whoever is an employee, or else a temporary
 * employee, has the account that is theirs, made now if there is none; all others become temporary employees.
 */

/**
 * The account of whoever is described. An address that belongs to another account is refused, whoever is described;
 * with `anyTaken` also where it is the described person's own.
 */
export async function accountOf(
  trx: Transaction<DB>,
  library: Library,
  described: Described,
  { language, by, anyTaken = false }: { language: Language; by?: string; anyTaken?: boolean },
): Promise<{ id: string; email: string; made: boolean }> {
  const { nic, employee_id: employeeId, email } = described
  const found = await findKnownPeople(trx, { nic, employeeId }, ['platform/employee', REGISTER])
  const known = found.find((one) => isReliable(one, email))
  const own = known && !anyTaken && tidyName(addressOf(known)) === tidyName(email)
  if (!own && (await isNameTaken(trx, email))) throw addressTaken()
  if (known?.account) return { id: known.account.id, email: known.account.email, made: false }
  const id = known ? await makeFor(trx, known, language, by) : await makeNew(trx, library, described, language, by)
  return { id, email: known ? addressOf(known) : email, made: true }
}

/** An account for somebody who stands in a register. */
async function makeFor(trx: Transaction<DB>, known: KnownPerson, language: Language, by?: string): Promise<string> {
  const email = addressOf(known)
  const name = cleanName(String(known.data['full_name'])) || email
  const id = await makeAccount(trx, { email, name, record: known.id }, language, by)
  if (known.register === REGISTER) await grantRole(trx, id, { role: ROLE })
  return id
}

/** An account and the entry that goes with it. The employee number is left out, because nobody has vouched for it. */
async function makeNew(
  trx: Transaction<DB>,
  library: Library,
  described: Described,
  language: Language,
  by?: string,
): Promise<string> {
  const { salutation, full_name, email, contact_no, nic, designation } = described
  const id = await makeAccount(trx, { email, name: full_name }, language, by)
  const entry: JsonObject = {
    ...{ salutation, full_name, email, contact_no, nic: tidyNic(nic) },
    ...(designation !== undefined && { designation }),
  }
  const { id: record } = await registers(trx, library).create(REGISTER, entry, by ?? id)
  // Nobody of the university has seen it: it answers for nothing.
  await trx.updateTable('account').set({ record_id: record, entry_unchecked: true }).where('id', '=', id).execute()
  await grantRole(trx, id, { role: ROLE })
  return id
}

async function makeAccount(
  trx: Transaction<DB>,
  { email, name, record = null }: { email: string; name: string; record?: string | null },
  language: Language,
  by?: string,
): Promise<string> {
  const id = await createAccount(trx, { username: email, email, name }).catch((error: unknown) => {
    // Somebody else was quicker.
    throw error instanceof BusinessError && error.code === 'platform.account-taken' ? addressTaken() : error
  })
  const made = await trx
    .updateTable('account')
    .set({ language, record_id: record })
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirstOrThrow()
  await audit(trx).record({
    actor: by ?? id,
    action: 'account.made',
    object: `account:${id}`,
    payload: { username: email, email, name: made.name },
  })
  return id
}

/**
 * The address is its owner's: they read its mails. If it was not known to be theirs, whatever let somebody into the
 * account is void, since that need not have been them. Says whether they have yet to set a password.
 */
export async function confirmAddress(trx: Transaction<DB>, accountId: string): Promise<{ withoutPassword: boolean }> {
  const { confirmed, has_password } = await trx
    .selectFrom('account')
    .select((eb) => [
      eb('email_confirmed_at', 'is not', null).as('confirmed'),
      eb('password_hash', 'is not', null).as('has_password'),
    ])
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (confirmed) return { withoutPassword: !has_password }
  await trx
    .updateTable('account')
    .set({ email_confirmed_at: sql`now()`, password_hash: null })
    .where('id', '=', accountId)
    .execute()
  for (const purpose of ['set-password', 'confirm-email'] as const) await revokeTokens(trx, accountId, purpose)
  await clearOut(trx, accountId, { by: accountId, reason: 'the address was never confirmed' })
  await audit(trx).record({
    actor: accountId,
    action: 'account.email-confirmed',
    object: `account:${accountId}`,
    payload: {},
  })
  return { withoutPassword: true }
}

/** What people wrote of themselves counts only together with the address that they wrote; of others, the NIC alone. */
function isReliable(known: KnownPerson, email: string): boolean {
  if (known.account?.active === false) return false
  return !known.selfMade || tidyName(addressOf(known)) === tidyName(email)
}

/** Where the university writes to somebody. */
function addressOf({ account, data }: KnownPerson): string {
  return account?.email ?? String(data['email'])
}

function addressTaken(): BusinessError {
  const code = 'platform.email-taken'
  return new BusinessError(code, {}, [{ field: '/email', code }])
}
