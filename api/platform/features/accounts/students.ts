import { type Transaction, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import { type AccessDependencies, accessChanges } from '../../work/access/changes.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { containing } from '../../kernel/like.ts'
import { cursorOf, readCursor } from '../../kernel/paging.ts'
import { passwordLinks } from '../../people/identity/password-links.ts'
import { GROUP, type Person, grantsMeant } from '../../people/persons/person.ts'
import {
  REGISTER,
  type Student,
  makeAccount,
  takeOver,
  grantStudent,
  rolesOfStudents,
  accountsOf,
  IT_UNIT,
  STUDENT_OFFICES,
  actsAsOffice,
  PORTION,
} from './student-accounts.ts'

/** Statuses of students who get a link: those who study, and those who are to register. */
const REACHED = ['active', 'unregistered']

/** Conditions; a student has to meet all of them. */
export interface StudentFilter {
  search?: string
  status?: string
  faculty?: string
  department?: string
  programme?: string
  intake?: string
  year?: number
  /** The state of their account and link. */
  link?: Link | 'without-password'
}

/** The selected students: these, or all that match the filter. */
export type StudentSelection = { items: string[] } | { filter: StudentFilter }

/** Why a student gets no mail. */
export const SKIPPED = ['not-active', 'has-password', 'account-closed', 'address-in-use', 'no-programme'] as const
export type SkipReason = (typeof SKIPPED)[number]

/** The state of a link: first, repeated, or the reason why there is none. */
type Link = 'first' | 'again' | SkipReason

/** Result of sending links. `resent`: the student already had a link and did not use it. */
export interface LinksSent {
  sent: number
  resent: number
  skipped: { id: string; name: string | null; reason: 'not-found' | SkipReason }[]
}

/** A student with the state of their link: first, repeated, or the reason why there is none. */
export interface StudentRow {
  id: string
  name: string
  regNo: string
  faculty: string
  department: string | null
  intake: string
  year: number | null
  status: string
  link: Link
}

/** A page of students. `total` is exact, because an action can select all of them. */
export interface StudentPage {
  items: StudentRow[]
  next: string | null
  total: number
  /** Names of the units and intakes in the rows, by id. */
  titles: Record<string, string>
}

/* Student accounts, which the office creates; students set their passwords through a mailed link. */

/** The selected students that this person looks after. */
async function matching(trx: Transaction<DB>, person: Person, meant: StudentSelection) {
  const grantsOf = (group: string) => grantsMeant(person, GROUP + group)
  const held = STUDENT_OFFICES.flatMap(grantsOf)
  // The IT unit looks after the accounts of all, wherever its people are appointed.
  const everywhere = person.seesAll || grantsOf(IT_UNIT).length > 0 || held.some(({ scopeKind }) => scopeKind === null)
  return (
    trx
      .selectFrom('register_item')
      .leftJoin('account as own', 'own.record_id', 'register_item.id')
      // Without an account of their own: the one that has their address.
      .leftJoin('account as other', (join) =>
        join.on('own.id', 'is', null).on('other.email', '=', sql<string>`(${field('email')})::citext`),
      )
      .where('register', '=', REGISTER)
      .where((eb) => {
        const conditions = []
        if ('items' in meant) conditions.push(eb('register_item.id', 'in', meant.items))
        else {
          const { search, status, link, ...fields } = meant.filter
          if (status !== undefined) conditions.push(eb('status', '=', status))
          if (link === 'without-password') conditions.push(eb(linkOf, 'not in', ['not-active', 'has-password']))
          else if (link !== undefined) conditions.push(eb(linkOf, '=', link))
          if (search !== undefined)
            conditions.push(
              eb.or([
                eb('register_item.title', 'ilike', containing(search)),
                eb(field('reg_no'), 'ilike', containing(search)),
              ]),
              eb('words', 'ilike', containing(search)),
            )
          for (const [name, value] of Object.entries(fields))
            if (value !== undefined) conditions.push(eb(field(name), '=', String(value)))
        }
        if (!everywhere)
          conditions.push(
            eb.or(
              held.flatMap(({ scopeKind, scopeId }) =>
                (scopeKind === 'faculty' || scopeKind === 'department') && scopeId !== null
                  ? [eb(field(scopeKind), '=', scopeId)]
                  : [],
              ),
            ),
          )
        return eb.and(conditions)
      })
  )
}

/** The selected students, with their account or the account that uses their address. */
async function findStudents(
  trx: Transaction<DB>,
  person: Person,
  meant: StudentSelection,
): Promise<(Student & { link: Link })[]> {
  return (await matching(trx, person, meant))
    .select(['register_item.id', 'status', 'data'])
    .select([
      field('email').as('email'),
      field('reg_no').as('reg_no'),
      field('full_name').as('full_name'),
      field('faculty').as('faculty'),
      field('department').as('department'),
      field('intake').as('intake'),
      sql<number | null>`(${field('year')})::int`.as('year'),
      linkOf.as('link'),
      sql<Student['account']>`case when coalesce(own.id, other.id) is not null then json_build_object(
        'id', coalesce(own.id, other.id), 'own', own.id is not null,
        'confirmed', coalesce(own.email_confirmed_at, other.email_confirmed_at) is not null) end`.as('account'),
    ])
    .orderBy('register_item.id')
    .execute()
}

function rowOf({ full_name: name, reg_no: regNo, ...student }: Student & { link: Link }): StudentRow {
  const { id, faculty, department, intake, year, status, link } = student
  return { id, name, regNo, faculty, department, intake, year, status, link }
}

/** Students by name, each with the state of their link. */
export async function listStudents(
  { db }: Pick<AccessDependencies, 'db'>,
  person: Person,
  { cursor, limit = 20, ...filter }: StudentFilter & { cursor?: string; limit?: number },
): Promise<StudentPage> {
  return db.transaction().execute(async (trx) => {
    const meant = await matching(trx, person, { filter })
    const { total } = await meant.select((eb) => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
    const [title, id] = cursor === undefined ? [] : readCursor(cursor, ['text', 'id'])
    const page = await meant
      .$if(title !== undefined, (query) =>
        query.where(sql<boolean>`(title, register_item.id) > (${title}, ${id}::uuid)`),
      )
      .select(['register_item.id', 'title'])
      .orderBy('title')
      .orderBy('register_item.id')
      .limit(limit + 1)
      .execute()
    const shown = page.slice(0, limit)
    const last = shown.at(-1)
    const found = shown.length === 0 ? [] : await findStudents(trx, person, { items: shown.map((one) => one.id) })
    const byId = new Map(found.map((one) => [one.id, one]))
    const ids = [
      ...new Set(found.flatMap(({ faculty, department, intake }) => [faculty, department ?? faculty, intake])),
    ]
    const named = await trx
      .selectFrom('register_item')
      .select(['id', 'title'])
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute()
    return {
      items: shown.map((one) => rowOf(known(byId.get(one.id), 'a student of the page'))),
      next: page.length > limit && last ? cursorOf([last.title, last.id]) : null,
      total: Number(total),
      titles: Object.fromEntries(named.map((one) => [one.id, one.title])),
    }
  })
}

/** Mails a link to every selected student without a password, and creates missing accounts. */
export async function sendPasswordLinks(
  dependencies: AccessDependencies,
  person: Person,
  meant: StudentSelection,
): Promise<LinksSent> {
  const changes = accessChanges(dependencies)
  return changes.make(async (trx) => {
    const found = await findStudents(trx, person, meant)
    const present = new Set(found.map(({ id }) => id))
    const missing = 'items' in meant ? [...new Set(meant.items)].filter((id) => !present.has(id)) : []
    const skipped: LinksSent['skipped'] = missing.map((id) => ({ id, name: null, reason: 'not-found' }))
    const wanted: Student[] = []
    for (const student of found) {
      const reason = SKIPPED.find((one) => one === student.link)
      if (reason) skipped.push({ id: student.id, name: student.full_name, reason })
      else wanted.push(student)
    }
    const fresh = wanted.filter(({ account }) => account === null)
    const reached = wanted.filter(({ account }) => account !== null).map(({ id }) => id)
    for (const { id, account } of wanted) if (account && !account.own) await takeOver(trx, id, account, person.id)
    for (let at = 0; at < fresh.length; at += PORTION) {
      const portion = fresh.slice(at, at + PORTION)
      const made = await makeAccount(trx, portion, person.id)
      for (const { id, full_name: name } of portion)
        if (made.has(id)) reached.push(id)
        else skipped.push({ id, name, reason: 'address-in-use' })
    }
    const given = new Set(reached)
    const students = await lockedAsNow(
      trx,
      wanted.filter(({ id }) => given.has(id)),
    )
    const roles = await rolesOfStudents(trx, dependencies.library, students)
    const granted = { students: students.filter(({ id }) => roles.has(id)), roles }
    const shift = await grantStudent(trx, dependencies.library, granted, person)
    const accounts = await accountsOf(trx, reached)
    await passwordLinks(trx, dependencies).sendToAllLater(accounts.map(({ id }) => id))
    const before = new Set(wanted.filter(({ account }) => account?.own).map(({ id }) => id))
    const resent = reached.filter((id) => before.has(id)).length
    const result = { sent: reached.length - resent, resent, skipped }
    await audit(trx).record({
      actor: person.id,
      actedAs: actsAsOffice(person),
      action: 'students.password-links-sent',
      payload: { meant, sent: result.sent, resent, skipped: skipped.length },
    })
    return { result, shift }
  })
}

/** These students with their data as it is now, which stays until the transaction ends: it decides their roles. */
async function lockedAsNow(trx: Transaction<DB>, students: readonly Student[]): Promise<Student[]> {
  const rows = await trx
    .selectFrom('register_item')
    .select(['id', 'data'])
    .where('id', '=', sql<string>`any(${students.map(({ id }) => id)}::uuid[])`)
    .orderBy('id')
    .forShare()
    .execute()
  const data = new Map(rows.map((row) => [row.id, row.data]))
  return students.map((student) => ({ ...student, data: data.get(student.id) ?? student.data }))
}

/** A field of a student's entry as text. */
function field(name: string) {
  return sql<string>`register_item.data->>${sql.lit(name)}`
}

/** Whether the student's programme says which role they get: it has a degree with a stage. */
const hasStage = sql<boolean>`coalesce(${field('programme')} in (select p.id::text from register_item p
  join register_item d on d.id = (p.data->>'degree')::uuid
  where p.register = 'setup/degree-program' and d.data->>'stage' is not null), false)`

/**
 * The state of a student's link, by their account or the one that has their address. Nobody takes over an account with a
 * confirmed address or a right of its own, and nobody becomes an undergraduate because their stage is unknown.
 */
const linkOf = sql<Link>`(
  case
    when register_item.status <> all(${REACHED}::text[]) then 'not-active'
    when not coalesce(own.active, other.active, true) then 'account-closed'
    when own.id is not null then case when own.password_hash is null then 'again' else 'has-password' end
    when other.email_confirmed_at is null and exists (select from role_grant g where g.account_id = other.id
      and g.role <> 'Temporary Employee' and (g.ends_at is null or g.ends_at > now())) then 'address-in-use'
    when other.email_confirmed_at is not null and other.password_hash is not null then 'has-password'
    when other.email_confirmed_at is not null and other.record_id is not null then 'address-in-use'
    when ${hasStage} then 'first'
    else 'no-programme'
  end)`
