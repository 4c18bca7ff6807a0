import { Suspense, lazy } from 'react'
import { useCase } from '../platform/api/cases.ts'
import CasePage from '../platform/case/case.tsx'
import { wallClock } from '../platform/clock/colombo.ts'
import page from '../platform/page/page.module.css'
import type { PageProps } from '../platform/router/page.ts'
import { Skeleton } from '../platform/states/skeleton.tsx'
import { useFormats } from '../platform/texts/formats.ts'
import { useTexts } from '../platform/texts/texts.ts'

const TakenCalendar = lazy(async () => ({
  default: (await import('./calendar/taken-calendar.tsx')).TakenCalendar,
}))

/** /resource_reservation/reserved_reservation/{id}: a booking with its slot and the calendar of what it reserves. */
export default function ReservedReservation(props: PageProps) {
  const { t } = useTexts()
  const { range } = useFormats()
  const { data } = useCase(props.params['id'] ?? '')
  const { resource, from, until } = (data?.data ?? {}) as { resource?: string; from?: string; until?: string }
  return (
    <>
      <CasePage {...props} />
      {data && resource && from && until && (
        <section className={page.page}>
          <h2>{t('resource-reservation.reserved.slot')}</h2>
          <p>
            <strong>{range(from, until)}</strong>
          </p>
          <h2>{t('resource-reservation.reserved.calendar', { name: data.subject['resource'] })}</h2>
          <Suspense fallback={<Skeleton lines={8} />}>
            <TakenCalendar resource={resource} day={wallClock(from).date} />
          </Suspense>
        </section>
      )}
    </>
  )
}
