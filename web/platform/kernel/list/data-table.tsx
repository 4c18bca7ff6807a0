import type { ReactNode } from 'react'
import css from './data-table.module.css'

/** One column: its heading, which repeats beside each cell on a phone, and the content of its cells. */
export interface Column<Row> {
  label: string
  cell(row: Row): ReactNode
  /** Its texts can be long. */
  long?: boolean
  /** It holds buttons; only screen readers get its heading. */
  acts?: boolean
}

interface DataTableProps<Row> {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
  className?: string | undefined
}

/** A read-only table: rows if there is room, one block each on a phone. */
export function DataTable<Row>({ columns, rows, keyOf, className = '' }: DataTableProps<Row>) {
  return (
    <table className={`${css.table} ${className}`}>
      <thead>
        <tr>
          {columns.map(({ label, acts }) => (
            <th key={label} scope="col">
              {acts ? <span className="visually-hidden">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ label, cell, long, acts }) =>
              acts ? (
                <td key={label} className={css.acts}>
                  {cell(row)}
                </td>
              ) : (
                <td key={label} data-label={label} className={long ? css.long : undefined}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
