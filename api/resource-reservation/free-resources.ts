import { type Kysely, type Transaction, sql } from 'kysely'
import { type Span, allocations } from '../platform/work/allocations/allocations.ts'
import { kept } from '../platform/work/allocations/allocation-row.ts'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { type FieldError, BusinessError } from '../platform/kernel/errors.ts'
import type { Resource } from './booking.ts'
import { clashOf } from './free-times.ts'
import { refusalOf } from './refusals.ts'
import { wholesOf } from './wholes.ts'
import { DAY_MS } from '../platform/kernel/units.ts'
import { known } from '../platform/kernel/known.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'

/** Maximum resources checked. */
export const MAX_RESOURCES_READ = 500

/** Short texts for lists; the sentences of a booking also name alternatives. */
export const inShort: Readonly<Record<string, string>> = {
  'resource-reservation.slot-taken': 'resource-reservation.available.is-taken',
  'resource-reservation.part-taken': 'resource-reservation.available.part-taken',
  'resource-reservation.closed-then': 'resource-reservation.available.closed',
  'resource-reservation.blacked-out': 'resource-reservation.available.blacked-out',
  'resource-reservation.too-short-notice': 'resource-reservation.available.short-notice',
  'resource-reservation.too-far-ahead': 'resource-reservation.available.far-ahead',
  'resource-reservation.too-short': 'resource-reservation.available.too-short',
  'resource-reservation.too-long': 'resource-reservation.available.too-long',
}

export interface FreeQuery extends Span {
  /** Id of a resource type. */
  type?: string
}

/** A resource in a span: free, or with what prevents it. */
export interface Looked {
  id: string
  title: string
  data: Resource & { location?: string }
  refused?: FieldError
  /** When it is taken, including buffers. */
  taken: Span[]
}

/** The active resources that can be booked for a span, by their rules and existing allocations. */
export async function freeResources(
  db: Kysely<DB>,
  { from, until, type }: FreeQuery,
  asker: { id: string; now: Date },
): Promise<{ items: Looked[]; more: boolean }> {
  if (!(Date.parse(from) < Date.parse(until)))
    throw new BusinessError('platform.span-empty', {}, [{ field: 'query/until', code: 'platform.span-empty' }])
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      const found = await trx
        .selectFrom('register_item')
        .select(['id', 'title', 'status', 'data'])
        .where('register', '=', 'resource-reservation/resource')
        .where('status', '=', 'Active')
        .where(sql<boolean>`data ->> 'internal_use' = 'true'`)
        .$if(type !== undefined, (query) => query.where(sql<boolean>`lower(data ->> 'resource_type') = ${type}`))
        .orderBy('title')
        .orderBy('id')
        .limit(MAX_RESOURCES_READ + 1)
        .execute()
      const rows = found.slice(0, MAX_RESOURCES_READ)
      const ids = rows.map(({ id }) => id)
      const partOf = await wholesOf(trx, ids)
      const slots = allocations(trx)
      const parts = await slots.wholes(ids)
      // Buffers are at most a day.
      const around = {
        from: new Date(Date.parse(from) - DAY_MS).toISOString(),
        until: new Date(Date.parse(until) + DAY_MS).toISOString(),
      }
      const names = await titlesOf(trx, [...new Set([...parts.values()].flat())])
      const occupied = await slots.occupied([...new Set([...parts.values()].flat())], around, { holder: asker.id })
      const items = rows.map(({ id, title, status, data }): Looked => {
        const resource = checkedAs<Looked['data']>(data)
        const booking = { from, until }
        const room = { id, title, items: known(parts.get(id), 'the parts of a resource'), lent: [] }
        const { buffer_before: before = 0, buffer_after: after = 0 } = resource
        const span = kept({ booked: booking, before, after })
        const clash = clashOf(room, span, occupied)
        const wholes = known(partOf.get(id), 'the wholes of a resource')
        const refused =
          refusalOf({ resource, wholes, status, booking, now: asker.now, ahead: 0 }) ??
          (clash && {
            field: '/from',
            code: `resource-reservation.${clash.kind === 'part' ? 'part' : 'slot'}-taken`,
            ...(clash.kind === 'part' && { values: { part: names.get(clash.item) ?? '' } }),
          })
        const taken = occupied
          .filter((one) => one.exclusive && room.items.includes(one.item))
          .filter(
            (one) => Date.parse(one.from) < Date.parse(span.until) && Date.parse(span.from) < Date.parse(one.until),
          )
          .map((one) => ({ from: one.from, until: one.until }))
        return { id, title, data: resource, ...(refused && { refused }), taken }
      })
      return { items, more: found.length > MAX_RESOURCES_READ }
    })
}

async function titlesOf(trx: Transaction<DB>, items: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (items.length === 0) return new Map()
  const rows = await trx.selectFrom('register_item').select(['id', 'title']).where('id', 'in', items).execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}
