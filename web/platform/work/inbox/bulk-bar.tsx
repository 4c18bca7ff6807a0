import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import useSWR from 'swr'
import { previewBulk, type BulkKind } from '../../kernel/api/bulk.ts'
import type { TaskRow } from '../../kernel/client/types.ts'
import { useShortcuts } from '../../kernel/keyboard/shortcuts.ts'
import { useMe } from '../../kernel/session/session.ts'
import { refuses, withoutDots } from '../case/outcomes.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './bulk-bar.module.css'
import { most, type Selection } from './selection.ts'

const BulkDialog = lazy(() => import('./bulk-dialog.tsx'))

interface BulkBarProps {
  selection: Selection
  /** The selected rows. */
  rows: readonly TaskRow[]
  /** How many rows can be selected. */
  present: number
  onDone(): void
}

/** An act on the selected tasks; `outcome` if they are decided. */
export interface Planned {
  kind: BulkKind
  outcome?: string
}

/** The acts on a selection: its most common outcomes, claiming, releasing and assigning. */
export function BulkBar({ selection, rows, present, onDone }: BulkBarProps) {
  const { t } = useTexts()
  const me = useMe()
  const [planned, setPlanned] = useState<Planned>()
  const { outcomes, fits } = useOutcomes(rows)
  const approve = outcomes.find(({ value }) => !refuses(value))
  const reject = outcomes.find(({ value }) => refuses(value))
  const some = rows.length > 0
  const decide = (outcome: { value: string } | undefined) =>
    outcome && setPlanned({ kind: 'complete', outcome: outcome.value })
  const free = rows.filter(({ assignee }) => !assignee).length
  const mine = rows.filter(({ assignee }) => assignee?.id === me.id).length
  /** The button says how many tasks it affects. */
  const label = (act: string, count: number) =>
    count < rows.length ? t('platform.inbox.bulk.some', { act, count, all: rows.length }) : act
  useShortcuts('platform.inbox.with-chosen', [
    { key: 'a', title: 'platform.inbox.key.approve', run: () => decide(approve), when: some, first: true },
    { key: 'r', title: 'platform.inbox.key.reject', run: () => decide(reject), when: some, first: true },
    {
      key: 'e',
      title: 'platform.inbox.key.claim',
      run: () => setPlanned({ kind: 'claim' }),
      when: some && free > 0,
      first: true,
    },
    { key: 'Escape', title: 'platform.inbox.key.clear', run: selection.clear, when: some, first: true },
  ])
  return (
    <>
      <output className="visually-hidden">{some && t('platform.inbox.selected', { count: rows.length })}</output>
      {some && (
        <section className={css['bar']} aria-label={t('platform.inbox.with-chosen')}>
          <p>
            <strong>{t('platform.inbox.selected', { count: rows.length })}</strong>
            {rows.length < Math.min(present, most) && (
              <Button type="link" size="small" onClick={selection.all}>
                {t('platform.inbox.select-all-shown', { count: Math.min(present, most) })}
              </Button>
            )}
            <Button type="link" size="small" onClick={selection.clear}>
              {t('platform.inbox.clear-selection')}
            </Button>
          </p>
          <div className={css['acts']}>
            {outcomes.map((outcome, at) => (
              <Button
                key={outcome.value}
                type={at === 0 ? 'primary' : 'default'}
                danger={at > 0 && refuses(outcome.value)}
                onClick={() => decide(outcome)}
              >
                {label(withoutDots(t(outcome.title)), fits)}
              </Button>
            ))}
            {free > 0 && (
              <Button onClick={() => setPlanned({ kind: 'claim' })}>{label(t('platform.inbox.claim'), free)}</Button>
            )}
            {mine > 0 && (
              <Button onClick={() => setPlanned({ kind: 'release' })}>
                {label(t('platform.inbox.release'), mine)}
              </Button>
            )}
            <Button onClick={() => setPlanned({ kind: 'assign' })}>{t('platform.inbox.give')}</Button>
          </div>
        </section>
      )}
      {planned && (
        <Suspense fallback={null}>
          <BulkDialog
            planned={planned}
            rows={rows}
            onClose={(begun) => {
              setPlanned(undefined)
              if (begun) onDone()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** Sample tasks per desk: one of them may be closed to the reader. */
const examples = 3

/** The outcomes that most of the selected tasks have, and how many of them wait at a desk with it. */
function useOutcomes(rows: readonly TaskRow[]): { outcomes: { value: string; title: string }[]; fits: number } {
  const desks = Object.values(Object.groupBy(rows, ({ flow, desk }) => `${flow} ${desk}`))
    .flatMap((tasks = []) => [{ count: tasks.length, shown: tasks.slice(0, examples).map(({ id }) => id) }])
    .sort((a, b) => b.count - a.count)
  const tasks = desks.flatMap(({ shown }) => shown)
  const { data } = useSWR(
    tasks.length > 0 ? ['outcomes', ...tasks] : null,
    () => previewBulk({ kind: 'complete', tasks }),
    { revalidateOnFocus: false, revalidateIfStale: false, keepPreviousData: true },
  )
  const fitting = desks.filter(({ shown }) => shown.some((id) => data?.doable.includes(id)))
  return { outcomes: data?.outcomes ?? [], fits: fitting.reduce((sum, { count }) => sum + count, 0) }
}
