/** A cell as spreadsheets read it: quoted where needed, and never taken for a formula. */
const cell = (value: string): string => {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows as CSV; the mark in front makes spreadsheets read Sinhala and Tamil rightly. */
export function csvOf(rows: string[][]): string {
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}
