/** A cell as spreadsheets read it: quoted where needed, and never taken for a formula. */
const cell = (value: string): string => {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Saves rows as a CSV file; the mark in front makes spreadsheets read Sinhala and Tamil rightly. */
export function saveCsv(name: string, rows: string[][]): void {
  const content = `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
  const address = URL.createObjectURL(new Blob([content], { type: 'text/csv;charset=utf-8' }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}
