import { createHash } from 'node:crypto'
import { type Kysely, type Transaction, sql } from 'kysely'
import { casePath } from '../../model/library/paths.ts'
import { wordsOf } from '../../model/library/words.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { at } from '../../model/definitions/register.ts'
import type { CalendarEntry } from './ics.ts'

/** Range of calendars around today, in days. */
const REACH_DAYS = { back: 60, ahead: 730 }
/** Maximum entries per calendar. */
const MAX_ENTRIES = 1000

export interface CalendarContext {
  db: Kysely<DB> | Transaction<DB>
  library: Library
  publicUrl: string
}

/** Allocations of one entry as the public may know them: final ones with their title, all others as reserved. */
export async function slotsOfItem(
  context: CalendarContext,
  item: string,
  language: Language,
): Promise<CalendarEntry[]> {
  const { db, library } = context
  const rows = await slots(db).where('a.item_id', '=', item).where('a.state', '<>', 'released').execute()
  return rows.map((slot) => ({
    ...basics(context, slot),
    summary:
      (slot.state === 'final' && eventOf(library, slot)) ||
      library.text('platform.calendar-feed.reserved', {}, language),
  }))
}

/** The slots of a person's own cases; released ones appear as cancelled. */
export async function slotsOfPerson(
  context: CalendarContext,
  account: string,
  language: Language,
): Promise<CalendarEntry[]> {
  const rows = await ownSlots(context.db).where('c.requester_id', '=', account).execute()
  return rows.map((slot) => entry(context, slot, language))
}

/** The slots of one case. */
export async function slotsOfCase(
  context: CalendarContext,
  caseId: string,
  language: Language,
): Promise<CalendarEntry[]> {
  const rows = await ownSlots(context.db).where('c.id', '=', caseId).execute()
  return rows.map((slot) => entry(context, slot, language))
}

/**
 * The slots of cases as calendars show them: the requested times without the buffers around them. Holds, and what is
 * allocated along with another entry, are left out. Each case and entry has one slot: the present one, or the last
 * released one.
 */
function slots(db: CalendarContext['db']) {
  return db
    .selectFrom('allocation as a')
    .leftJoin('allocation as main', 'main.id', 'a.main_id')
    .innerJoin('flow_case as c', (join) =>
      join.on((eb) => eb(eb.ref('c.id'), '=', eb.fn.coalesce('a.case_id', 'main.case_id'))),
    )
    .innerJoin('register_item as i', 'i.id', 'a.item_id')
    .distinctOn(['c.id', 'a.item_id', 'a.purpose'])
    .select([
      'c.id as caseId',
      'a.item_id as itemId',
      'a.state',
      'a.purpose',
      'c.flow',
      'c.reference',
      'c.status',
      'c.subject',
      'i.register',
      'i.title as item',
      'i.data',
      'c.created_at as begunAt',
      'a.changed_at as changedAt',
      sql<Date>`lower(a.booked)`.as('from'),
      sql<Date>`upper(a.booked)`.as('until'),
    ])
    .where('a.state', '<>', 'hold')
    .where(
      sql<boolean>`a.booked && tstzrange(now() - make_interval(days => ${REACH_DAYS.back}),
        now() + make_interval(days => ${REACH_DAYS.ahead}))`,
    )
    .orderBy('c.id')
    .orderBy('a.item_id')
    .orderBy('a.purpose')
    .orderBy(sql`a.state = 'released'`)
    .orderBy('a.changed_at', 'desc')
    .limit(MAX_ENTRIES)
}

type Slot = Awaited<ReturnType<ReturnType<typeof slots>['execute']>>[number]

/** Leaves out dependent allocations, and requested moves that were not granted. */
function ownSlots(db: CalendarContext['db']) {
  return slots(db)
    .where('a.main_id', 'is', null)
    .where((eb) => eb.or([eb('a.purpose', '=', 'booking'), eb('a.state', '<>', 'released')]))
}

function entry(context: CalendarContext, slot: Slot, language: Language): CalendarEntry {
  const { library, publicUrl } = context
  const words = wordsOf(library, language)
  const manifest = library.flows.get(slot.flow)?.manifest
  const name = eventOf(library, slot) ?? (manifest ? words.flowTitle(manifest) : slot.flow)
  const status = manifest ? words.status(manifest, 'status', slot.status).text : slot.status
  const link = publicUrl + casePath(library, slot.caseId)
  return {
    ...basics(context, slot),
    summary: slot.purpose === 'move' ? words.text('platform.calendar-feed.move', { name }) : name,
    description: words.text('platform.calendar-feed.about', { reference: slot.reference, status, link }),
    link,
  }
}

function basics({ library, publicUrl }: CalendarContext, slot: Slot): Omit<CalendarEntry, 'summary'> {
  const { caseId, itemId, purpose, state, from, until, begunAt, changedAt } = slot
  // Feeds can be read by people who have their address, so the id must not reveal the case's.
  const uid = createHash('sha256').update(`${caseId}:${itemId}:${purpose}`).digest('hex').slice(0, 32)
  const place = placeOf(library, slot)
  return {
    uid: `${uid}@${new URL(publicUrl).hostname}`,
    sequence: Math.max(0, Math.floor((changedAt.getTime() - begunAt.getTime()) / 1000)),
    changedAt,
    from,
    until,
    ...(place && { place }),
    state: state === 'final' ? 'confirmed' : state === 'released' ? 'cancelled' : 'tentative',
  }
}

function eventOf(library: Library, { flow, subject }: Slot): string | undefined {
  const name = library.flows.get(flow)?.manifest.publicSubject
  const title = name && subject[name]
  return title ? String(title) : undefined
}

/** The entry, with its location if the register has one. */
function placeOf(library: Library, { register, item, data }: Slot): string {
  const pointer = library.registers.get(register)?.place
  const where = pointer && at(data, pointer)
  return typeof where === 'string' && where !== '' ? `${item}, ${where}` : item
}
