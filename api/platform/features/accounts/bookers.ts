import type { Kysely, Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { roleOfEntry } from '../../records/registers/role.ts'
import { findAnyItem } from '../../work/rows/items.ts'
import { registers } from '../../records/registers/registers.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import { type KnownPerson, type PeopleRegister, findKnownPeople } from '../../people/identity/known-people.ts'
import { type LinkDependencies, passwordLinks } from '../../people/identity/password-links.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { describedBy, accountOf } from '../../people/identity/temporary-accounts.ts'

type BookerContext = LinkDependencies & { db: Kysely<DB> }

/** What is known of a person that somebody books for. */
export interface Booker {
  name: string
  email: string
  /** Ten digits. */
  contact_no: string | null
  designation: string | null
  reg_no: string | null
  employee_id: string | null
  /** Their relation to the university; null of a student of no known programme. */
  associated_as: string | null
  accountId: string | null
}

const ASSOCIATED_AS = {
  'platform/employee': 'Non Academic Employee',
  'platform/temporary-employee': 'Temporary Employee',
} as const

/** What a person's own entry supplies for a form, beside what an NIC look-up returns. */
export interface OwnBooker extends Booker {
  nic: string | null
  /** As registers write it, without a dot. */
  salutation: string | null
}

/* Looks people up for forms that others fill in, and creates accounts for those who have none. */

/** The right by which a person may begin cases for others, in any flow: the look-up comes before the choice of flow. */
function actsFor({ library }: BookerContext, person: Person): string | undefined {
  return admits(person, offices(library))
}

async function toldOf({ library }: BookerContext, trx: Transaction<DB>, about: KnownPerson): Promise<Booker> {
  const { register, data, account } = about
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : null)
  const designation = text('designation')
  const titles =
    register === 'platform/employee' && designation ? await registers(trx, library).titles([designation]) : {}
  const academic = register === 'platform/employee' && data['kind'] === 'academic'
  const association = () =>
    register === 'platform/student'
      ? roleOfEntry(known(library.registers.get(register), 'the register of students'), data, (id) =>
          findAnyItem(trx, id),
        )
      : ASSOCIATED_AS[register]
  return {
    name: text('full_name') ?? '',
    email: account?.email ?? text('email') ?? '',
    contact_no: contactNumber(text('contact_no') ?? text('mobile_no')),
    designation: designation && (titles[designation] ?? designation),
    reg_no: text('reg_no'),
    employee_id: text('employee_id'),
    associated_as: academic ? 'Academic Employee' : ((await association()) ?? null),
    accountId: account?.active ? account.id : null,
  }
}

/** What the reader's own entry says; null if they have none. It is their own data, so it is not logged as a read. */
export async function findOwnBooker(context: BookerContext, { id, email }: Person): Promise<OwnBooker | null> {
  const { db } = context
  return db.transaction().execute(async (trx) => {
    const entry = await findOwnEntry(trx, id)
    if (!entry) return null
    const { register, data } = entry
    const text = (name: string) => (typeof data[name] === 'string' ? data[name] : null)
    const account = { id, email, active: true }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- accounts only have entries of these registers
    const own = { id: entry.id, register: register as PeopleRegister, data, account, selfMade: false }
    return { ...(await toldOf(context, trx, own)), nic: text('nic'), salutation: text('salutation') }
  })
}

/**
 * The person with this NIC or employee number, for themselves and for people who may book for others. For everybody
 * else the answer does not reveal whether such a person exists.
 */
export async function findBooker(
  context: BookerContext,
  person: Person,
  sought: { nic?: string; employeeId?: string },
): Promise<Booker | undefined> {
  const { db } = context
  return db.transaction().execute(async (trx) => {
    const found = await findKnownPeople(trx, sought, [
      'platform/employee',
      'platform/temporary-employee',
      'platform/student',
    ])
    const right = actsFor(context, person)
    const record = await recordOf(trx, person)
    const own = found.find(({ id }) => id === record)
    const one = own ?? (right === undefined ? undefined : found[0])
    if (!one) return undefined
    if (!own)
      await audit(trx).record({
        actor: person.id,
        actedAs: right ?? null,
        action: 'register-item.sensitive-read',
        object: `${one.register}:${one.id}`,
        payload: { fields: ['/nic', '/contact_no'] },
      })
    return toldOf(context, trx, one)
  })
}

/**
 * The account of a person that somebody books for. If there is none, it is created and a password link is mailed. Only
 * for people who may book for others.
 */
export async function openBookerAccount(
  context: BookerContext,
  person: Person,
  data: unknown,
  language: Language,
): Promise<{ accountId: string; made: boolean }> {
  const { db, library } = context
  const right = actsFor(context, person)
  if (right === undefined) throw new BusinessError('platform.not-allowed')
  const described = describedBy(library, data)
  return db.transaction().execute(async (trx) => {
    const { id, made } = await accountOf(trx, library, described, { language, by: person.id })
    if (made) await passwordLinks(trx, context).sendToAllLater([id])
    return { accountId: id, made }
  })
}

/** The roles that may begin a case for others, in any flow whose start page does not offer people from registers. */
function offices({ flows }: Library): string[] {
  return [...flows.values()].flatMap(({ manifest: { onBehalf } }) =>
    onBehalf === undefined || onBehalf.from ? [] : onBehalf.by,
  )
}

/** The entry of a person themselves. */
async function recordOf(trx: Transaction<DB>, { id }: Person): Promise<string | null> {
  const row = await trx.selectFrom('account').select('record_id').where('id', '=', id).executeTakeFirstOrThrow()
  return row.record_id
}

/** Without dashes, and with the leading 0 of national numbers. */
function contactNumber(given: string | null): string | null {
  const digits = (given ?? '').replaceAll(/\D/g, '').replace(/^94(?=\d{9}$)/, '')
  if (digits === '') return null
  return digits.startsWith('0') ? digits : `0${digits}`
}
