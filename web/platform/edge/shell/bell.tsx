import { BellOutlined } from '@ant-design/icons'
import { lazy, Suspense, useState } from 'react'
import { useNotifications } from '../../kernel/api/notifications.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './shell.module.css'

const NotificationDrawer = lazy(() => import('./notification-drawer.tsx'))

/** Opens the notifications and shows how many are new. */
export function Bell() {
  const { t } = useTexts()
  const { count } = useFormats()
  const { data } = useNotifications()
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  const unseen = data?.unseen ?? 0
  return (
    <>
      <button
        type="button"
        className={css['tool']}
        aria-haspopup="dialog"
        aria-label={
          unseen > 0
            ? t('platform.notifications.unseen', { count: unseen, shown: count(unseen) })
            : t('platform.notifications')
        }
        onClick={() => setState('open')}
      >
        <BellOutlined />
        {unseen > 0 && (
          <span className={css['unseen']} aria-hidden>
            {count(unseen)}
          </span>
        )}
      </button>
      {state !== 'never' && (
        <Suspense fallback={null}>
          <NotificationDrawer open={state === 'open'} close={() => setState('closed')} />
        </Suspense>
      )}
    </>
  )
}
