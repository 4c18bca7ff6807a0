import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { audit } from '../audit/audit.ts'
import type { DB } from '../db/database.generated.ts'
import { BusinessError } from '../errors.ts'
import { accounts } from './accounts.ts'
import { verifyPassword } from './password.ts'
import type { Person } from './person.ts'

/** How long a session lasts from sign-in, however often it is refreshed. */
const SESSION_SECONDS = 86_400
/**
 * How long after its use a token may come once more, in milliseconds: from a second tab, or because the answer with
 * the next one was lost. That is no sign of a copy, and costs nobody the session.
 */
const AGAIN_WITHIN = 10_000

/** What a sign-in or a refresh gives. */
export interface Session {
  person: Person
  /** The refresh family; access tokens name it, so that they end with it. */
  family: string
  refreshToken: string
  /** Seconds until the session is over. */
  expiresIn: number
}

/**
 * Sessions by rotating refresh tokens. A token is good for one use; if it comes again later, somebody copied it, and the
 * whole family ends. Only hashes are stored. All refusals are alike.
 */
export function sessions(db: Kysely<DB>) {
  async function issue(trx: Transaction<DB>, account: string, family: string, expiresAt: Date): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    await trx
      .insertInto('refresh_token')
      .values({ id: uuid(), family, account_id: account, hash: hashOf(token), expires_at: expiresAt })
      .execute()
    return token
  }

  async function end(trx: Transaction<DB>, family: string): Promise<void> {
    await trx
      .updateTable('refresh_token')
      .set({ revoked_at: sql`now()` })
      .where('family', '=', family)
      .where('revoked_at', 'is', null)
      .execute()
  }

  return {
    /** Opens a session; `username` may be the e-mail address too. */
    async signIn(username: string, password: string): Promise<Session> {
      const account = await accounts(db).findForSignIn(username)
      if (!(await verifyPassword(password, account?.password_hash)) || !account)
        throw new BusinessError('platform.sign-in-refused')
      return db.transaction().execute(async (trx) => {
        const family = uuid()
        const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000)
        const refreshToken = await issue(trx, account.id, family, expiresAt)
        await audit(trx).record({
          actor: account.id,
          action: 'session.opened',
          object: `session:${family}`,
          payload: {},
        })
        return { person: await accounts(trx).getPerson(account.id), family, refreshToken, expiresIn: SESSION_SECONDS }
      })
    },

    /** Trades a refresh token for the next one of its family. */
    async refresh(token: string): Promise<Session> {
      const session = await db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('refresh_token')
          .selectAll()
          .where('hash', '=', hashOf(token))
          .forUpdate()
          .executeTakeFirst()
        if (!row || row.revoked_at || row.expires_at.getTime() <= Date.now()) return undefined
        if (row.used_at && Date.now() - row.used_at.getTime() > AGAIN_WITHIN) {
          await end(trx, row.family)
          const payload = { reason: 'a refresh token was used twice' }
          await audit(trx).record({
            actor: row.account_id,
            action: 'session.ended',
            object: `session:${row.family}`,
            payload,
          })
          return undefined
        }
        const person = await accounts(trx).findPerson(row.account_id)
        if (!person) return undefined
        await trx
          .updateTable('refresh_token')
          .set({ used_at: row.used_at ?? sql`now()` })
          .where('id', '=', row.id)
          .execute()
        const refreshToken = await issue(trx, person.id, row.family, row.expires_at)
        const expiresIn = Math.floor((row.expires_at.getTime() - Date.now()) / 1000)
        return { person, family: row.family, refreshToken, expiresIn }
      })
      // Thrown after the commit: the end of a copied family must stand.
      if (!session) throw new BusinessError('platform.session-ended')
      return session
    },

    /** Ends the session that a refresh token belongs to; an unknown token changes nothing. */
    async signOut(token: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('refresh_token')
          .select(['family', 'account_id'])
          .where('hash', '=', hashOf(token))
          .executeTakeFirst()
        if (!row) return
        await end(trx, row.family)
        const payload = { reason: 'signed out' }
        await audit(trx).record({
          actor: row.account_id,
          action: 'session.ended',
          object: `session:${row.family}`,
          payload,
        })
      })
    },

    /** Whether the session that an access token names still stands. */
    async stands(family: string): Promise<boolean> {
      const row = await db
        .selectFrom('refresh_token')
        .select('id')
        .where('family', '=', family)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', sql<Date>`now()`)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
