import { type Kysely, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { audit } from '../audit/audit.ts'
import type { DB } from '../db/database.generated.ts'
import { containing } from '../like.ts'
import { oneTimeTokens } from './one-time-tokens.ts'
import { type LinkDependencies, passwordLinks } from './password-links.ts'
import type { Person } from './person.ts'
import { sessions } from './sessions.ts'

const REGISTER = 'platform/student'
const ROLE = 'Undergraduate Student'
/** The permission group whose holders look after students. */
export const STUDENT_OFFICE = 'AllStudents'
const STANDING = 'active'
/** Accounts made with one statement. */
const PORTION = 500

/** Which students are meant: these, or all that fit every one of the conditions. */
export type Meant =
  | { items: string[] }
  | {
      filter: {
        search?: string
        status?: string
        faculty?: string
        department?: string
        programme?: string
        intake?: string
        year?: number
      }
    }

/** Why somebody is sent nothing. */
export type SkipReason = 'not-found' | 'not-active' | 'has-password' | 'account-closed' | 'address-in-use'

/** What became of it. `resent` had been sent one before and had not used it. */
export interface LinksSent {
  sent: number
  resent: number
  skipped: { id: string; reason: SkipReason }[]
}

interface Student {
  id: string
  status: string
  email: string
  reg_no: string
  full_name: string
  faculty: string
  account: {
    id: string
    own: boolean
    free: boolean
    active: boolean
    confirmed: boolean
    self_made: boolean
    has_password: boolean
  } | null
}

/** Accounts of students, which the office makes for them; the password is theirs, by a mailed link. */
export function studentAccounts({ db, ...letters }: LinkDependencies & { db: Kysely<DB> }) {
  /** The students meant that this person looks after, with the account that they have or whose address is theirs. */
  async function find(trx: Transaction<DB>, person: Person, meant: Meant): Promise<Student[]> {
    const office = await trx
      .selectFrom('permission_group')
      .select('roles')
      .where('name', '=', STUDENT_OFFICE)
      .executeTakeFirst()
    const held = person.grants.filter(({ role }) => office?.roles.includes(role))
    const everywhere = person.seesAll || held.some(({ scopeKind }) => scopeKind === null)
    const field = (name: string) => sql<string>`register_item.data->>${sql.lit(name)}`
    return (
      (await trx
        .selectFrom('register_item')
        .leftJoin('account', (join) =>
          join.on((eb) =>
            eb.or([
              eb('account.record_id', '=', eb.ref('register_item.id')),
              eb('account.email', '=', sql<string>`(${field('email')})::citext`),
            ]),
          ),
        )
        // An account of their own before one that only has the address.
        .distinctOn('register_item.id')
        .select(['register_item.id', 'status'])
        .select([
          field('email').as('email'),
          field('reg_no').as('reg_no'),
          field('full_name').as('full_name'),
          field('faculty').as('faculty'),
          sql`case when account.id is not null then json_build_object('id', account.id,
          'own', coalesce(record_id = register_item.id, false), 'free', record_id is null, 'active', active,
          'confirmed', email_confirmed_at is not null,
          'self_made', not exists (select from role_grant g where g.account_id = account.id
            and g.role <> 'Temporary Employee' and (g.ends_at is null or g.ends_at > now())),
          'has_password', password_hash is not null) end`.as('account'),
        ])
        .where('register', '=', REGISTER)
        .where((eb) => {
          const conditions = []
          if ('items' in meant) conditions.push(eb('register_item.id', 'in', meant.items))
          else {
            const { search, status, ...fields } = meant.filter
            if (status !== undefined) conditions.push(eb('status', '=', status))
            if (search !== undefined)
              conditions.push(
                eb.or([
                  eb('register_item.title', 'ilike', containing(search)),
                  eb(field('reg_no'), 'ilike', containing(search)),
                ]),
              )
            for (const [name, value] of Object.entries(fields)) conditions.push(eb(field(name), '=', String(value)))
          }
          if (!everywhere)
            conditions.push(
              eb.or(
                held
                  .filter(({ scopeKind }) => scopeKind === 'faculty' || scopeKind === 'department')
                  .map(({ scopeKind, scopeId }) => eb(field(scopeKind!), '=', scopeId!)),
              ),
            )
          return eb.and(conditions)
        })
        .orderBy('register_item.id')
        .orderBy(sql`account.record_id = register_item.id desc nulls last`)
        .execute()) as Student[]
    )
  }

  function skipReason({ status, account }: Student): SkipReason | undefined {
    if (status !== STANDING) return 'not-active'
    if (!account) return undefined
    if (!account.active) return 'account-closed'
    if (!account.own && !account.confirmed) return account.self_made ? undefined : 'address-in-use'
    if (account.has_password) return 'has-password'
    return account.own || account.free ? undefined : 'address-in-use'
  }

  /** New accounts; the ids of the students who have one now. */
  async function make(trx: Transaction<DB>, students: readonly Student[], by: string): Promise<Set<string>> {
    if (students.length === 0) return new Set()
    const taken = await trx
      .selectFrom('account')
      .select('username')
      .where(
        'username',
        'in',
        students.map(({ reg_no }) => reg_no),
      )
      .execute()
    const usernames = new Set(taken.map(({ username }) => username.toLowerCase()))
    const made = await trx
      .insertInto('account')
      .values(
        students.map(({ id, reg_no, email, full_name }) => ({
          id: uuid(),
          username: usernames.has(reg_no.toLowerCase()) ? email : reg_no,
          email,
          name: full_name,
          record_id: id,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'record_id', 'username', 'email'])
      .execute()
    await audit(trx).recordAll(
      made.map(({ id, record_id, username, email }) => ({
        actor: by,
        action: 'account.made',
        object: `account:${id}`,
        payload: { username, email, record: record_id },
      })),
    )
    return new Set(made.map(({ record_id }) => record_id!))
  }

  /**
   * An account that somebody made with the student's address. If the address was never confirmed, it need not have been
   * the student: whatever password it has is void, and so is the right to set one; its sessions end. Accounts that others gave a role to are left
   * alone, so that nobody is put out by a student with their address.
   */
  async function takeOver(trx: Transaction<DB>, { id, account }: Student, by: string): Promise<void> {
    const { id: accountId, confirmed } = account!
    await trx
      .updateTable('account')
      .set({ record_id: id, ...(confirmed ? {} : { password_hash: null }) })
      .where('id', '=', accountId)
      .execute()
    if (!confirmed) {
      await oneTimeTokens(trx).revoke(accountId, 'set-password')
      await sessions(db).end(trx, accountId, { by, reason: 'the address was never confirmed' })
    }
    await audit(trx).record({
      actor: by,
      action: 'account.linked',
      object: `account:${accountId}`,
      payload: { record: id },
    })
  }

  /** Whoever has an account as a student holds the role of one at their faculty. */
  async function grant(trx: Transaction<DB>, students: readonly string[], by: string): Promise<void> {
    await sql`
      insert into role_grant (id, account_id, role, scope_kind, scope_id, granted_by, reason)
      select gen_random_uuid(), a.id, ${ROLE}, 'faculty', i.data->>'faculty', ${by}, 'student register'
      from account a join register_item i on i.id = a.record_id
      where i.id = any(${students}::uuid[]) and a.id <> ${by} and not exists (select from role_grant g
        where g.account_id = a.id and g.role = ${ROLE} and (g.ends_at is null or g.ends_at > now()))`.execute(trx)
  }

  return {
    /** Mails a link to everybody meant who has no password yet, and makes accounts where there are none. */
    async sendLinks(person: Person, meant: Meant): Promise<LinksSent> {
      return db.transaction().execute(async (trx) => {
        const found = await find(trx, person, meant)
        const known = new Set(found.map(({ id }) => id))
        const missing = 'items' in meant ? [...new Set(meant.items)].filter((id) => !known.has(id)) : []
        const skipped: LinksSent['skipped'] = missing.map((id) => ({ id, reason: 'not-found' }))
        const wanted: Student[] = []
        for (const student of found) {
          const reason = skipReason(student)
          if (reason) skipped.push({ id: student.id, reason })
          else wanted.push(student)
        }
        const fresh = wanted.filter(({ account }) => account === null)
        const reached = wanted.filter(({ account }) => account !== null).map(({ id }) => id)
        for (const student of wanted.filter(({ account }) => account && !account.own))
          await takeOver(trx, student, person.id)
        for (let at = 0; at < fresh.length; at += PORTION) {
          const portion = fresh.slice(at, at + PORTION)
          const made = await make(trx, portion, person.id)
          for (const { id } of portion)
            if (made.has(id)) reached.push(id)
            else skipped.push({ id, reason: 'address-in-use' })
        }
        await grant(trx, reached, person.id)
        const accounts = await trx
          .selectFrom('account')
          .select(['id', 'record_id'])
          .where('record_id', 'in', reached.length > 0 ? reached : [uuid()])
          .execute()
        await passwordLinks(trx, letters).sendToAllLater(accounts.map(({ id }) => id))
        const before = new Set(wanted.filter(({ account }) => account?.own).map(({ id }) => id))
        const resent = reached.filter((id) => before.has(id)).length
        const result = { sent: reached.length - resent, resent, skipped }
        await audit(trx).record({
          actor: person.id,
          action: 'students.password-links-sent',
          payload: { meant, sent: result.sent, resent, skipped: skipped.length },
        })
        return result
      })
    },
  }
}
