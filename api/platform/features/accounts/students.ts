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
/** What an account says against a mail. */
export const UNREACHED = ['not-active', 'has-password', 'account-closed', 'address-in-use'] as const
export const SKIPPED = [...UNREACHED, 'no-programme'] as const
export type SkipReason = (typeof SKIPPED)[number]

/** The state of a link by the account: first, repeated, or the reason why there is none. */
type Link = 'first' | 'again' | (typeof UNREACHED)[number]

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
  link: Link | 'no-programme'
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

const withoutPassword = sql<boolean>`not exists (select from account a
  where a.record_id = register_item.id and a.password_hash is not null)`

/** The selected students that this person looks after. */
async function matching(trx: Transaction<DB>, person: Person, meant: StudentSelection) {
  const grantsOf = (group: string) => grantsMeant(person, GROUP + group)
  const held = STUDENT_OFFICES.flatMap(grantsOf)
  // The IT unit looks after the accounts of all, wherever its people are appointed.
  const everywhere = person.seesAll || grantsOf(IT_UNIT).length > 0 || held.some(({ scopeKind }) => scopeKind === null)
  return trx
    .selectFrom('register_item')
    .where('register', '=', REGISTER)
    .where((eb) => {
      const conditions = []
      if ('items' in meant) conditions.push(eb('register_item.id', 'in', meant.items))
      else {
        const { search, status, link, ...fields } = meant.filter
        if (status !== undefined) conditions.push(eb('status', '=', status))
        if (link === 'without-password') conditions.push(eb('status', 'in', REACHED), withoutPassword)
        else if (link !== undefined) conditions.push(eb(linkOf, '=', link))
        if (search !== undefined)
          conditions.push(
            eb.or([
              eb('register_item.title', 'ilike', containing(search)),
              eb(field('reg_no'), 'ilike', containing(search)),
            ]),
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
}

/** The selected students, with their account or the account that uses their address. */
async function findStudents(
  trx: Transaction<DB>,
  person: Person,
  meant: StudentSelection,
): Promise<(Student & { link: Link })[]> {
  return (
    (await matching(trx, person, meant))
      .leftJoin('account', (join) =>
        join.on((eb) =>
          eb.or([
            eb('account.record_id', '=', eb.ref('register_item.id')),
            eb('account.email', '=', sql<string>`(${field('email')})::citext`),
          ]),
        ),
      )
      // Prefer the student's own account to one that only has the address.
      .distinctOn('register_item.id')
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
        sql<Student['account']>`case when account.id is not null then json_build_object('id', account.id,
          'own', coalesce(record_id = register_item.id, false),
          'confirmed', email_confirmed_at is not null) end`.as('account'),
      ])
      .orderBy('register_item.id')
      .orderBy(sql`account.record_id = register_item.id desc nulls last`)
      .execute()
  )
}

function rowOf(student: Student & { link: Link }, role: string | undefined): StudentRow {
  const { id, full_name: name, reg_no: regNo, faculty, department, intake, year, status } = student
  return { id, name, regNo, faculty, department, intake, year, status, link: linkFor(student, role) }
}

/** Nobody becomes an undergraduate because their level is unknown; who has an account of their own has had their role. */
const linkFor = ({ link }: { link: Link }, role: string | undefined) =>
  link === 'first' && role === undefined ? 'no-programme' : link

/** Students by name, each with the state of their link. */
export async function listStudents(
  { db, library }: AccessDependencies,
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
    const roles = await rolesOfStudents(trx, library, found)
    const ids = [
      ...new Set(found.flatMap(({ faculty, department, intake }) => [faculty, department ?? faculty, intake])),
    ]
    const named = await trx
      .selectFrom('register_item')
      .select(['id', 'title'])
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute()
    return {
      items: shown.map((one) => rowOf(known(byId.get(one.id), 'a student of the page'), roles.get(one.id))),
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
    const roles = await rolesOfStudents(trx, dependencies.library, found)
    for (const student of found) {
      const state = linkFor(student, roles.get(student.id))
      const reason = SKIPPED.find((one) => one === state)
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
    const shift = await grantStudent(
      trx,
      wanted.filter(({ id }) => given.has(id) && roles.has(id)),
      roles,
      person,
    )
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

/** A field of a student's entry as text. */
function field(name: string) {
  return sql<string>`register_item.data->>${sql.lit(name)}`
}

/**
 * The state of a student's link, by their account or the one that has their address. Nobody takes over an account with a
 * confirmed address or a right of its own.
 */
const linkOf = sql<Link>`(
  select case
    when register_item.status <> all(${REACHED}::text[]) then 'not-active'
    when a.id is null then 'first'
    when not a.active then 'account-closed'
    when a.record_id is distinct from register_item.id and a.email_confirmed_at is null then
      case when exists (select from role_grant g where g.account_id = a.id
        and g.role <> 'Temporary Employee' and (g.ends_at is null or g.ends_at > now())) then 'address-in-use' else 'first' end
    when a.password_hash is not null then 'has-password'
    when a.record_id = register_item.id then 'again'
    when a.record_id is null then 'first'
    else 'address-in-use'
  end
  from (values (true)) always left join lateral (
    select * from account where record_id = register_item.id or email = (${field('email')})::citext
    order by record_id = register_item.id desc nulls last limit 1) a on true)`
