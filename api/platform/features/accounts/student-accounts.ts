import { type NotNull, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { known } from '../../kernel/known.ts'
import { principalsOf } from '../../people/access/units.ts'
import { roleOfEntry } from '../../records/registers/role.ts'
import { addGrants, listLastingGrants } from '../../people/access/grant-rows.ts'
import type { Shift } from '../../work/access/settle.ts'
import { findAnyItem } from '../../work/rows/items.ts'
import { remembered } from '../../model/definitions/named.ts'
import type { Library } from '../../model/library/library.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { plainName, tidyName } from '../../people/identity/accounts.ts'
import { clearOut } from '../../people/identity/clear-out.ts'
import { revokeTokens } from '../../people/identity/one-time-tokens.ts'
import { GROUP, type Person, admits } from '../../people/persons/person.ts'

export const REGISTER = 'platform/student'

/** The reason of the student's grant, as everybody who sees the grant reads it. */
const REASON = 'Student register'

export interface Student {
  id: string
  status: string
  email: string
  reg_no: string
  full_name: string
  faculty: string
  department: string | null
  intake: string
  year: number | null
  data: JsonObject
  /** Their own account, or the one that has their address. */
  account: { id: string; own: boolean; confirmed: boolean } | null
}

/** Creates accounts; returns the ids of the students who have one now. */
export async function makeAccount(
  trx: Transaction<DB>,
  students: readonly Student[],
  by: string,
): Promise<Set<string>> {
  if (students.length === 0) return new Set()
  const taken = await trx
    .selectFrom('account')
    .select('username')
    .where(
      'username',
      'in',
      students.map(({ reg_no }) => plainName(reg_no)),
    )
    .execute()
  const usernames = new Set(taken.map(({ username }) => tidyName(username)))
  const made = await trx
    .insertInto('account')
    .values(
      students.map(({ id, reg_no, email, full_name }) => ({
        id: uuid(),
        username: usernames.has(tidyName(reg_no)) ? email : plainName(reg_no),
        email,
        name: full_name,
        record_id: id,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'record_id', 'username', 'email', 'name'])
    .execute()
  await audit(trx).recordAll(
    made.map(({ id, record_id, username, email, name }) => ({
      actor: by,
      action: 'account.made',
      object: `account:${id}`,
      payload: { username, email, name, record: record_id },
    })),
  )
  return new Set(made.flatMap(({ record_id }) => record_id ?? []))
}

/**
 * Binds an account that uses the student's address to the student. If the address was never confirmed, the account may
 * not be the student's: its password, factors, password links and sessions become invalid. Accounts with roles from
 * others are not touched, so that no student can take over a staff account.
 */
export async function takeOver(
  trx: Transaction<DB>,
  id: string,
  { id: accountId, confirmed }: NonNullable<Student['account']>,
  by: string,
): Promise<void> {
  const { name } = await trx
    .updateTable('account')
    .set({ record_id: id, entry_unchecked: false, ...(confirmed ? {} : { password_hash: null }) })
    .where('id', '=', accountId)
    .returning('name')
    .executeTakeFirstOrThrow()
  if (!confirmed) {
    await revokeTokens(trx, accountId, 'set-password')
    await clearOut(trx, accountId, { by, reason: 'the address was never confirmed' })
  }
  await audit(trx).record({
    actor: by,
    action: 'account.linked',
    object: `account:${accountId}`,
    // From now on the entry supplies the name.
    payload: { record: id, now: { name } },
  })
}

/** The role that their register gives each of these students; who studies no known programme has none. */
export async function rolesOfStudents(
  trx: Transaction<DB>,
  library: Library,
  students: readonly Student[],
): Promise<Map<string, string>> {
  const definition = known(library.registers.get(REGISTER), 'the register of students')
  const find = remembered((id) => findAnyItem(trx, id))
  const roles = new Map<string, string>()
  for (const { id, data } of students) {
    const role = await roleOfEntry(definition, data, find)
    if (role !== undefined) roles.set(id, role)
  }
  return roles
}

/** Grants students with an account their role, at their faculty. */
export async function grantStudent(
  trx: Transaction<DB>,
  library: Library,
  { students, roles }: { students: readonly Student[]; roles: ReadonlyMap<string, string> },
  person: Person,
): Promise<Shift> {
  const granted = new Map(
    students.map(({ id, faculty }) => [id, { faculty, role: known(roles.get(id), 'the role of a student') }]),
  )
  const accounts = await accountsOf(trx, [...granted.keys()])
  const lasting = await listLastingGrants(
    trx,
    accounts.map(({ id }) => id),
  )
  // Nobody is a student twice: a role of students that is held already stays the only one.
  const ofStudents = new Set(Object.values(known(library.registers.get(REGISTER)?.role, 'the role of students').is))
  const held = new Set(lasting.filter(({ role }) => ofStudents.has(role)).map(({ account_id: id }) => id))
  const wanted = accounts
    .map(({ id, record_id: student }) => ({ id, ...known(granted.get(student), 'the role of a student') }))
    .filter(({ id }) => !held.has(id) && id !== person.id)
    .map(({ id, role, faculty }) => ({
      account: id,
      role,
      scope: { kind: 'faculty', id: faculty },
      startsAt: null,
      endsAt: null,
      origin: 'person' as const,
      by: person.id,
      reason: REASON,
    }))
  for (let at = 0; at < wanted.length; at += PORTION) {
    const portion = wanted.slice(at, at + PORTION)
    const ids = await addGrants(trx, portion)
    await audit(trx).recordAll(
      portion.map(({ account, role, scope, reason }, n) => ({
        actor: person.id,
        actedAs: actsAsOffice(person),
        action: 'grant.given',
        object: `account:${account}`,
        payload: { grant: ids[n], role, scope, reason },
      })),
    )
  }
  return {
    accounts: wanted.map(({ account }) => account),
    principals: [...new Set(wanted.flatMap(({ role, scope }) => principalsOf(role, scope)))],
  }
}

export async function accountsOf(trx: Transaction<DB>, students: readonly string[]) {
  return trx
    .selectFrom('account')
    .select(['id', 'record_id'])
    .where('record_id', '=', sql<string>`any(${[...students]}::uuid[])`)
    .$narrowType<{ record_id: NotNull }>()
    .execute()
}

/** The permission group of the IT unit. */
export const IT_UNIT = 'ITViewIntake'
/** The permission groups whose holders look after students or their accounts. */
export const STUDENT_OFFICES = ['AllStudents', IT_UNIT]

/** The right by which a person looks after accounts of students. */
export const actsAsOffice = (person: Person): string | null =>
  admits(
    person,
    STUDENT_OFFICES.map((group) => GROUP + group),
  ) ?? null

/** Accounts per statement. */
export const PORTION = 500
