import { Button, Tag } from 'antd'
import type { ScenarioRow } from '../../../kernel/api/scenarios.ts'
import { useTexts } from '../../../kernel/texts/texts.ts'
import css from './panel.module.css'

type Last = ScenarioRow['last']
type Reason = NonNullable<Last>['reasons'][number]

/** The last result of a scenario; it also says if the flow has changed since. */
export function Went({ last }: { last: Last }) {
  const { t } = useTexts()
  if (!last) return <Tag>{t('platform.studio-scenarios.never')}</Tag>
  return (
    <>
      <Tag color={last.outdated ? 'default' : last.passed ? 'success' : 'error'}>
        {t(last.passed ? 'platform.studio-scenarios.passed' : 'platform.studio-scenarios.failed')}
      </Tag>
      {last.outdated && (
        <Tag color="warning">
          {t(last.ofDraft ? 'platform.studio-scenarios.of-older-draft' : 'platform.studio-scenarios.of-older-version')}
        </Tag>
      )}
    </>
  )
}

/** Where a run differed from what was expected, and in what; element names link to the canvas. */
export function Reasons({ reasons, onJump }: { reasons: readonly Reason[]; onJump?: (element: string) => void }) {
  const { t } = useTexts()
  return (
    <ul className={css['reasons']}>
      {reasons.map(({ element, reason, step }) => (
        <li key={`${step} ${reason}`}>
          {step !== undefined && <span className={css['at']}>{t('platform.studio-scenarios.at-step', { step })} </span>}
          {element && onJump ? (
            <Button type="link" className={css['jump'] ?? ''} onClick={() => onJump(element)}>
              {reason}
            </Button>
          ) : (
            reason
          )}
        </li>
      ))}
    </ul>
  )
}
