import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { EntryChoice } from '../../kernel/api/entry-batches.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './entry-batch.module.css'
import { EntryProgress } from './entry-progress.tsx'

const EntryDialog = lazy(() => import('./entry-dialog.tsx'))

interface EntryBatchesProps {
  flows: { flow: string; title: string }[]
  /** The chosen rows; if there are none, those of the search and filters. */
  chosen: readonly string[]
  filtered: EntryChoice | undefined
  /** A batch was started. */
  onBegun(): void
  /** The progress of a batch has changed. */
  onProgress(): void
}

/** Opens flows for many entries of a list, and shows how far the newest batch is. */
export function EntryBatches({ flows, chosen, filtered, onBegun, onProgress }: EntryBatchesProps) {
  const { t } = useTexts()
  const [planned, setPlanned] = useState<{ flow: string; title: string; choice: EntryChoice }>()
  const choice = chosen.length > 0 ? { ids: [...chosen] } : filtered
  return (
    <div className={css['entries']}>
      {flows.map(({ flow, title }) => (
        <section key={flow} aria-label={t(title)}>
          <div className={css['bar']}>
            <Button disabled={choice === undefined} onClick={() => choice && setPlanned({ flow, title, choice })}>
              {chosen.length > 0
                ? t('platform.entry-batch.chosen', { flow: t(title), count: chosen.length })
                : t('platform.entry-batch.filtered', { flow: t(title) })}
            </Button>
            <EntryProgress flow={flow} onProgress={onProgress} />
          </div>
        </section>
      ))}
      {planned && (
        <Suspense>
          <EntryDialog
            {...planned}
            onClose={(begun) => {
              setPlanned(undefined)
              if (begun) onBegun()
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
