import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Table } from '../../kernel/api/studio.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './studio.module.css'

const DecisionEditor = lazy(async () => ({ default: (await import('./decisions/editor.tsx')).DecisionEditor }))

const ScenariosPanel = lazy(async () => ({ default: (await import('./scenarios/panel.tsx')).ScenariosPanel }))

interface TablesProps {
  process: string
  tables: Table[]
  onChange(tables: Table[]): void
}

/** The draft's decision tables, one at a time. */
export function Tables({ process, tables, onChange }: TablesProps) {
  const { t } = useTexts()
  const [all, setAll] = useState(tables)
  const [shown, setShown] = useState(tables[0]?.key)
  const table = all.find(({ key }) => key === shown)
  const change = (content: string) => {
    const next = all.map((one) => (one.key === shown ? { ...one, content } : one))
    setAll(next)
    onChange(next)
  }
  if (!table) return <div className={css['other']}>{t('platform.studio.no-tables')}</div>
  return (
    <div className={css['other']}>
      {all.length > 1 && (
        <Segmented
          className={css['tables'] ?? ''}
          value={table.key}
          options={all.map(({ key }) => ({ value: key, label: key.replace(/^.*\//, '') }))}
          onChange={setShown}
        />
      )}
      <Suspense fallback={<Skeleton lines={6} />}>
        <DecisionEditor key={table.key} process={process} content={table.content} onChange={change} />
      </Suspense>
    </div>
  )
}

interface ScenariosProps {
  process: string
  onBefore(): Promise<boolean>
  onJump(element: string): void
}

/** The flow's scenarios, run on the current draft. */
export function Scenarios({ process, onBefore, onJump }: ScenariosProps) {
  return (
    <div className={css['other']}>
      <Suspense fallback={<Skeleton lines={6} />}>
        <ScenariosPanel process={process} draft onBefore={onBefore} onJump={onJump} />
      </Suspense>
    </div>
  )
}
