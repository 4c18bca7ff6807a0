import { type Transaction, sql } from 'kysely'
import { type Occupied, type Span, allocations } from '../platform/work/allocations/allocations.ts'
import { kept } from '../platform/work/allocations/allocation-row.ts'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type { Alternative, Availability, RuleInput } from '../platform/model/deployed/rules.ts'
import { type Booking, type Resource, lentTo, resourceIn } from './booking.ts'
import { type Room, clashOf, nearestFree, reach } from './free-times.ts'
import { spanInWords } from './opening-hours.ts'
import { type Question, refusalOf } from './refusals.ts'
import { wholesOf } from './wholes.ts'
import { DAY_MS } from '../platform/kernel/units.ts'
import { known } from '../platform/kernel/known.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'

/** A question with its resource. */
export interface Asked extends Question {
  id: string
  title: string
}

type Asking = Pick<RuleInput, 'data' | 'items' | 'now' | 'requester' | 'trx' | 'caseId' | 'before'>

/** Maximum alternatives of each kind, and maximum other resources checked. */
const MAX_OFFERED = 3
const MAX_RESOURCES_READ = 50

/**
 * The question with the data it needs, such as the person's number of future bookings. If that number is limited, the
 * account is locked, so that two concurrent submissions cannot both be the last permitted one.
 */
export async function questionOf({ data, items, now, requester, trx, caseId, before }: Asking): Promise<Asked> {
  const { status, resource } = resourceIn(items)
  const booking = checkedAs<Booking>(data)
  const id = booking.resource
  let ahead = 0
  if (resource.quota_per_person !== undefined && !requester.guest) {
    await trx.selectFrom('account').select('id').where('id', '=', requester.id).forNoKeyUpdate().execute()
    const { count } = await trx
      .selectFrom('allocation as a')
      .innerJoin('flow_case as c', 'c.id', 'a.case_id')
      .select((eb) => eb.fn.count<string>('c.id').distinct().as('count'))
      .where('a.item_id', '=', id)
      .where('a.main_id', 'is', null)
      .where('a.state', 'in', ['claimed', 'final'])
      .where(sql<boolean>`upper(a.booked) > ${now}`)
      .where('c.requester_id', '=', requester.id)
      .where(sql<boolean>`c.id is distinct from ${caseId ?? null}`)
      .executeTakeFirstOrThrow()
    ahead = Number(count)
  }
  return {
    id,
    title: resource.name,
    resource,
    wholes: known((await wholesOf(trx, [id])).get(id), 'the wholes of the resource'),
    status,
    booking,
    now,
    ahead,
    noticeGiven: before?.['from'] === booking.from,
  }
}

/** Whether the booking is permitted and free; if not, the reason and what is free instead. */
export async function available(asking: Asking): Promise<Availability> {
  const asked = await questionOf(asking)
  const refused = refusalOf(asked) ?? (await slotRefusal(asking, asked))
  if (!refused) return { free: true }
  return { free: false, ...(await withAlternatives(refused, asking, asked)) }
}

/** An error with alternatives, in its sentence and as a list. */
export async function withAlternatives(
  refused: FieldError,
  asking: Pick<Asking, 'trx' | 'requester' | 'caseId'>,
  asked: Asked,
): Promise<FieldError & { alternatives: Alternative[] }> {
  const alternatives = await alternativesTo(asking, asked)
  const words = alternatives.map(({ resource, from, until }) => {
    const span = spanInWords(Date.parse(from), Date.parse(until))
    return resource.id === asked.id ? span : `${resource.title}, ${span}`
  })
  return { ...refused, values: { ...refused.values, alternatives: words.join('; ') || '–' }, alternatives }
}

/** Conflicts in the slot itself; the allocation checks the same under locks. */
async function slotRefusal(asking: Asking, asked: Asked): Promise<FieldError | undefined> {
  const room = await roomOf(asking.trx, asked)
  const span = spanOf(asked)
  const clash = clashOf(room, span, await occupied(asking, [room], span))
  if (clash === undefined) return undefined
  if (clash.kind === 'taken') return { field: '/from', code: 'resource-reservation.slot-taken' }
  if (clash.kind === 'lent') {
    const { title, available: left } = clash
    return {
      field: '/resource_booking_items',
      code: 'resource-reservation.item-not-available',
      values: { item: title, available: left },
    }
  }
  const part = await asking.trx
    .selectFrom('register_item')
    .select('title')
    .where('id', '=', clash.item)
    .executeTakeFirstOrThrow()
  return { field: '/from', code: 'resource-reservation.part-taken', values: { part: part.title } }
}

async function alternativesTo(
  asking: Pick<Asking, 'trx' | 'requester' | 'caseId'>,
  asked: Asked,
): Promise<Alternative[]> {
  const { booking, now } = asked
  const [begins, ends] = [Date.parse(booking.from), Date.parse(booking.until)]
  if (!(begins < ends)) return []
  const room = await roomOf(asking.trx, asked)
  const window = {
    from: new Date(Math.max(now.getTime(), begins - (reach.back + 1) * DAY_MS)).toISOString(),
    until: new Date(Math.max(now.getTime(), ends + (reach.ahead + 1) * DAY_MS)).toISOString(),
  }
  const found =
    window.from < window.until
      ? nearestFree(asked, room, await occupied(asking, [room], window), MAX_OFFERED).map((span) => ({
          resource: { id: room.id, title: room.title },
          ...span,
        }))
      : []
  return [...found, ...(await otherResources(asking, asked))]
}

/** Resources of the same type that permit such a booking and are free then, similar sizes first. */
async function otherResources(
  asking: Pick<Asking, 'trx' | 'requester' | 'caseId'>,
  asked: Asked,
): Promise<Alternative[]> {
  const { resource, booking } = asked
  const rows = await asking.trx
    .selectFrom('register_item')
    .select(['id', 'title', 'status', 'data'])
    .where('register', '=', 'resource-reservation/resource')
    .where('status', '=', 'Active')
    .where(sql<boolean>`data ->> 'internal_use' = 'true'`)
    .where(sql<boolean>`data ->> 'resource_type' = ${resource.resource_type ?? ''}`)
    .where('id', '<>', asked.id)
    .orderBy(sql`abs(coalesce((data ->> 'seating_capacity')::numeric, 0) - ${resource.seating_capacity ?? 0})`)
    .orderBy('id')
    .limit(MAX_RESOURCES_READ)
    .execute()
  // Amenities belong to one resource.
  const { resource_booking_items: _, ...plain } = booking
  const partOf = await wholesOf(
    asking.trx,
    rows.map(({ id }) => id),
  )
  const others = rows
    .map(({ data, ...row }) => ({
      ...{ ...asked, ...row, booking: plain, ahead: 0 },
      resource: checkedAs<Resource>(data),
      wholes: known(partOf.get(row.id), 'the wholes of a resource'),
    }))
    .filter((other) => refusalOf(other) === undefined)
  if (others.length === 0) return []
  const wholes = await allocations(asking.trx).wholes(others.map(({ id }) => id))
  const rooms = others.map((other) => {
    const { id, title } = other
    return {
      room: { id, title, items: known(wholes.get(id), 'the parts of a resource'), lent: [] },
      span: spanOf(other),
    }
  })
  // Buffers are at most a day.
  const taken = await occupied(
    asking,
    rooms.map(({ room }) => room),
    spanOf(asked, DAY_MS),
  )
  return rooms
    .filter(({ room, span }) => clashOf(room, span, taken) === undefined)
    .slice(0, MAX_OFFERED)
    .map(({ room: { id, title } }) => ({ resource: { id, title }, from: booking.from, until: booking.until }))
}

async function roomOf(trx: Transaction<DB>, { id, title, resource, booking }: Asked): Promise<Room> {
  const items = known((await allocations(trx).wholes([id])).get(id), 'the parts of the resource')
  const wanted = lentTo(resource, booking)
  if (wanted.length === 0) return { id, title, items, lent: [] }
  const rows = await trx
    .selectFrom('register_item')
    .select(['id', 'title', sql<number | null>`(data ->> 'quantity')::integer`.as('there')])
    .where(
      'id',
      'in',
      wanted.map(({ item }) => item),
    )
    .execute()
  const quantityOf = new Map(wanted.map(({ item, quantity }) => [item, quantity]))
  const lent = rows.map((row) => ({
    item: row.id,
    title: row.title,
    there: row.there ?? 0,
    quantity: known(quantityOf.get(row.id), 'the quantity of a lent entry'),
  }))
  return { id, title, items, lent }
}

function occupied(
  { trx, requester, caseId }: Pick<Asking, 'trx' | 'requester' | 'caseId'>,
  rooms: readonly Room[],
  span: Span,
): Promise<Occupied[]> {
  const items = rooms.flatMap((room) => [...room.items, ...room.lent.map(({ item }) => item)])
  return allocations(trx).occupied(items, span, { holder: requester.id, caseId })
}

/** The time to keep free for it, plus `more` on both sides. */
function spanOf({ resource, booking }: Pick<Asked, 'resource' | 'booking'>, more = 0): Span {
  const { buffer_before = 0, buffer_after = 0 } = resource
  return kept({ booked: booking, before: buffer_before + more / 60_000, after: buffer_after + more / 60_000 })
}
