import type { ReactNode } from 'react'
import { DataTable } from '../../kernel/list/data-table.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './audit.module.css'

export function Part({
  title,
  none = 'platform.audit-dossier.none',
  empty,
  children,
}: {
  title: string
  /** Text key of the sentence for an empty table. */
  none?: string | undefined
  empty: boolean
  children: ReactNode
}) {
  const { t } = useTexts()
  return (
    <section className={css.part}>
      <h2>{t(`platform.audit-then.${title}`)}</h2>
      {empty ? <p className={css.soft}>{t(none)}</p> : children}
    </section>
  )
}

/** A read-only table; the first cell of each row is its React key. */
export function Rows({
  columns,
  rows,
}: {
  columns: readonly string[]
  rows: readonly (readonly [string, ...ReactNode[]])[]
}) {
  const { t } = useTexts()
  return (
    <DataTable
      rows={rows}
      keyOf={([key]) => key}
      columns={columns.map((column, place) => ({
        label: t(`platform.audit-head.${column}`),
        cell: (row: (typeof rows)[number]) => <div>{row[place + 1]}</div>,
      }))}
    />
  )
}
