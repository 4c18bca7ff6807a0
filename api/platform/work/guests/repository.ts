import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { bound } from '../../kernel/bound.ts'
import { known } from '../../kernel/known.ts'

/** A case that can be followed without signing in. */
export interface TrackedCase {
  caseId: string
  requesterId: string
  secretHash: Buffer
}

function selectTracked(db: Kysely<DB>) {
  return db
    .selectFrom('case_tracking as t')
    .innerJoin('flow_case as c', 'c.id', 't.case_id')
    .select(['c.id as caseId', 'c.requester_id as requesterId', 't.secret_hash as secretHash'])
}

/** Stores the secret of a guest's case, and the link that confirms it within a day. */
async function addTracking(
  db: Kysely<DB>,
  caseId: string,
  secretHash: Buffer,
  confirmationHash: Buffer,
): Promise<Date> {
  const { confirm_until } = await db
    .insertInto('case_tracking')
    .values({
      case_id: caseId,
      secret_hash: secretHash,
      confirmation_hash: confirmationHash,
      confirm_until: sql`now() + interval '1 day'`,
    })
    .returning('confirm_until')
    .executeTakeFirstOrThrow()
  return known(confirm_until, 'the end of the time for confirming')
}

export async function findTracking(db: Kysely<DB>, caseId: string): Promise<TrackedCase | undefined> {
  return selectTracked(db).where('c.id', '=', caseId).executeTakeFirst()
}

async function findTrackingByReference(db: Kysely<DB>, reference: string): Promise<TrackedCase | undefined> {
  return selectTracked(db).where('c.reference', '=', reference).executeTakeFirst()
}

/** The case with this number, if its requester gets mail at this address. */
async function findTrackingByAddress(db: Kysely<DB>, reference: string, email: string) {
  return selectTracked(db)
    .innerJoin('account as a', 'a.id', 'c.requester_id')
    .select(['c.reference', 'c.flow', 'c.subject', 'a.language'])
    .where('c.reference', '=', reference)
    .where('a.email', '=', email)
    .where('a.active', '=', true)
    .executeTakeFirst()
}

export async function setTrackingSecret(db: Kysely<DB>, caseId: string, secretHash: Buffer): Promise<void> {
  await db.updateTable('case_tracking').set({ secret_hash: secretHash }).where('case_id', '=', caseId).execute()
}

/** The case that a mailed link confirms, locked so that it is confirmed only once. */
async function lockTrackingByConfirmation(db: Kysely<DB>, confirmationHash: Buffer) {
  return db
    .selectFrom('case_tracking as t')
    .innerJoin('flow_case as c', 'c.id', 't.case_id')
    .select((eb) => [
      'c.id as caseId',
      'c.reference',
      'c.requester_id as requesterId',
      eb('t.confirmed_at', 'is not', null).as('confirmed'),
      eb('t.confirm_until', '<=', sql<Date>`now()`).as('late'),
      eb.or([eb('c.ended_at', 'is not', null), eb('c.withdrawn_at', 'is not', null)]).as('over'),
    ])
    .where('t.confirmation_hash', '=', confirmationHash)
    .forUpdate('t')
    .executeTakeFirst()
}

/** When the confirmation link of a guest's case expires; undefined once it was used. */
async function confirmUntil(db: Kysely<DB>, caseId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('case_tracking')
    .select('confirm_until')
    .where('case_id', '=', caseId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return row?.confirm_until ?? undefined
}

async function setTrackingConfirmed(db: Kysely<DB>, caseId: string, confirmed: boolean): Promise<void> {
  await db
    .updateTable('case_tracking')
    .set({ confirmed_at: confirmed ? sql<Date>`now()` : null })
    .where('case_id', '=', caseId)
    .execute()
}

/** Cases that can be followed with a secret, and the confirmation links that were mailed to guests. */
export function trackingRepository(db: Kysely<DB>) {
  return bound(db, {
    add: addTracking,
    find: findTracking,
    findByReference: findTrackingByReference,
    findByAddress: findTrackingByAddress,
    setSecret: setTrackingSecret,
    lockByConfirmation: lockTrackingByConfirmation,
    confirmUntil,
    setConfirmed: setTrackingConfirmed,
  })
}
