import { lazy, Suspense } from 'react'
import { useSession } from '../../platform/kernel/session/session.ts'
import { useTexts, wantStaffTexts } from '../../platform/kernel/texts/texts.ts'
import css from './calendar.module.css'

const CalendarFeed = lazy(async () => {
  const [{ CalendarFeed: feed }] = await Promise.all([
    import('../../platform/people/calendar-feed/calendar-feed.tsx'),
    wantStaffTexts(),
  ])
  return { default: feed }
})

/** For signed-in people: subscribes their calendar program to this calendar. */
export function Subscribe({ resource, name }: { resource: string; name: string }) {
  const { t } = useTexts()
  const session = useSession()
  if (session.state !== 'in') return null
  return (
    <details className={css.subscribe}>
      <summary>{t('resource-reservation.calendar.subscribe')}</summary>
      <Suspense fallback={null}>
        <CalendarFeed item={resource} name={name} />
      </Suspense>
    </details>
  )
}
