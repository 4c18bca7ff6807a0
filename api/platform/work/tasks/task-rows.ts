import { type Kysely, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import { daysBetween, readCalendar } from '../../records/calendar/working-days.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import { type Named, wordsOf } from '../../model/library/words.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Language, Library, Manifest } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { type Who, whoOf } from '../../people/persons/who.ts'
import { type FieldSchema, at } from '../../model/definitions/register.ts'
import { readable } from '../../model/library/readable.ts'
import { rightOn } from '../offers/right-on.ts'
import type { TaskRow, TaskState } from '../rows/tasks.ts'
import { listCandidates } from '../rows/candidates.ts'
import { rupees } from '../../kernel/rupees.ts'
import { columnsOf, optionsOf } from './columns.ts'
import { itemTitles } from '../rows/items.ts'
import { bound } from '../../kernel/bound.ts'

export interface TaskSummary {
  id: string
  caseId: string
  reference: string
  flow: string
  flowTitle: string
  desk: string
  name: string
  /** One line by which people recognise the case. */
  title: string
  subject: JsonObject
  requester: Who & { registered: boolean }
  state: TaskState
  assignee: Who | null
  /** The absent person its assignee holds it for. */
  heldFor: Who | null
  /** The absent person, if the reader has it only as their substitute. */
  for: Who | null
  /** Who asked the present assignee for an opinion. */
  delegatedBy: Who | null
  /** Whether a question to the requester is open. */
  asked: boolean
  /** How many comments on the case the reader can read. */
  comments: number
  /** Who decided it, also while the decision is pending. */
  decidedBy: Who | null
  decidedAt: string | null
  outcome: Named | null
  createdAt: string
  dueAt: string | null
  /** Working days since it was due; null if it is not late. */
  overdue: { workdays: number } | null
  followUpAt: string | null
  priority: number
  /** In cents. */
  amount: number | null
  status: Named
  /** The vacant principal, if that is why the reader has the task: *HOD, Department of Painting*. */
  standsInFor: string | null
  /** The flow's columns, by name. */
  columns: Record<string, { text: string }>
  version: number
}

export interface TaskRowsDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  clock?: () => Date
}

/** The data of summaries that is not in the rows of case and task. */
async function surroundingsOf({ db }: TaskRowsDependencies, person: Person, tasks: readonly TaskRow[]) {
  const caseIds = [...new Set(tasks.map((row) => row.case_id))]
  const [candidates, asked, comments, said] = await Promise.all([
    listCandidates(
      db,
      tasks.map(({ id }) => id),
    ),
    db
      .selectFrom('task_question')
      .select('task_id')
      .where('task_id', '=', sql<string>`any(${tasks.map(({ id }) => id)})`)
      .where('answered_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .execute(),
    db
      .selectFrom('case_comment')
      .select((eb) => ['case_id', eb.fn.countAll<string>().as('count')])
      .where('case_id', '=', sql<string>`any(${caseIds}::uuid[])`)
      .where('deleted_at', 'is', null)
      .where((eb) => eb.or([eb('kind', '<>', 'note'), eb('author_id', '=', person.id)]))
      .groupBy('case_id')
      .execute(),
    db
      .selectFrom('flow_case as c')
      .select((eb) => [
        'c.id',
        'c.data',
        eb
          .selectFrom('case_item as i')
          .innerJoin('register_item as r', 'r.id', 'i.item_id')
          .select(sql<Record<string, string> | null>`json_object_agg(i.path, r.title)`.as('titles'))
          .whereRef('i.case_id', '=', 'c.id')
          .as('titles'),
      ])
      .where('c.id', '=', sql<string>`any(${caseIds}::uuid[])`)
      .execute(),
  ])
  return {
    candidates: new Map(tasks.map(({ id }) => [id, candidates.filter((one) => one.task_id === id)])),
    asked: new Set(asked.map((one) => one.task_id)),
    comments: new Map(comments.map((one) => [one.case_id, Number(one.count)])),
    said: new Map(said.map((one) => [one.id, { data: one.data, titles: one.titles ?? {} }])),
  }
}

/** For a late task, the working days after its due date. */
async function latenessOf(
  { db, clock = () => new Date() }: TaskRowsDependencies,
  tasks: readonly TaskRow[],
): Promise<(row: TaskRow) => TaskSummary['overdue']> {
  const now = clock()
  const missedDue = ({ due_at: due, state }: TaskRow) =>
    due !== null && due < now && (state === 'open' || state === 'held') ? due : undefined
  const late = tasks.flatMap((row) => missedDue(row)?.getTime() ?? [])
  if (late.length === 0) return () => null
  const first = dayInColombo(Math.min(...late))
  const days = daysBetween(await readCalendar(db, first), first, dayInColombo(now)).filter(({ hours }) => hours)
  return (row) => {
    const missed = missedDue(row)
    if (!missed) return null
    const due = dayInColombo(missed)
    return { workdays: days.filter(({ date }) => date > due).length }
  }
}

/** Tasks as this person's inbox shows them, in the same order. */
export async function taskSummaries(
  context: TaskRowsDependencies,
  person: Person,
  tasks: readonly TaskRow[],
  language?: Language,
): Promise<TaskSummary[]> {
  const { db, library } = context
  if (tasks.length === 0) return []
  const [around, overdue] = await Promise.all([surroundingsOf(context, person, tasks), latenessOf(context, tasks)])
  const vacancies = tasks.flatMap((row) => vacancyOf(person, candidatesOf(row, around)) ?? [])
  const ids = vacancies.flatMap((one) => one.split(':').slice(1))
  const told = { ...around, overdue, titles: await itemTitles(db, ids), words: wordsOf(library, language), language }
  return Promise.all(tasks.map((row) => summaryOf(context, person, row, told)))
}

/** The sources of task summaries, beside their rows. */
type Told = Awaited<ReturnType<typeof surroundingsOf>> & {
  overdue: (row: TaskRow) => TaskSummary['overdue']
  /** Of the units with vacant posts. */
  titles: ReadonlyMap<string, string>
  words: ReturnType<typeof wordsOf>
  language: Language | undefined
}

async function summaryOf(
  context: TaskRowsDependencies,
  person: Person,
  row: TaskRow,
  { candidates, asked, comments, said, overdue, titles, words, language }: Told,
): Promise<TaskSummary> {
  const { manifest, forms } = await context.definitions.get(row.process_definition_id)
  const offered = candidatesOf(row, { candidates })
  const vacancy = vacancyOf(person, offered)
  const own = row.requester_id === person.id || row.sent_by === person.id
  const { data, titles: items } = known(said.get(row.case_id), 'the content of the case')
  return {
    id: row.id,
    caseId: row.case_id,
    reference: row.reference,
    flow: row.flow,
    flowTitle: words.flowTitle(manifest),
    desk: row.desk,
    name: words.element(row.flow, row.desk, row.name),
    title: words.caseTitle(manifest, row.subject),
    subject: row.subject,
    requester: { id: row.requester_id, name: row.requester_name, registered: row.requester_registered },
    state: row.state,
    assignee: whoOf(row.assignee_id, row.assignee_name),
    heldFor: whoOf(row.held_for, row.held_for_name),
    for: steadOf(person, row, offered),
    delegatedBy: whoOf(row.delegated_by, row.delegated_by_name),
    asked: asked.has(row.id),
    comments: own ? 0 : (comments.get(row.case_id) ?? 0),
    decidedBy: whoOf(row.decided_by, row.decider_name),
    decidedAt: row.decided_at?.toISOString() ?? null,
    outcome: await outcomeOf(context, row, words),
    createdAt: row.created_at.toISOString(),
    dueAt: row.due_at?.toISOString() ?? null,
    overdue: overdue(row),
    followUpAt: row.follow_up_at?.toISOString() ?? null,
    priority: row.priority,
    amount: row.amount === null ? null : Number(row.amount),
    status: words.status(manifest, 'status', row.status),
    standsInFor: vacancy === undefined ? null : words.principal(vacancy, titles),
    columns: await columnTexts(context, manifest, forms, { data, items }, language),
    version: row.version,
  }
}

type Offered = Awaited<ReturnType<typeof listCandidates>>

function candidatesOf({ id }: TaskRow, { candidates }: { candidates: ReadonlyMap<string, Offered> }): Offered {
  return known(candidates.get(id), 'the candidates of the task')
}

/** The vacant principal, if this person has the task for no other reason. */
function vacancyOf(person: Person, offered: Offered): string | undefined {
  const own = offered.filter(({ principal }) => person.principals.includes(principal))
  return own.some((one) => one.stands_in_for === null) ? undefined : (own[0]?.stands_in_for ?? undefined)
}

/** The absent person that this person has or decided a task for. */
function steadOf(person: Person, row: TaskRow, offered: Offered): Who | null {
  if (row.decided_by === person.id) return whoOf(row.decided_for, row.decided_for_name)
  const principals = offered.map(({ principal }) => principal)
  return rightOn(person, row, principals)?.standsFor ?? null
}

async function outcomeOf(
  { definitions }: TaskRowsDependencies,
  row: TaskRow,
  words: ReturnType<typeof wordsOf>,
): Promise<Named | null> {
  if (row.outcome === null) return null
  const schema = row.form_hash === null ? {} : (await definitions.form(row.form_hash)).schema
  return { key: row.outcome, text: words.choice(schema, 'outcome', row.outcome) }
}

/** The texts of a flow's columns for one case. */
async function columnTexts(
  { library, definitions }: TaskRowsDependencies,
  manifest: Manifest,
  forms: Readonly<Record<string, string>>,
  { data, items }: { data: JsonObject; items: Record<string, string> },
  language: Language = 'en',
): Promise<TaskSummary['columns']> {
  const hash = forms[manifest.start]
  if (hash === undefined || manifest.columns === undefined) return {}
  const { schema } = await definitions.form(hash)
  const told = columnsOf(manifest, schema).flatMap(({ name, pointer, field }) => {
    const value = at(data, pointer)
    if (value === undefined || value === null) return []
    return [[name, items[pointer] ?? textOf(field, value)] as const]
  })
  const plain = readable(Object.fromEntries(told), language)
  return Object.fromEntries(Object.entries(plain).map(([name, text]) => [name, { text: String(text) }]))

  function textOf(field: FieldSchema, value: unknown): unknown {
    if (typeof value === 'boolean') return library.text(value ? 'platform.yes' : 'platform.no', {}, language)
    if (field['x-unit'] === 'LKR cents' && typeof value === 'number') return rupees(value)
    if (Array.isArray(value)) return value.map((one) => textOf(field.items ?? {}, one)).join(', ')
    const option = optionsOf(field).find((one) => one.value === value)
    return option === undefined ? value : library.text(option.title, {}, language)
  }
}

/** One task as this person's inbox shows it. */
export async function taskSummary(
  context: TaskRowsDependencies,
  person: Person,
  task: TaskRow,
  language?: Language,
): Promise<TaskSummary> {
  const [one] = await taskSummaries(context, person, [task], language)
  return known(one, 'the row of the task')
}

/** Tasks as rows of the inbox, in the reader's language. */
export function taskRows(context: TaskRowsDependencies) {
  return bound(context, { rows: taskSummaries, row: taskSummary })
}
