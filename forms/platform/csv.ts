/** A cell quoted where needed. */
const cell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** A text that no spreadsheet takes for a formula. */
const safe = (value: string): string => (/^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value)

/** Rows as CSV that a machine reads: every cell as it is. */
export function bareCsvOf(rows: string[][]): string {
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

/** Rows as CSV; the mark in front makes spreadsheets read Sinhala and Tamil rightly. */
export function csvOf(rows: string[][]): string {
  return `\uFEFF${bareCsvOf(rows.map((row) => row.map(safe)))}`
}
