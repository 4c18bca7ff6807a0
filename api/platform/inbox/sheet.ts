import type { Kysely } from 'kysely'
import writeXlsxFile from 'write-excel-file/node'
import { bareCsvOf, csvOf } from '../../../forms/platform/csv.ts'
import { audit } from '../audit/audit.ts'
import { COLOMBO_AHEAD } from '../calendar/colombo.ts'
import type { DB } from '../db/database.generated.ts'
import type { Language, Library } from '../flows/library.ts'
import type { Person } from '../identity/person.ts'
import type { Wanted } from './query.ts'
import type { TaskSummary } from './task-rows.ts'

/** A list as a file. */
export interface Sheet {
  format: 'csv' | 'xlsx'
  name: string
  content: string | Buffer
}

/** What stands in a cell: an amount in rupees, another number, a moment, a text or nothing. */
export type Cell = { rupees: number } | { number: number } | { moment: Date } | string | null

/** Writes tasks as a file, with the columns of the flow behind what every task has. */
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
    /** There is more than the file holds. */
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
  // Whoever is given the file has not seen the page.
  if (rest)
    body.push([library.text('platform.inbox.sheet.rest', { rows: tasks.length.toLocaleString('en') }, language)])
  return written(format, head, body, `inbox-${day}`)
}

/** Writes rows as a file; `name` without its ending. */
export async function written(
  format: Sheet['format'],
  head: string[],
  body: Cell[][],
  name: string,
  { forMachines = false } = {},
): Promise<Sheet> {
  if (format === 'xlsx') return xlsx(head, body, name)
  const content = (forMachines ? bareCsvOf : csvOf)([head, ...body.map((row) => row.map(plain))])
  return { format, name: `${name}.csv`, content }
}

async function xlsx(head: string[], body: Cell[][], name: string): Promise<Sheet> {
  const rows = [head.map((value) => ({ value, fontWeight: 'bold' as const })), ...body.map((row) => row.map(typed))]
  const content = await writeXlsxFile(rows, { stickyRowsCount: 1, columns: head.map(() => ({ width: 20 })) }).toBuffer()
  return { format: 'xlsx', name: `${name}.xlsx`, content }
}

function moment(at: string | null): Cell {
  return at === null ? null : { moment: new Date(at) }
}

/** A cell as text. */
export function plain(cell: Cell): string {
  if (cell === null || typeof cell === 'string') return cell ?? ''
  if ('number' in cell) return String(cell.number)
  return 'rupees' in cell ? cell.rupees.toFixed(2) : ofHouse(cell.moment).toISOString().slice(0, 16).replace('T', ' ')
}

function typed(cell: Cell) {
  if (cell === null) return null
  // A text stays one, whatever it looks like.
  if (typeof cell === 'string') return { value: cell, type: String }
  if ('number' in cell) return { value: cell.number, type: Number }
  if ('rupees' in cell) return { value: cell.rupees, type: Number, format: '#,##0.00' }
  return { value: ofHouse(cell.moment), type: Date, format: 'yyyy-mm-dd hh:mm' }
}

/** Spreadsheets know no zones, so they are given the hours of the house. */
export function ofHouse(at: Date): Date {
  return new Date(at.getTime() + COLOMBO_AHEAD)
}

/** Notes that a list has left the house as a file. */
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
