import { type Kysely, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { v7 as uuid } from 'uuid'
import { addGrants } from '../access/grant-rows.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { hashPassword } from './password.ts'
import { type Grant, type Person, SEES_ALL, type Stead, personOf, principalsForSubstitute } from '../persons/person.ts'

/** A username cannot contain `@`: it could be somebody else's address. */
const USERNAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._/-]{2,59}$/u

/** Whether a text is a valid username. */
export function isUsername(name: string): boolean {
  return USERNAME.test(plainName(name))
}

/** A name as it is stored, in one Unicode normal form. */
export function plainName(name: string): string {
  return name.normalize('NFKC').trim()
}

/** A name as it is looked up and counted, whatever its case and spaces. */
export function tidyName(name: string): string {
  return plainName(name).toLowerCase()
}

export interface NewAccount {
  id?: string
  username: string
  name: string
  email: string
  post?: string | null
  password?: string
  /** Instead of the password, if it is already hashed. */
  passwordHash?: string
}

/** A grant to give: its scope and dates; without dates it begins now. */
export interface NewGrant {
  role: string
  scope?: { kind: string; id: string } | null
  startsAt?: Date | null
  endsAt?: Date | null
}

interface PersonRow {
  /** Index of the request that the row answers. */
  n: string | number
  id: string
  username: string
  name: string
  email: string
  post: string | null
  grants: Grant[]
  groups: Record<string, string[]>
  stands_in: (Pick<Stead, 'id' | 'absent' | 'flows'> & { amountLimit: string | null; grants: Grant[] })[]
}

/** The present grants of an account, as JSON. */
function grantsOf(account: RawBuilder<unknown>) {
  return sql`(select coalesce(json_agg(json_build_object('role', role, 'scopeKind', scope_kind, 'scopeId', scope_id)), '[]')
    from role_grant where account_id = ${account} and starts_at <= now() and (ends_at is null or ends_at > now()))`
}

/** Persons with their grants in one statement, because every request needs it. */
function personsIn(asked: RawBuilder<unknown>) {
  return sql<PersonRow>`
    select asked.n, account.id, username, name, email, post_of(account.id, post) as post, grants,
      (select coalesce(json_object_agg(g.name, array(select unnest(g.roles) intersect select unnest(held.roles))), '{}')
        from permission_group g where held.sees_all or g.roles && held.roles) as groups,
      (select coalesce(json_agg(json_build_object('id', s.id, 'absent', json_build_object('id', w.id, 'name', w.name),
          'flows', s.flows, 'amountLimit', s.amount_limit::text, 'grants', ${grantsOf(sql`w.id`)}) order by s.id), '[]')
        from substitution s join account w on w.id = s.absent_id and w.active
        where s.substitute_id = account.id and s.state = 'accepted'
          and s.starts_at <= now() and s.ends_at > now()) as stands_in
    from (${asked}) asked join account on account.id = asked.id and active,
      lateral (
        select coalesce(json_agg(json_build_object('role', role, 'scopeKind', scope_kind, 'scopeId', scope_id)
            order by role, scope_id), '[]') as grants,
          array_agg(role) as roles, bool_or(role = any(${SEES_ALL}) and scope_kind is null) as sees_all
        from role_grant
        where account_id = account.id and starts_at <= now() and (ends_at is null or ends_at > now())
      ) held`
}

function personIn(row: PersonRow): Person {
  const standsIn = row.stands_in.map(({ id, absent, flows, amountLimit, grants }): Stead => ({
    id,
    absent,
    principals: principalsForSubstitute(grants),
    flows,
    amountLimit: amountLimit === null ? null : BigInt(amountLimit),
  }))
  return personOf(row, row.grants, row.groups, standsIn)
}

/** A request that waits for its person. */
interface Asked {
  id: string
  session: string
  found(person: Person | undefined): void
  failed(error: unknown): void
}

/**
 * The persons of valid sessions, as they are now. Concurrent requests share one prepared statement; single look-ups
 * would be a large part of a busy API's work.
 */
export function personsOfSessions({ db, pool }: { db: Kysely<DB>; pool: pg.Pool }) {
  let waiting: Asked[] = []

  async function answer(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const { sql: text, parameters } = personsIn(sql`
        select n, t.id from unnest(${batch.map(({ id }) => id)}::uuid[], ${batch.map(({ session }) => session)}::uuid[])
          with ordinality as t (id, session, n) join session on session.id = t.session and session.account_id = t.id
        where ended_at is null and expires_at > now()`).compile(db)
      const query = { name: 'persons-of-sessions', text, values: [...parameters] }
      const { rows } = await pool.query<PersonRow>(query)
      const byPlace = new Map(rows.map((row) => [Number(row.n), row]))
      batch.forEach(({ found }, index) => {
        const row = byPlace.get(index + 1)
        found(row && personIn(row))
      })
    } catch (error) {
      for (const { failed } of batch) failed(error)
    }
  }

  return (id: string, session: string): Promise<Person | undefined> =>
    new Promise((found, failed) => {
      if (waiting.length === 0) setImmediate(() => void answer())
      waiting.push({ id, session, found, failed })
    })
}

/* Accounts and their rights. */

/** The active person of an account, with present grants. */
export async function findPerson(trx: Kysely<DB>, id: string): Promise<Person | undefined> {
  const [row] = (await personsIn(sql`select 1 as n, ${id}::uuid as id`).execute(trx)).rows
  return row && personIn(row)
}

/** The person's own register entry. */
export async function findOwnEntry(trx: Kysely<DB>, id: string) {
  return trx
    .selectFrom('register_item as i')
    .innerJoin('account as a', 'a.record_id', 'i.id')
    .select(['i.id', 'i.register', 'i.title', 'i.status', 'i.version', 'i.data'])
    .where('a.id', '=', id)
    .executeTakeFirst()
}

/** The active account of the person whose register entry this is. */
export async function findAccountOfEntry(db: Kysely<DB>, entry: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('record_id', '=', entry)
    .where('active', '=', true)
    .executeTakeFirst()
  return row?.id
}

export async function getPerson(trx: Kysely<DB>, id: string): Promise<Person> {
  const person = await findPerson(trx, id)
  if (!person) throw new BusinessError('platform.not-found')
  return person
}

/** The titles of the units of grants, by id. */
export async function unitTitles(trx: Kysely<DB>, grants: readonly Grant[]): Promise<ReadonlyMap<string, string>> {
  const units = grants.flatMap(({ scopeId }) => (scopeId === null ? [] : [scopeId]))
  if (units.length === 0) return new Map()
  const id = sql<string>`id::text`
  const rows = await trx
    .selectFrom('register_item')
    .select([id.as('id'), 'title'])
    .where(id, 'in', units)
    .execute()
  return new Map(rows.map((row) => [row.id, row.title]))
}

/** For sign-in only: do not pass the hash on. */
export function findForSignIn(trx: Kysely<DB>, name: string) {
  const username = tidyName(name)
  return trx
    .selectFrom('account')
    .select(['id', 'password_hash'])
    .where((eb) => eb.or([eb('username', '=', username), eb('email', '=', username)]))
    .where('active', '=', true)
    .executeTakeFirst()
}

/** Whether somebody, or somebody else, has this username or address: both share one namespace. */
export async function isNameTaken(trx: Kysely<DB>, given: string, except: string | null = null): Promise<boolean> {
  const name = tidyName(given)
  const row = await trx
    .selectFrom('account')
    .select('id')
    .where((eb) => eb.or([eb('username', '=', name), eb('email', '=', name)]))
    .where((eb) => (except === null ? eb.lit(true) : eb('id', '<>', except)))
    .executeTakeFirst()
  return row !== undefined
}

/** Creates an account; throws a business error if the username or address is taken. */
export async function createAccount(
  trx: Kysely<DB>,
  { id = uuid(), username, password, passwordHash, post, ...account }: NewAccount,
): Promise<string> {
  const hash = password === undefined ? (passwordHash ?? null) : await hashPassword(password)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('account')
    .values({
      id,
      username: plainName(username),
      ...account,
      post: post ?? null,
      password_hash: hash,
      ...(hash !== null && { password_changed_at: sql`now()` }),
    })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) throw new BusinessError('platform.account-taken')
  return id
}

/** Gives a role that comes with the account itself: it has no grantor, and needs no reason. */
export async function grantRole(
  trx: Kysely<DB>,
  account: string,
  { role, scope = null, startsAt = null, endsAt = null }: NewGrant,
): Promise<void> {
  const given = { origin: 'person', by: null, reason: null } as const
  await addGrants(trx, [{ account, role, scope, startsAt, endsAt, ...given }])
}

/** The present principals of an account. */
export async function principalsOf(db: Kysely<DB>, accountId: string): Promise<string[]> {
  return (await findPerson(db, accountId))?.principals ?? []
}
