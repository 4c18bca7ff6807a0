import { Button } from 'antd'
import { Link } from 'wouter'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { Skeleton } from '../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../platform/kernel/states/trouble.tsx'
import { useTexts } from '../platform/kernel/texts/texts.ts'
import css from './calendar/calendar.module.css'
import { Subscribe } from './calendar/subscribe.tsx'
import { TakenCalendar } from './calendar/taken-calendar.tsx'
import { useResource } from './catalogue/resources.ts'

/** /resource_calendar/{id}: the calendar of one resource as a page of its own. */
export default function ResourceCalendarPage({ params: { id = '' } }: PageProps) {
  const { t } = useTexts()
  const { data, error, mutate } = useResource(id)
  if (error && !data) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton lines={8} />
  return (
    <div className={css.page}>
      <header>
        <h1>{t('resource-reservation.calendar.of', { name: data.data.name })}</h1>
        <Link href={`/all_resoures?book=${encodeURIComponent(id)}`} asChild>
          <Button type="primary">{t('resource-reservation.book-resource')}</Button>
        </Link>
      </header>
      <TakenCalendar resource={id} />
      <Subscribe resource={id} name={data.data.name} />
    </div>
  )
}
