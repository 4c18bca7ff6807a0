import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { oneOf } from '../../kernel/one-of.ts'
import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type Library, languages } from '../../model/library/library.ts'
import { registersService } from '../../work/registers/service.ts'
import { icsOf } from '../../records/calendar/ics.ts'
import { slotsOfItem, slotsOfPerson } from '../../records/calendar/slots.ts'

/** A calendar that programs may read; without an entry it contains the account's own cases. */
export interface Feed {
  id: string
  item: { id: string; title: string } | null
  createdAt: string
}

export interface FeedDependencies {
  db: Kysely<DB>
  library: Library
  publicUrl: string
}

/*
 * Calendars behind secret addresses. Only hashes of the secrets are stored, so an address is shown once. An account has
 * at most one address per calendar; a new one replaces it. Every read checks that the account is active and the entry
 * public.
 */

/** An entry that is public. */
async function publicItem({ db, library }: FeedDependencies, id: string): Promise<{ title: string } | undefined> {
  const registers = registersService({ db, library })
  const row = await db.selectFrom('register_item').select('register').where('id', '=', id).executeTakeFirst()
  if (!row || !library.registers.get(row.register)?.public) return undefined
  try {
    return await registers.publicItem(row.register, id)
  } catch (error) {
    if (error instanceof BusinessError && error.code === 'platform.not-found') return undefined
    throw error
  }
}

export async function listFeeds({ db }: FeedDependencies, accountId: string): Promise<Feed[]> {
  const rows = await db
    .selectFrom('calendar_feed as f')
    .leftJoin('register_item as i', 'i.id', 'f.item_id')
    .select(['f.id', 'f.item_id as itemId', 'i.title', 'f.created_at as createdAt'])
    .where('f.account_id', '=', accountId)
    .where('f.revoked_at', 'is', null)
    .orderBy('f.id')
    .execute()
  return rows.map(({ id, itemId, title, createdAt }) => ({
    id,
    item: itemId ? { id: itemId, title: known(title, 'the title of an entry') } : null,
    createdAt: createdAt.toISOString(),
  }))
}

/** Creates the address of a calendar, or replaces it; it is shown only now. */
export async function makeFeed(
  context: FeedDependencies,
  accountId: string,
  itemId: string | null,
): Promise<{ id: string; address: string }> {
  const { db, publicUrl } = context
  if (itemId && !(await publicItem(context, itemId)))
    throw new BusinessError('platform.item-unknown', {}, [{ field: '/item', code: 'platform.item-unknown' }])
  const secret = randomBytes(32).toString('base64url')
  const id = uuid()
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().executeTakeFirstOrThrow()
    const { numUpdatedRows } = await trx
      .updateTable('calendar_feed')
      .set({ revoked_at: sql`now()` })
      .where('account_id', '=', accountId)
      .where('item_id', itemId ? '=' : 'is', itemId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    await trx
      .insertInto('calendar_feed')
      .values({ id, account_id: accountId, item_id: itemId, secret_hash: hashOf(secret) })
      .execute()
    await audit(trx).record({
      actor: accountId,
      action: numUpdatedRows > 0 ? 'calendar-feed.renewed' : 'calendar-feed.made',
      object: `calendar-feed:${id}`,
      payload: { item: itemId },
    })
  })
  return { id, address: `${publicUrl}/api/public/calendar/${secret}.ics` }
}

/** Revokes an address. */
export async function revokeFeed({ db }: FeedDependencies, accountId: string, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('calendar_feed')
      .set({ revoked_at: sql`now()` })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new BusinessError('platform.not-found')
    await audit(trx).record({
      actor: accountId,
      action: 'calendar-feed.revoked',
      object: `calendar-feed:${id}`,
      payload: {},
    })
  })
}

/** The calendar behind a secret, as iCalendar. */
export async function readFeed(context: FeedDependencies, secret: string): Promise<string> {
  const { db, library, publicUrl } = context
  const feed = await db
    .selectFrom('calendar_feed as f')
    .innerJoin('account', 'account.id', 'f.account_id')
    .select(['f.account_id as accountId', 'f.item_id as itemId', 'language'])
    .where('secret_hash', '=', hashOf(secret))
    .where('revoked_at', 'is', null)
    .where('active', '=', true)
    .executeTakeFirst()
  if (!feed) throw new BusinessError('platform.not-found')
  const language = oneOf(languages, feed.language)
  const calendar = { db, library, publicUrl }
  if (feed.itemId === null) {
    const name = library.text('platform.calendar-feed.mine', {}, language)
    return icsOf({ name, confidential: true, entries: await slotsOfPerson(calendar, feed.accountId, language) })
  }
  const item = await publicItem(context, feed.itemId)
  if (!item) throw new BusinessError('platform.not-found')
  return icsOf({ name: item.title, confidential: false, entries: await slotsOfItem(calendar, feed.itemId, language) })
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
