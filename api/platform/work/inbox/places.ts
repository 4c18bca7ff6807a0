import { type RawBuilder, sql } from 'kysely'

/**
 * A principal and one of its lists. Each list reads the rows of such places. For decisions the principal is an account,
 * and the place is what it decided or what was decided in its stead.
 */
export interface Place {
  principal: string
  state: 'open' | 'held' | 'mine' | 'asked' | 'by' | 'for'
  flows: readonly string[] | null
  /** In cents, as text. */
  limit: string | null
}

/** `from` is included, `until` is not, unless `closed` is set; as PostgreSQL reads them. */
export interface Range {
  from?: string | undefined
  until?: string | undefined
  /** Whether `until` is included. */
  closed?: boolean
}

/** A list to read: the rows of its places that meet all conditions. */
export interface Listed {
  /** Waiting tasks or decisions; for decisions `created` is when they were made. */
  of: 'inbox' | 'decisions'
  places: readonly Place[]
  /** Field of `inbox_filter` → value, the most selective first. */
  equal: readonly (readonly [field: string, value: string])[]
  created?: Range
  due?: Range
  amount?: Range
  /** Account of the requester. */
  requester?: string
  search?: { like: string; reference: string }
  /** Conditions on each row `i` that nearly all rows meet. */
  also: readonly RawBuilder<unknown>[]
  /** Maximum rows to read; `EXAMINED` by default. */
  examined?: number
}

/** The position of a row in its order. */
export interface Position {
  /** The sort key, as text. */
  key: string
  created: string
  task: string
}

/** Positions in order, each task once. */
export interface Found {
  rows: Position[]
  /** The last position that was read, if that is not the end. */
  cut?: Position
  /** The total number, if it is known. */
  total?: number
}

/** Decisions, in the columns of the inbox. */
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

/** Limits rows `i` to a place `p`. */
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
