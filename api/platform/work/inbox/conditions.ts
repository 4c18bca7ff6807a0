import { type RawBuilder, sql } from 'kysely'
import { byAmount, byCreation, orders } from './orders.ts'
import { type Listed, type Range, decisions, inPlace } from './places.ts'

/** The expression of `i` that a range filters. */
const columns = { created: sql`i.created`, due: sql`due`, amount: sql`amount` }

/** The same expressions as the indexes have them. */
const keys = { created: byCreation.key, due: orders.due.key, amount: byAmount.key }

export const types = { created: sql`timestamptz`, due: sql`timestamptz`, amount: sql`bigint` }

/** The conditions of a list on each row `i` of a place `p`, without those that define the place. */
export function conditionsOf(listed: Listed): RawBuilder<unknown>[] {
  const { equal, requester, search } = listed
  // A sub-select here runs once per row, on purpose: the planner would compute a join over all tasks.
  const ofTask = (condition: RawBuilder<unknown>) =>
    sql`(select ${condition} from task t join flow_case c on c.id = t.case_id join account r on r.id = c.requester_id
      where t.id = i.task)`
  const conditions = equal.map(([field, value]) =>
    listed.of === 'inbox'
      ? sql`(select true from inbox_filter x where x.principal = i.principal and x.state = i.state
          and x.field = ${field} and x.value = ${value} and x.created = i.created and x.task = i.task)`
      : ofTask(sql`${valueOf(field)} = ${value}`),
  )
  for (const name of ['created', 'due', 'amount'] as const) {
    const range = listed[name]
    const column = name === 'created' && listed.of === 'decisions' ? sql`i.came` : columns[name]
    if (range) conditions.push(sql`(true ${within(column, types[name], range)})`)
  }
  if (requester) conditions.push(ofTask(sql`c.requester_id = ${requester}`))
  if (search) {
    const { like } = search
    const texts = [sql`c.reference`, sql`c.subject::text`, sql`r.name`, sql`t.name`]
    conditions.push(
      ofTask(
        sql.join(
          texts.map((text) => sql`${text} ilike ${like}`),
          sql` or `,
        ),
      ),
    )
  }
  return conditions
}

/** The value of a case that `inbox_filter` stores in a field. */
function valueOf(field: string) {
  if (field === 'flow') return sql`c.flow`
  if (field === 'desk') return sql`t.desk`
  if (field === 'status') return sql`c.status`
  if (field === 'faculty') return sql`c.scope ->> 'faculty'`
  return sql`left(c.filters ->> ${field.slice(1)}, 200)`
}

/** The limits of a substitute's rights, and the conditions of the queue. */
export function restrictions({ places, also }: Listed): RawBuilder<unknown>[] {
  const limited = places.some(({ flows, limit }) => flows !== null || limit !== null)
  const kept = sql`(p.flows is null or flow = any(p.flows)) and (p."limit" is null or amount <= p."limit")`
  return [...also, ...(limited ? [kept] : [])]
}

/** Conditions that can narrow a list, the most selective first: rows of a place `p` with `created` and `task`. */
export function narrowedBy(listed: Listed): RawBuilder<unknown>[] {
  const rows = (from: RawBuilder<unknown>, more: RawBuilder<unknown>) =>
    sql`select i.created, i.task from ${from} i where ${inPlace(listed)} ${more}`
  if (listed.of === 'decisions') return [rows(decisions, sql``)]
  const filters = listed.equal.map(([field, value]) =>
    rows(sql`inbox_filter`, sql`and i.field = ${field} and i.value = ${value}`),
  )
  const ranged = (['due', 'amount', 'created'] as const).flatMap((name) => {
    const range = listed[name]
    return range ? [rows(sql`inbox`, within(keys[name], types[name], range))] : []
  })
  return [...filters, ...ranged, rows(sql`inbox`, sql``)]
}

/** A list of the cases of one requester, or of the one case with this number. */
export function casesOf(
  listed: Listed,
): { all: RawBuilder<unknown>; few: RawBuilder<unknown>; named: boolean } | undefined {
  const { of, requester, search } = listed
  const all = requester
    ? sql`select id from flow_case where requester_id = ${requester}`
    : search && sql`select id from flow_case where reference = ${search.reference}`
  if (!all || of === 'decisions') return undefined
  const few = sql`select i.created, i.task from task t join inbox i on i.task = t.id
    where ${inPlace(listed)} and t.state in ('open', 'held') and t.case_id in (${all})`
  return { all, few, named: requester !== undefined }
}

/** Limits a column to a range. */
export function within(column: RawBuilder<unknown>, type: RawBuilder<unknown>, { from, until, closed }: Range) {
  return sql`${from === undefined ? sql`` : sql`and ${column} >= ${from}::${type}`}
    ${until === undefined ? sql`` : sql`and ${column} ${closed ? sql`<=` : sql`<`} ${until}::${type}`}`
}
