import type { Kysely } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Language, Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { type Cell, type Sheet, writeSheet } from '../../kernel/sheets/sheet.ts'
import type { Wanted } from './query.ts'
import type { TaskSummary } from '../tasks/task-rows.ts'

/** Writes tasks as a file: common columns first, then the columns of the flow. */
export function sheetOf(
  { library }: { library: Library },
  {
    format,
    tasks,
    columns,
    day,
    rest,
  }: {
    format: Sheet['format']
    tasks: readonly TaskSummary[]
    columns: readonly { name: string; title: string }[]
    day: string
    /** There are more tasks than the file holds. */
    rest: boolean
  },
  language: Language = 'en',
): Promise<Sheet> {
  const told: [title: string, cell: (task: TaskSummary) => Cell][] = [
    ['platform.cases.reference', ({ reference }) => reference],
    ['platform.inbox.by.flow', ({ flowTitle }) => flowTitle],
    ['platform.inbox.by.desk', ({ name }) => name],
    ['platform.inbox.column.title', ({ title }) => title],
    ['platform.cases.requester', ({ requester }) => requester.name],
    ['platform.cases.status', ({ status }) => status.text],
    ['platform.inbox.by.amount', ({ amount }) => (amount === null ? null : { rupees: amount / 100 })],
    ['platform.inbox.by.day', ({ createdAt }) => moment(createdAt)],
    ['platform.inbox.sheet.due', ({ dueAt }) => moment(dueAt)],
    ['platform.inbox.sheet.assignee', ({ assignee }) => assignee?.name ?? null],
    ['platform.inbox.by.for', (task) => (task.for ?? task.heldFor)?.name ?? null],
    ['platform.inbox.sheet.decided', ({ decidedAt }) => moment(decidedAt)],
    ['platform.inbox.sheet.outcome', ({ outcome }) => outcome?.text ?? null],
  ]
  const head = [...told.map(([title]) => library.text(title, {}, language)), ...columns.map(({ title }) => title)]
  const body: Cell[][] = tasks.map((task) => [
    ...told.map(([, cell]) => cell(task)),
    ...columns.map(({ name }) => task.columns[name]?.text ?? null),
  ])
  // People who receive the file have not seen the page.
  if (rest)
    body.push([library.text('platform.inbox.sheet.rest', { rows: tasks.length.toLocaleString('en') }, language)])
  return writeSheet(format, head, body, `inbox-${day}`)
}

function moment(at: string | null): Cell {
  return at === null ? null : { moment: new Date(at) }
}

/** Logs the export of a list in the audit trail. */
export async function noteExport(
  db: Kysely<DB>,
  person: Person,
  query: Wanted,
  sheet: Sheet,
  rows: number,
): Promise<void> {
  const payload = { ...query, format: sheet.format, rows }
  await db.transaction().execute((trx) => audit(trx).record({ actor: person.id, action: 'inbox.exported', payload }))
}
