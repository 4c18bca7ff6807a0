import { csvOf } from '../../../../forms/platform/csv.ts'

export function saveCsv(name: string, rows: string[][]): void {
  const address = URL.createObjectURL(new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}
