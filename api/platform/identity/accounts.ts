import { type Kysely, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { DB } from '../db/database.generated.ts'
import { BusinessError } from '../errors.ts'
import { hashPassword } from './password.ts'
import { type Grant, type Person, personOf } from './person.ts'

export interface NewAccount {
  id?: string
  username: string
  name: string
  email: string
  post?: string | null
  password?: string
  /** In place of the password, where it has been hashed already. */
  passwordHash?: string
}

/** A grant to give: where it holds and from when to when; without dates from now on. */
export interface NewGrant {
  role: string
  scope?: { kind: string; id: string } | null
  startsAt?: Date
  endsAt?: Date | null
}

/** Accounts and what they may act as. */
export function accounts(trx: Kysely<DB> | Transaction<DB>) {
  async function grantsOf(id: string): Promise<Grant[]> {
    return trx
      .selectFrom('role_grant')
      .select(['role', 'scope_kind as scopeKind', 'scope_id as scopeId'])
      .where('account_id', '=', id)
      .where('starts_at', '<=', sql<Date>`now()`)
      .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', sql<Date>`now()`)]))
      .orderBy('role')
      .orderBy('scope_id')
      .execute()
  }

  async function findPerson(id: string): Promise<Person | undefined> {
    const account = await trx
      .selectFrom('account')
      .select(['id', 'username', 'name', 'email', 'post'])
      .where('id', '=', id)
      .where('active', '=', true)
      .executeTakeFirst()
    return account && personOf(account, await grantsOf(id))
  }

  return {
    /** The active person of an account, with the grants in force now. */
    findPerson,

    async getPerson(id: string): Promise<Person> {
      const person = await findPerson(id)
      if (!person) throw new BusinessError('platform.not-found')
      return person
    },

    /** The titles of the units that grants are scoped to, by id. */
    async unitTitles(grants: readonly Grant[]): Promise<ReadonlyMap<string, string>> {
      const units = grants.flatMap(({ scopeId }) => (scopeId === null ? [] : [scopeId]))
      if (units.length === 0) return new Map()
      const id = sql<string>`id::text`
      const rows = await trx
        .selectFrom('register_item')
        .select([id.as('id'), 'title'])
        .where(id, 'in', units)
        .execute()
      return new Map(rows.map((row) => [row.id, row.title]))
    },

    /** For sign-in alone: the hash goes nowhere else. */
    findForSignIn(username: string) {
      return trx
        .selectFrom('account')
        .select(['id', 'password_hash'])
        .where((eb) => eb.or([eb('username', '=', username), eb('email', '=', username)]))
        .where('active', '=', true)
        .executeTakeFirst()
    },

    /** Makes an account; a taken username or address is a business error. */
    async create({ id = uuid(), password, passwordHash, post, ...account }: NewAccount): Promise<string> {
      const hash = password === undefined ? (passwordHash ?? null) : await hashPassword(password)
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('account')
        .values({ id, ...account, post: post ?? null, password_hash: hash })
        .onConflict((oc) => oc.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows !== 1n) throw new BusinessError('platform.account-taken')
      return id
    },

    async grant(accountId: string, { role, scope, startsAt, endsAt }: NewGrant): Promise<void> {
      await trx
        .insertInto('role_grant')
        .values({
          id: uuid(),
          account_id: accountId,
          role,
          scope_kind: scope?.kind ?? null,
          scope_id: scope?.id ?? null,
          ends_at: endsAt ?? null,
          ...(startsAt ? { starts_at: startsAt } : {}),
        })
        .execute()
    },
  }
}

/** The principals of an account at this moment. */
export async function principalsOf(db: Kysely<DB>, accountId: string): Promise<string[]> {
  return (await accounts(db).findPerson(accountId))?.principals ?? []
}
