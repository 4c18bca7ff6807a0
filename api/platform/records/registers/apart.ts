import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { type RegisterDefinition, inUse } from '../../model/definitions/register.ts'
import { titleOf } from './item.ts'
import { plain } from './values.ts'

interface Placed {
  id: string
  index: number
  status: string
  data: JsonObject
}

/** The days of entries that stay apart (`x-apart`), each with the values that entries must share to get in its way. */
const spansOf = (
  { item: { properties = {} } }: Pick<RegisterDefinition, 'item'>,
  items: readonly Placed[],
  statuses: readonly (string | undefined)[],
) =>
  items.flatMap(({ id, index, status, data }) =>
    Object.entries(properties).flatMap(([name, { 'x-apart': apart }]) => {
      const [from, until] = [data[apart?.from ?? ''], data[name]]
      if (!apart || !statuses.includes(status) || from === undefined || until === undefined) return []
      const value = apart.by.map((field) => plain(data[field] ?? '')).join('\n')
      return [{ id, index, path: `/${name}`, code: apart.code, value, from, until }]
    }),
  )

/** As rows `s`, without days that are none or in the wrong order, which the form refuses. */
const asRows = (spans: ReturnType<typeof spansOf>) => sql`(
  select w.id, w.index, w.path, w.value, daterange(w."from"::date, w.until::date, '[]') as span
  from jsonb_to_recordset(${JSON.stringify(spans)}::jsonb)
    as w(id uuid, index integer, path text, value text, "from" text, until text)
  where case when pg_input_is_valid(w."from", 'date') and pg_input_is_valid(w.until, 'date')
    then w."from"::date <= w.until::date else false end
) as s`

/**
 * Entries whose days overlap those of another entry, or of an earlier one among these. Of what waits for somebody who
 * certifies it that is said at once, and not first to them.
 */
export async function overlapping(
  trx: Transaction<DB>,
  definition: RegisterDefinition,
  { register, items }: { register: string; items: readonly Placed[] },
): Promise<(FieldError & { index: number })[]> {
  const waits = definition.certified && definition.statuses[1]
  const spans = spansOf(definition, items, [inUse(definition), waits])
  if (spans.length === 0) return []
  const { rows } = await sql<{ index: number; path: string; title: string | null; other: number | null }>`
    with given as (select s.* from ${asRows(spans)})
    select g.index, g.path, i.title, null::integer as other from given g
    join register_span t on t.register = ${register} and t.field = g.path and t.value = g.value and t.span && g.span
      and not exists (select from given own where own.id = t.item_id)
    join register_item i on i.id = t.item_id
    union all
    select g.index, g.path, null, o.index from given g
    join given o on o.index < g.index and o.path = g.path and o.value = g.value and o.span && g.span
    order by 1, 2, 3, 4`.execute(trx)
  const first = new Map(rows.toReversed().map((row) => [`${row.index}${row.path}`, row]))
  return spans.flatMap(({ index, path, code, from, until, value }) => {
    const found = first.get(`${index}${path}`)
    if (!found) return []
    const draft = items.find((one) => one.index === found.other)
    const item = found.title ?? (draft ? titleOf(definition, draft.data) : '')
    // With the days and what they share: an entry from before the rule keeps them, and gets no others that overlap.
    return [{ index, field: path, code, values: { item, from: String(from), until: String(until), by: value } }]
  })
}

/** Keeps the days of entries instead of earlier ones; returns those that another entry took concurrently. */
export async function takeSpans(
  trx: Transaction<DB>,
  definition: RegisterDefinition,
  { register, items }: { register: string; items: readonly Placed[] },
): Promise<(FieldError & { index: number })[]> {
  if (!Object.values(definition.item.properties ?? {}).some((field) => field['x-apart'])) return []
  await sql`delete from register_span where item_id = any(${items.map(({ id }) => id)}::uuid[])`.execute(trx)
  const spans = spansOf(definition, items, [inUse(definition)])
  if (spans.length === 0) return []
  const kept = await sql<{ item_id: string; field: string }>`
    insert into register_span (register, field, value, span, item_id)
    select ${register}, s.path, s.value, s.span, s.id from ${asRows(spans)} order by s.index
    on conflict do nothing
    returning item_id, field`.execute(trx)
  const mine = new Set(kept.rows.map(({ item_id: id, field }) => `${id}${field}`))
  const lost = spans.filter(({ id, path }) => !mine.has(`${id}${path}`))
  if (lost.length === 0) return []
  // The other has ended its transaction by now.
  const found = await overlapping(trx, definition, { register, items })
  return lost.map(
    ({ index, path, code }) =>
      found.find((one) => one.index === index && one.field === path) ?? {
        index,
        field: path,
        code,
        values: { item: '' },
      },
  )
}
