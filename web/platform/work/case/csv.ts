import { csvOf } from '../../../../forms/platform/csv.ts'
import { save } from '../../kernel/files/save.ts'

export const csvFile = (rows: string[][]): Blob => new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' })

export function saveCsv(name: string, rows: string[][]): void {
  save(name, csvFile(rows))
}
