import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { EntryChoice } from '../../kernel/api/entry-batches.ts'
import type { Count } from '../../kernel/client/types.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './entry-batch.module.css'
import type { Register } from './registers.ts'

const GatherDialog = lazy(() => import('./gather-dialog.tsx'))

interface GatheredProps {
  flows: Register['gatherFlows']
  /** The chosen rows; if there are none, those of the search and filters. */
  chosen: readonly string[]
  filtered: EntryChoice | undefined
  /** How many match the search and filters. */
  count: Count | undefined
  onBegun(): void
}

/** Starts flows for many entries of a list at once. */
export function Gathered({ flows, chosen, filtered, count, onBegun }: GatheredProps) {
  const { t } = useTexts()
  const [planned, setPlanned] = useState<{ flow: Register['gatherFlows'][number]; choice: EntryChoice }>()
  const choice = chosen.length > 0 ? { ids: [...chosen] } : filtered
  return (
    <div className={css['bar']}>
      {flows.map((flow) => (
        <Button
          key={flow.flow}
          className={css['wraps'] ?? ''}
          disabled={choice === undefined}
          onClick={() => choice && setPlanned({ flow, choice })}
        >
          {chosen.length > 0
            ? t('platform.entry-batch.chosen', { flow: t(flow.title), count: chosen.length })
            : choice && count && !count.more
              ? t('platform.gather.matching', { flow: t(flow.title), count: count.value })
              : t('platform.gather.these', { flow: t(flow.title) })}
        </Button>
      ))}
      {planned && (
        <Suspense>
          <GatherDialog
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
