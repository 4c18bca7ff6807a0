import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { LineChoice } from '../../kernel/api/line-batches.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './line-batch.module.css'
import { LineProgress } from './line-progress.tsx'

const LineDialog = lazy(() => import('./line-dialog.tsx'))

interface LineBatchesProps {
  flows: { flow: string; title: string }[]
  /** The chosen rows; if there are none, those of the search and filters. */
  chosen: readonly string[]
  filtered: LineChoice
  /** A batch was started. */
  onBegun(): void
  /** The progress of a batch has changed. */
  onProgress(): void
}

/** Opens flows for many entries of a list, and shows how far the newest batch is. */
export function LineBatches({ flows, chosen, filtered, onBegun, onProgress }: LineBatchesProps) {
  const { t } = useTexts()
  const [planned, setPlanned] = useState<{ flow: string; title: string; choice: LineChoice }>()
  const choice: LineChoice = chosen.length > 0 ? { ids: [...chosen] } : filtered
  return (
    <div className={css['lines']}>
      {flows.map(({ flow, title }) => (
        <section key={flow} aria-label={t(title)}>
          <div className={css['bar']}>
            <Button onClick={() => setPlanned({ flow, title, choice })}>
              {chosen.length > 0
                ? t('platform.line-batch.chosen', { flow: t(title), count: chosen.length })
                : t('platform.line-batch.filtered', { flow: t(title) })}
            </Button>
            <LineProgress flow={flow} onProgress={onProgress} />
          </div>
        </section>
      ))}
      {planned && (
        <Suspense>
          <LineDialog
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
