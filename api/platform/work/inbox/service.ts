import { type Kysely, sql } from 'kysely'
import { dayInColombo } from '../../kernel/colombo.ts'
import { workingDays } from '../../records/calendar/working-days.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { containing } from '../../kernel/like.ts'
import { type Page, COUNT_LIMIT, counted, cursorOf, readCursor } from '../../kernel/paging.ts'
import { inboxFields } from '../tasks/columns.ts'
import { type Queue, type Sort, type Wanted, queues } from './query.ts'
import { type Reader, readers } from '../tasks/readers.ts'
import type { Listed, Place, Position } from './places.ts'
import { countList, readList } from './repository.ts'
import { isKey } from './orders.ts'
import { noteExport, sheetOf } from './sheet.ts'
import type { Sheet } from '../../kernel/sheets/sheet.ts'
import { type TaskSummary, taskSummaries } from '../tasks/task-rows.ts'
import { listSomeTasks } from '../rows/task-reads.ts'
import { bound } from '../../kernel/bound.ts'
import { known } from '../../kernel/known.ts'
import { recordOf } from '../../kernel/objects.ts'

export interface InboxDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  clock?: () => Date
  /** Maximum rows read before the reader has to narrow the search. */
  examined?: number
  /** Maximum tasks in a file. */
  exported?: number
}

export interface ListQuery extends Wanted {
  cursor?: string | undefined
  limit?: number | undefined
}

/** One page of tasks; `narrow` means that rows are left to search, and `next` continues there. */
export interface TaskPage extends Page<TaskSummary> {
  narrow: boolean
}

type Counts = Record<Queue, Page<never>['count']>

/** Default maximum of tasks in a file. */
const MAX_EXPORTED = 10_000
/** Rows per page when a file is written. */
const EXPORT_PAGE_ROWS = 500
/** "Due soon" ends with the second working day from now. */
const SOON_WORKING_DAYS = 2
/** Maximum decisions of a person that are read to count those whose case still runs. */
const MAX_DECISIONS_COUNTED = 2000

/** One page of a list as task rows, with the position of the next. */
async function pageOf(context: InboxDependencies, person: Person, query: ListQuery) {
  const { db } = context
  const { sort = '-created', cursor, limit = 20 } = query
  const listed = await listedOf(context, person, query)
  const from = cursor === undefined ? undefined : positionOf(cursor, sort)
  // The first page reads far enough to count.
  const looked = from ? limit + 1 : Math.max(limit, COUNT_LIMIT) + 1
  const { rows, cut, total } = await readList(context, listed, sort, from?.at, looked)
  const narrow = cut !== undefined && rows.length <= limit
  const count = from?.count ?? {
    value: Math.min(total ?? rows.length, COUNT_LIMIT),
    more: (total ?? rows.length) > COUNT_LIMIT || (cut !== undefined && rows.length <= COUNT_LIMIT),
  }
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : cut
  const next = last
    ? cursorOf([sort, last.key, last.created, last.task, `${count.value}${count.more ? '+' : ''}`])
    : null
  const tasks = await listSomeTasks(
    db,
    shown.map(({ task }) => task),
  )
  return { tasks, next, count, narrow }
}

/** The query as places and conditions on their rows. */
async function listedOf(
  context: InboxDependencies,
  person: Person,
  { queue = 'open', for: stead, filters = {}, ...wanted }: Wanted,
): Promise<Listed> {
  const { clock = () => new Date() } = context
  const { flow, desk, status, faculty, amountFrom, amountTo, from, until, requester, search } = wanted
  const now = clock()
  const given = Object.entries({ desk, status, faculty, flow }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const range = (low: unknown, high: unknown) => low !== undefined || high !== undefined
  return {
    ...(await queueOf(context, person, queue, stead, now)),
    equal: [...Object.entries(filters).map(([name, value]) => [`/${name}`, value] as const), ...given],
    ...(range(amountFrom, amountTo) && {
      amount: { from: text(amountFrom ?? 0), until: text(amountTo), closed: true },
    }),
    ...(range(from, until) && { created: { from: startOf(from), until: startOf(until, 1) } }),
    ...(requester && { requester }),
    ...(search?.trim() && { search: { like: containing(search.trim()), reference: search.trim().toUpperCase() } }),
  }
}

/** The places that a queue is read from. */
async function queueOf(
  { db }: InboxDependencies,
  person: Person,
  queue: Queue,
  stead: string | undefined,
  now: Date,
): Promise<Omit<Listed, 'equal'>> {
  const offered = (state: Place['state']) => placesOf(readersOf(person, stead), state)
  const held = (state: Place['state']): Place => ({ principal: `user:${person.id}`, state, flows: null, limit: null })
  const decided = (state: Place['state']): Place => ({ principal: person.id, state, flows: null, limit: null })
  // What the person holds as a substitute.
  const inStead = stead
    ? [sql`(p.state not in ('mine', 'asked') or (select t.held_for = ${stead} from task t where t.id = i.task))`]
    : []
  const decidedInStead = stead ? [sql`(select t.decided_for = ${stead} from task t where t.id = i.task)`] : []
  const putOff = sql`coalesce(follow_up > ${now}, false)`
  switch (queue) {
    case 'open':
      return { of: 'inbox', places: offered('open'), also: [] }
    case 'group':
      return { of: 'inbox', places: offered('held'), also: [notHeldBy(person)] }
    case 'mine':
      return { of: 'inbox', places: [held('mine')], also: [sql`not ${putOff}`, ...inStead] }
    case 'later':
      return {
        of: 'inbox',
        places: [held('mine'), held('asked')],
        also: [sql`(p.state = 'asked' or ${putOff})`, ...inStead],
      }
    case 'due-soon': {
      const until = await workingDays(db, now).endOf(SOON_WORKING_DAYS)
      return {
        of: 'inbox',
        places: [...offered('open'), held('mine')],
        due: { from: now.toISOString(), until, closed: true },
        also: inStead,
      }
    }
    case 'overdue':
      return {
        of: 'inbox',
        places: [...offered('open'), held('mine')],
        due: { until: now.toISOString() },
        also: inStead,
      }
    case 'waiting':
      return {
        of: 'decisions',
        places: stead ? [decided('by')] : [decided('by'), decided('for')],
        also: [stillRuns, ...decidedInStead],
      }
    case 'done':
      return { of: 'decisions', places: [decided('by')], also: decidedInStead }
  }
}

/** Ignores a cursor of another order, or one that the server did not issue. */
function positionOf(cursor: string, sort: Sort): { at: Position; count: Page<never>['count'] } {
  const [of, key, created, task, count] = readCursor(cursor, ['text', 'text', 'moment', 'text', 'text'])
  const [, value, more] = /^(\d{1,2})(\+?)$/.exec(count) ?? []
  if (of !== sort || !isKey(sort, key) || value === undefined)
    throw new BusinessError('platform.cursor-invalid', {}, [{ field: 'cursor', code: 'platform.cursor-invalid' }])
  return { at: { key, created, task }, count: { value: Number(value), more: more === '+' } }
}

/** One page of a queue. */
export async function listInbox(
  context: InboxDependencies,
  person: Person,
  query: ListQuery,
  language?: Language,
): Promise<TaskPage> {
  const { tasks, ...rest } = await pageOf(context, person, query)
  return { items: await taskSummaries(context, person, tasks, language), ...rest }
}

/** How many tasks of the query each queue has, exact to 99. */
export async function countInbox(
  context: InboxDependencies,
  person: Person,
  wanted: Omit<Wanted, 'queue' | 'sort'> = {},
): Promise<Counts> {
  const counts = await Promise.all(
    queues.map(async (queue) => {
      const listed = await listedOf(context, person, { ...wanted, queue })
      const { count, more } = await countList(context, {
        ...listed,
        ...(queue === 'waiting' && { examined: MAX_DECISIONS_COUNTED }),
      })
      const { value, more: beyond } = counted(count)
      return [queue, { value, more: more || beyond }] as const
    }),
  )
  const found = new Map(counts)
  return recordOf(queues, (queue) => known(found.get(queue), 'the count of a queue'))
}

/** A list as a file, which says whether it is complete. The export is logged in the audit trail. */
export async function exportInbox(
  context: InboxDependencies,
  person: Person,
  { format, ...query }: Wanted & { format: Sheet['format'] },
  language?: Language,
): Promise<Sheet & { rows: number; rest: boolean }> {
  const { db, clock = () => new Date(), exported = MAX_EXPORTED } = context
  const tasks: TaskSummary[] = []
  // Reading one task more than fits tells whether the file is complete.
  for (let cursor: string | null | undefined; cursor !== null && tasks.length <= exported;) {
    const limit = Math.min(EXPORT_PAGE_ROWS, exported + 1 - tasks.length)
    const read: Awaited<ReturnType<typeof pageOf>> = await pageOf(context, person, {
      ...query,
      limit,
      ...(cursor && { cursor }),
    })
    tasks.push(...(await taskSummaries(context, person, read.tasks, language)))
    cursor = read.next
  }
  const { columns } = await inboxFields(context, person, query.flow, language)
  const day = dayInColombo(clock())
  const rest = tasks.length > exported
  tasks.splice(exported)
  const sheet = await sheetOf(context, { format, tasks, columns, day, rest }, language)
  await noteExport(db, person, query, sheet, tasks.length)
  return { ...sheet, rows: tasks.length, rest }
}

/** The inbox: a person's tasks in lists whose cost does not depend on the number of tasks. */
export function inboxService(context: InboxDependencies) {
  return bound(context, { list: listInbox, count: countInbox, export: exportInbox })
}

/** The readers of a query: the person with all substitutions, or only one person they substitute for. */
function readersOf(person: Person, stead: string | undefined): Reader[] {
  const all = readers(person)
  if (stead) return all.filter((one) => one.for?.id === stead)
  const own = all.filter((one) => one.for === undefined)
  if (person.seesAll) return own
  const named = new Set(own.map(({ principal }) => principal))
  return [...own, ...all.filter((one) => one.for !== undefined && !named.has(one.principal))]
}

function placesOf(all: readonly Reader[], state: Place['state']): Place[] {
  return all.map(({ principal, flows, amountLimit }) => ({
    principal,
    state,
    flows: flows ?? null,
    limit: amountLimit?.toString() ?? null,
  }))
}

/** A task that a person holds themselves does not count as held by a colleague. */
function notHeldBy({ id }: Person) {
  return sql`(select true from inbox own where own.principal = ${`user:${id}`} and own.state in ('mine', 'asked')
    and own.created = i.created and own.task = i.task limit 1) is null`
}

/** The case of a decision still runs, and this was the person's last decision in it. */
const stillRuns = sql`(select c.state in ('starting', 'running') and not exists (
    select from task later where later.case_id = t.case_id and later.id <> t.id and later.state in ('accepted', 'done')
      and later.decided_at > t.decided_at and p.principal::uuid in (later.decided_by, later.decided_for))
  from task t join flow_case c on c.id = t.case_id where t.id = i.task)`

function text(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}

/** The start of a day in Colombo, `later` days after it. */
function startOf(day: string | undefined, later = 0): string | undefined {
  if (day === undefined) return undefined
  const date = new Date(Date.parse(`${day}T00:00:00Z`) + later * 86_400_000)
  return `${date.toISOString().slice(0, 10)}T00:00:00+05:30`
}
