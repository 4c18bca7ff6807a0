import writeXlsxFile from 'write-excel-file/node'
import { bareCsvOf, csvOf } from '../../../../forms/platform/csv.ts'
import { COLOMBO_AHEAD_MS } from '../colombo.ts'

/** A list as a file. */
export interface Sheet {
  format: 'csv' | 'xlsx'
  name: string
  content: string | Buffer
}

/** Content of a cell: an amount in rupees, another number, a time, a text or nothing. */
export type Cell = { rupees: number } | { number: number } | { moment: Date } | string | null

/** Writes rows as a file; `name` without extension. */
export async function writeSheet(
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

/** A cell as text. */
export function plain(cell: Cell): string {
  if (cell === null || typeof cell === 'string') return cell ?? ''
  if ('number' in cell) return String(cell.number)
  return 'rupees' in cell ? cell.rupees.toFixed(2) : ofHouse(cell.moment).toISOString().slice(0, 16).replace('T', ' ')
}

function typed(cell: Cell) {
  if (cell === null) return null
  // Keep texts as texts, even if they look like numbers or formulas.
  if (typeof cell === 'string') return { value: cell, type: String }
  if ('number' in cell) return { value: cell.number, type: Number }
  if ('rupees' in cell) return { value: cell.rupees, type: Number, format: '#,##0.00' }
  return { value: ofHouse(cell.moment), type: Date, format: 'yyyy-mm-dd hh:mm' }
}

/** Spreadsheets have no time zones, so use the local time of Colombo. */
export function ofHouse(at: Date): Date {
  return new Date(at.getTime() + COLOMBO_AHEAD_MS)
}
