import { type Kysely, type Transaction, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import { formats } from '../../kernel/formats.ts'
import type { Grant } from '../persons/person.ts'
import { expectGoodPassword, hashPassword, verifyPassword } from './password.ts'
import { endSessions } from './sessions.ts'

/** Preferences of people. */
export interface Choices {
  language?: Language
  mails?: { tasks?: boolean; cases?: boolean; newTasks?: boolean; digest?: boolean }
}

/* A person's own account: what only they read or decide. */

async function change(
  trx: Transaction<DB>,
  accountId: string,
  set: { name?: string; [column: string]: unknown },
  changed: string[],
): Promise<void> {
  await trx
    .updateTable('account')
    .set({ ...set, version: sql`version + 1`, changed_at: sql`now()` })
    .where('id', '=', accountId)
    .execute()
  await audit(trx).record({
    actor: accountId,
    action: 'account.changed',
    object: `account:${accountId}`,
    // The name is sealed, for later comparison with the account.
    payload: { by: 'its owner', changed, ...(set.name !== undefined && { now: { name: set.name } }) },
  })
}

/** Throws if the password is wrong; used before changes that could take an account from its owner. */
export async function expectPassword(
  db: Kysely<DB>,
  accountId: string,
  password: string,
  field = '/password',
): Promise<void> {
  const { password_hash } = await db
    .selectFrom('account')
    .select('password_hash')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (!(await verifyPassword(password, password_hash)))
    throw new BusinessError('platform.form-invalid', {}, [{ field, code: 'platform.password-wrong' }])
}

export async function readOwnAccount(db: Kysely<DB>, accountId: string) {
  return db
    .selectFrom('account')
    .leftJoin('register_item', 'register_item.id', 'account.record_id')
    .select(['language', 'photo_id', 'email_confirmed_at', 'password_changed_at'])
    .select(['mail_tasks', 'mail_cases', 'mail_new_tasks', 'mail_digest'])
    .select(['record_id', 'registered', 'register_item.register', 'register_item.title'])
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow()
}

/** The kinds of unit that a faculty has. */
const PLACES = ['faculty', 'department', 'unit']

/** The faculty of a person, by their grants and their own entry; null if there is none, or several. */
export async function facultyOf(
  db: Kysely<DB>,
  grants: readonly Grant[],
  recordId: string | null,
): Promise<{ id: string; name: string; theme: string | null } | null> {
  const places = grants.flatMap(({ scopeKind, scopeId }) =>
    // A grant from an identity server may name a place that is not in the registers.
    scopeKind !== null && scopeId !== null && PLACES.includes(scopeKind) && formats.uuid.test(scopeId) ? [scopeId] : [],
  )
  const ids = recordId === null ? places : [...places, recordId]
  if (ids.length === 0) return null
  const { rows } = await sql<{ id: string; name: string; theme: string | null }>`
        with recursive place(id) as (
          select unnest(${ids}::uuid[])
          union
          select above.id::uuid
          from place join app.register_item i on i.id = place.id,
            lateral (values (i.data ->> 'faculty'), (i.data ->> 'department'), (i.data ->> 'unit')) as above (id)
          where above.id is not null
        )
        select i.id, i.title as name, i.data ->> 'theme' as theme
        from place join app.register_item i on i.id = place.id
        where i.register = 'platform/faculty'
        limit 2`.execute(db)
  const [faculty, ...others] = rows
  return faculty && others.length === 0 ? faculty : null
}

export async function choosePreferences(
  db: Kysely<DB>,
  accountId: string,
  { language, mails }: Choices,
): Promise<void> {
  const set = {
    ...(language === undefined ? {} : { language }),
    ...(mails?.tasks === undefined ? {} : { mail_tasks: mails.tasks }),
    ...(mails?.cases === undefined ? {} : { mail_cases: mails.cases }),
    ...(mails?.newTasks === undefined ? {} : { mail_new_tasks: mails.newTasks }),
    ...(mails?.digest === undefined ? {} : { mail_digest: mails.digest }),
  }
  const changed = Object.keys(set)
  if (changed.length > 0) await db.transaction().execute((trx) => change(trx, accountId, set, changed))
}

/** The photo is a picture that the person uploaded, or none. */
export async function choosePhoto(db: Kysely<DB>, accountId: string, fileId: string | null): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (fileId !== null) {
      const file = await trx
        .selectFrom('file')
        .select('id')
        .where('id', '=', fileId)
        .where('owner_id', '=', accountId)
        .where('width', 'is not', null)
        .executeTakeFirst()
      if (!file)
        throw new BusinessError('platform.form-invalid', {}, [{ field: '/file', code: 'platform.photo-no-picture' }])
    }
    await change(trx, accountId, { photo_id: fileId }, ['photo'])
  })
}

/** Changes the password and ends all other sessions, so that people who knew the old one lose access. */
export async function changeOwnPassword(
  db: Kysely<DB>,
  { id, username, name, email }: { id: string; username: string; name: string; email: string },
  { current, password, session }: { current: string; password: string; session: string },
  tell: (trx: Transaction<DB>) => Promise<void>,
): Promise<void> {
  await expectPassword(db, id, current, '/current')
  expectGoodPassword(password, [username, name, email])
  const password_hash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    await change(trx, id, { password_hash, password_changed_at: sql`now()` }, ['password'])
    await endSessions(trx, id, { except: session, by: id, reason: 'the password was changed' })
    await tell(trx)
  })
}
