import { Alert, Button } from 'antd'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { Saved } from './saver.ts'
import css from './studio.module.css'

/** A draft that the server refuses: it can be downloaded before it is given up. */
export function Refused({
  saved,
  onAgain,
  onKeep,
}: {
  saved: Saved
  onAgain(takeOver: boolean): void
  onKeep(): Promise<void>
}) {
  const { t } = useTexts()
  if (saved.state !== 'refused') return null
  const locked = saved.code === 'platform.draft-locked'
  return (
    <Alert
      type="error"
      banner
      showIcon
      title={saved.detail}
      description={t('platform.studio.not-saved')}
      action={
        <span className={css['buttons']}>
          <Button size="small" onClick={() => void onKeep()}>
            {t('platform.studio.keep-file')}
          </Button>
          <Button size="small" onClick={() => onAgain(false)}>
            {t('platform.studio.open-theirs')}
          </Button>
          {locked && (
            <Button size="small" onClick={() => onAgain(true)}>
              {t('platform.studio.take-over')}
            </Button>
          )}
        </span>
      }
    />
  )
}
