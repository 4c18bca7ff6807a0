import { Button } from 'antd'
import { useState, type ReactNode } from 'react'
import { useTexts } from '../../kernel/texts/texts.ts'

/** The number of steps shown at once; if there are more, only the last ones until the reader asks for all. */
const most = 5
const last = 3

/** The steps to show, and a button for the others. */
export function useLastSteps<T>(steps: readonly T[]): { shown: readonly T[]; before: ReactNode } {
  const { t } = useTexts()
  const [all, setAll] = useState(false)
  if (all || steps.length <= most) return { shown: steps, before: null }
  return {
    shown: steps.slice(-last),
    before: (
      <li data-stage="between">
        <Button size="small" onClick={() => setAll(true)}>
          {t('platform.stage.between', { count: steps.length - last })}
        </Button>
      </li>
    ),
  }
}
