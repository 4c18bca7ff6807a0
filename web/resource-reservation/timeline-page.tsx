import { Button } from 'antd'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { Skeleton } from '../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../platform/kernel/states/trouble.tsx'
import { useTexts } from '../platform/kernel/texts/texts.ts'
import css from './calendar/calendar.module.css'
import Timeline from './calendar/timeline.tsx'
import { useResources } from './catalogue/resources.ts'

const all = { search: '', resource_type_id: '', faculty_id: '', dep_id: '', division_id: '' }

/** /resource_reservation/timeline: for staff, when all resources are taken. */
export default function TimelinePage({ title }: PageProps) {
  const { t } = useTexts()
  const { items, error, reload, more, loading, loadMore } = useResources(all)
  return (
    <div className={css.page}>
      <header>
        <h1>{t(title)}</h1>
      </header>
      {items ? (
        <Timeline resources={items} />
      ) : error ? (
        <Trouble error={error} onRetry={reload} />
      ) : (
        <Skeleton lines={8} />
      )}
      {more && (
        <Button loading={loading} onClick={loadMore}>
          {t('resource-reservation.show-more')}
        </Button>
      )}
    </div>
  )
}
