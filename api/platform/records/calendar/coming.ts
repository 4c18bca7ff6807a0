import { known } from '../../kernel/known.ts'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Library } from '../../model/library/library.ts'

/** A confirmed event at a public entry. */
export interface ComingEvent {
  /** Id of its allocation. */
  id: string
  title: string
  item: { id: string; title: string }
  from: string
  until: string
}

/** How far to look ahead, in days. */
const AHEAD_DAYS = 120

/**
 * The next events at entries of a public register, as far as their flows make them public. Throws `platform.not-found`
 * for a register that is not public.
 */
export async function comingEvents(
  { db, library }: { db: Kysely<DB>; library: Library },
  register: string,
  limit: number,
): Promise<ComingEvent[]> {
  const shown = library.registers.get(register)?.public
  if (!shown) throw new BusinessError('platform.not-found')
  const names = new Map(
    [...library.flows.values()].flatMap(({ key, manifest: { publicSubject } }) =>
      publicSubject ? [[key, publicSubject]] : [],
    ),
  )
  if (names.size === 0) return []
  let query = db
    .selectFrom('allocation as a')
    .innerJoin('flow_case as c', 'c.id', 'a.case_id')
    .innerJoin('register_item as i', 'i.id', 'a.item_id')
    .select([
      'a.id',
      'c.flow',
      'c.subject',
      'i.id as item',
      'i.title',
      sql<Date>`lower(a.booked)`.as('from'),
      sql<Date>`upper(a.booked)`.as('until'),
    ])
    .where('a.state', '=', 'final')
    .where('a.main_id', 'is', null)
    .where('i.register', '=', register)
    .where('c.flow', 'in', [...names.keys()])
    .where(sql<boolean>`a.booked && tstzrange(now(), now() + make_interval(days => ${AHEAD_DAYS}))`)
  for (const [name, value] of Object.entries(shown.where ?? {})) {
    const field = name.startsWith('data.')
      ? sql<string>`i.data #>> ${name.split('.').slice(1)}::text[]`
      : sql<string>`i.status`
    query = query.where(field, '=', String(value))
  }
  const rows = await query
    .orderBy(sql`lower(a.booked)`)
    .orderBy('a.id')
    .limit(limit)
    .execute()
  return rows.flatMap(({ id, flow, subject, item, title, from, until }) => {
    const event = subject[known(names.get(flow), 'the flow of an allocation')]
    return event
      ? [{ id, title: String(event), item: { id: item, title }, from: from.toISOString(), until: until.toISOString() }]
      : []
  })
}
