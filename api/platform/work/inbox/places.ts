import { type RawBuilder, sql } from 'kysely'

/**
 * A principal with one of its lists: what is read is among the rows of such places. Of decisions the principal is an
 * account, and the place what was decided by it or in its stead.
 */
export interface Place {
  principal: string
  state: 'open' | 'held' | 'mine' | 'asked' | 'by' | 'for'
  flows: readonly string[] | null
  /** In cents, as text. */
  limit: string | null
}

/** From, included, and until, excluded unless it says otherwise; as PostgreSQL reads them. */
export interface Range {
  from?: string | undefined
  until?: string | undefined
  /** Whether `until` is included. */
  closed?: boolean
}

/** A list to be read: rows of places, whatever fulfils all of the rest. */
export interface Listed {
  /** What waits, or what has been decided; of that, `created` is when it was decided. */
  of: 'inbox' | 'decisions'
  places: readonly Place[]
  /** Field of `inbox_filter` → value, the rarest first. */
  equal: readonly (readonly [field: string, value: string])[]
  created?: Range
  due?: Range
  amount?: Range
  /** Account of the requester. */
  requester?: string
  search?: { like: string; reference: string }
  /** Asked of each row `i`; nearly all rows fulfil them. */
  also: readonly RawBuilder<unknown>[]
  /** How many rows are looked at; `EXAMINED` where nothing is said. */
  examined?: number
}

/** Where a row stands in its order. */
export interface Position {
  /** What is sorted by, as text. */
  key: string
  created: string
  task: string
}

/** Positions in their order, each task once. */
export interface Found {
  rows: Position[]
  /** How far everything was looked through, where that is not the end. */
  cut?: Position
  /** How many there are in all, where that is known. */
  total?: number
}

/** What has been decided, in the shape of the inbox. */
export const decisions = sql`(select decided_by as principal, 'by' as state, decided_at as created, id as task, ${aboutTask()}
    from task where decided_by is not null and state in ('accepted', 'done')
  union all select decided_for, 'for', decided_at, id, ${aboutTask()}
    from task where decided_for is not null and state in ('accepted', 'done'))`

function aboutTask() {
  return sql`due_at as due, priority, follow_up_at as follow_up, created_at as came,
    (select flow from flow_case c where c.id = case_id) as flow, (select amount from flow_case c where c.id = case_id) as amount`
}

export function tableOf({ of }: Listed) {
  return of === 'inbox' ? sql`inbox` : decisions
}

/** Rows `i` of a place `p`. */
export function inPlace({ of }: Listed) {
  return of === 'inbox'
    ? sql`i.principal = p.principal and i.state = p.state`
    : sql`i.principal = p.principal::uuid and i.state = p.state`
}

/** Places as rows. */
export function table(places: readonly Place[]) {
  const rows = JSON.stringify(places.map((place, index) => ({ n: index + 1, ...place })))
  return sql`select * from jsonb_to_recordset(${rows}::jsonb) as p(n int, principal text, state text, flows text[], "limit" bigint)`
}
