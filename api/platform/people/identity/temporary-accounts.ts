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
import { grantRole, isNameTaken, tidyName } from './accounts.ts'
import { clearOut } from './clear-out.ts'
import { type KnownPerson, findKnownPeople } from './known-people.ts'
import { makeOwnAccount } from './new-account.ts'
import { revokeTokens } from './one-time-tokens.ts'
import { known } from '../../kernel/known.ts'

/** The form in which people without an account describe themselves; browser and API validate with the same file. */
const FORM = 'applicant-accounts/temporary-account'
const REGISTER = 'platform/temporary-employee'
const ROLE = 'Temporary Employee'

/** A person as they, or somebody who books for them, describe them. */
export type Described = {
  salutation: string
  full_name: string
  email: string
  contact_no: string
  nic: string
  employee_id?: string
  designation?: string
}

/** A description validated by the form; throws its errors by field. */
export function describedBy({ forms }: Pick<Library, 'forms'>, data: unknown): Described {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schemas of the routes take an object
  const given = data as Record<string, unknown>
  const tidied = Object.fromEntries(
    Object.entries(given)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const)
      .filter(([, value]) => value !== ''),
  )
  const { schema } = known(forms.get(FORM), `the form ${FORM}`)
  const answers = effectiveAnswers(schema, tidied)
  const fields = checkForm(schema, answers)
  if (fields.length > 0) throw new BusinessError('platform.form-invalid', {}, fields)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form requires these, and has just been checked
  return answers as Described
}

/*
 * Accounts of people who have not signed in, in the caller's transaction. Employees and temporary employees get their
 * own account, created now if they have none; all others become temporary employees.
 */

/**
 * The account of the described person. Throws if the address belongs to another account; with `anyTaken` also if it is
 * their own.
 */
export async function accountOf(
  trx: Transaction<DB>,
  library: Library,
  described: Described,
  { language, by, anyTaken = false }: { language: Language; by?: string; anyTaken?: boolean },
): Promise<{ id: string; email: string; made: boolean }> {
  const { nic, employee_id: employeeId, email } = described
  const found = await findKnownPeople(trx, { nic, employeeId }, ['platform/employee', REGISTER])
  const person = found.find((one) => isReliable(one, email))
  const own = person && !anyTaken && tidyName(addressOf(person)) === tidyName(email)
  if (!own && (await isNameTaken(trx, email))) throw addressTaken()
  if (person?.account) return { id: person.account.id, email: person.account.email, made: false }
  const id = person ? await makeFor(trx, person, language, by) : await makeNew(trx, library, described, language, by)
  return { id, email: person ? addressOf(person) : email, made: true }
}

/** Creates an account for a person in a register. */
async function makeFor(trx: Transaction<DB>, person: KnownPerson, language: Language, by?: string): Promise<string> {
  const email = addressOf(person)
  const name = cleanName(String(person.data['full_name'])) || email
  const id = await makeOwnAccount(trx, { username: email, email, name, record: person.id, language, by })
  if (person.register === REGISTER) await grantRole(trx, id, { role: ROLE })
  return id
}

/** Creates an account and its register entry, without the employee number, which nobody has confirmed. */
async function makeNew(
  trx: Transaction<DB>,
  library: Library,
  described: Described,
  language: Language,
  by?: string,
): Promise<string> {
  const { salutation, full_name, email, contact_no, nic, designation } = described
  const id = await makeOwnAccount(trx, { username: email, email, name: full_name, language, by })
  const entry: JsonObject = {
    ...{ salutation, full_name, email, contact_no, nic: tidyNic(nic) },
    ...(designation !== undefined && { designation }),
  }
  const { id: record } = await registers(trx, library).create(REGISTER, entry, by ?? id)
  // No staff member has checked the entry, so it does not supply the name.
  await trx.updateTable('account').set({ record_id: record, entry_unchecked: true }).where('id', '=', id).execute()
  await grantRole(trx, id, { role: ROLE })
  return id
}

/**
 * Confirms an address. If it was not confirmed before, all existing access to the account is removed, because it may be
 * somebody else's. Returns whether a password has yet to be set.
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

/** An entry that people made themselves counts only if the address matches too; for others the NIC is enough. */
function isReliable(person: KnownPerson, email: string): boolean {
  if (person.account?.active === false) return false
  return !person.selfMade || tidyName(addressOf(person)) === tidyName(email)
}

/** The address that the university uses for a person. */
function addressOf({ account, data }: KnownPerson): string {
  return account?.email ?? String(data['email'])
}

function addressTaken(): BusinessError {
  const code = 'platform.email-taken'
  return new BusinessError(code, {}, [{ field: '/email', code }])
}
