import { type Kysely, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { translateViolations } from '../access/refusals.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type MailDependencies, mail } from '../../records/mail/mail.ts'
import { othersHolding } from '../../records/mail/recipients.ts'
import { type Person, SEES_ALL } from '../persons/person.ts'
import { throttle } from './throttle.ts'

/** A requested name that is not decided yet. */
export interface NameChange {
  id: string
  name: string
  askedAt: string
}

/** Audit actions of the decisions. */
const decided = {
  confirmed: 'account.name-confirmed',
  refused: 'account.name-refused',
  withdrawn: 'account.name-withdrawn',
} as const

const MAIL = { confirmed: 'platform.mail.name-confirmed', refused: 'platform.mail.name-refused' } as const

/** Messages for what the database itself rejects: a concurrent request. */
const askedTwice = { name_change_one_open: () => new BusinessError('platform.name-waits') }

/*
 * Names of people. A register entry supplies the name, if there is one. Other people request a change, which takes
 * effect once another person confirms it. Callers check the right to decide.
 */

/** Decides the waiting request with this id; returns the requested name. */
async function settleName(
  trx: Transaction<DB>,
  account: string,
  id: string,
  { state, by, actedAs, reason }: { state: keyof typeof decided; by: string; actedAs: string | null; reason?: string },
): Promise<string> {
  const change = await trx
    .selectFrom('name_change')
    .select(['name', 'state'])
    .where('id', '=', id)
    .where('account_id', '=', account)
    .forUpdate()
    .executeTakeFirst()
  if (!change) throw new BusinessError('platform.not-found')
  if (change.state !== 'waiting') throw new BusinessError('platform.name-decided')
  await trx
    .updateTable('name_change')
    .set({ state, decided_by: by, decided_at: sql`now()`, reason: reason ?? null })
    .where('id', '=', id)
    .execute()
  await audit(trx).record({
    actor: by,
    actedAs,
    action: decided[state],
    object: `account:${account}`,
    // Only an accepted name is sealed as the account's name.
    payload: {
      change: id,
      ...(state === 'confirmed' ? { now: { name: change.name } } : { wanted: change.name }),
      ...(reason !== undefined && { reason }),
    },
  })
  return change.name
}

/** Requests another name, and mails the administrators. */
export async function askForName(
  trx: Transaction<DB>,
  letters: MailDependencies,
  person: Person,
  wanted: string,
): Promise<NameChange> {
  const name = wanted.trim()
  const entry = await trx
    .selectFrom('account')
    .select('record_id')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  const wrong = (code: string) => new BusinessError(code, {}, [{ field: '/name', code }])
  if (entry.record_id !== null) throw wrong('platform.name-of-register')
  if (name === '' || name === person.name)
    throw new BusinessError('platform.form-invalid', {}, [{ field: '/name', code: 'platform.field-required' }])
  const counted = [{ kind: 'mail', of: person.id } as const]
  if ((await throttle(trx).level(counted)) > 0) throw new BusinessError('platform.too-many-requests')
  await throttle(trx).note(counted)
  const id = uuid()
  const { asked_at } = await translateViolations(
    () =>
      trx
        .insertInto('name_change')
        .values({ id, account_id: person.id, name })
        .returning('asked_at')
        .executeTakeFirstOrThrow(),
    askedTwice,
  )
  await audit(trx).record({
    actor: person.id,
    action: 'account.name-asked',
    object: `account:${person.id}`,
    payload: { change: id, wanted: name },
  })
  const to = await othersHolding(trx, SEES_ALL, person.id)
  const values = { by: person.name, wanted: name }
  await mail(trx, letters).send({ to, template: 'platform.mail.name-asked', values, page: `/people/${person.id}` })
  return { id, name, askedAt: asked_at.toISOString() }
}

/** Withdraws one's own request. */
export async function withdrawName(trx: Transaction<DB>, person: Person, id: string): Promise<void> {
  await settleName(trx, person.id, id, { state: 'withdrawn', by: person.id, actedAs: null })
}

/** Confirms or refuses a name for another person; a confirmed name takes effect now. The person is notified. */
export async function answerName(
  trx: Transaction<DB>,
  letters: MailDependencies,
  person: Person,
  {
    account,
    id,
    accept,
    reason,
    actedAs,
  }: { account: string; id: string; accept: boolean; reason: string; actedAs: string | null },
): Promise<void> {
  if (account === person.id) throw new BusinessError('platform.own-name')
  const state = accept ? 'confirmed' : 'refused'
  const name = await settleName(trx, account, id, { state, by: person.id, actedAs, reason: reason.trim() })
  if (accept)
    // A register entry that was added meanwhile supplies the name.
    await translateViolations(
      () =>
        trx
          .updateTable('account')
          .set({ name, version: sql`version + 1`, changed_at: sql`now()` })
          .where('id', '=', account)
          .execute(),
      { name_of_register: () => new BusinessError('platform.name-of-register') },
    )
  const values = { wanted: name, note: reason.trim() }
  await mail(trx, letters).send({ to: `user:${account}`, template: MAIL[state], values, page: '/myprofile' })
}

/** A person's undecided name request. */
export async function waitingName(db: Kysely<DB>, account: string): Promise<NameChange | null> {
  const row = await db
    .selectFrom('name_change')
    .select(['id', 'name', 'asked_at'])
    .where('account_id', '=', account)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return row ? { id: row.id, name: row.name, askedAt: row.asked_at.toISOString() } : null
}
