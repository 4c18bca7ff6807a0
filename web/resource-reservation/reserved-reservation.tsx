import { Suspense, lazy } from 'react'
import { useCase } from '../platform/kernel/api/cases.ts'
import CasePage from '../platform/work/case/case.tsx'
import { wallClock } from '../platform/kernel/clock/colombo.ts'
import page from '../platform/kernel/page/page.module.css'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { Skeleton } from '../platform/kernel/states/skeleton.tsx'
import { useFormats } from '../platform/kernel/texts/formats.ts'
import { useTexts } from '../platform/kernel/texts/texts.ts'

const TakenCalendar = lazy(async () => ({
  default: (await import('./calendar/taken-calendar.tsx')).TakenCalendar,
}))

/** /resource_reservation/reserved_reservation/{id}: a booking with its slot and its resource's calendar. */
export default function ReservedReservation(props: PageProps) {
  const { t } = useTexts()
  const { range } = useFormats()
  const { data } = useCase(props.params['id'] ?? '')
  const { resource, from, until }: { resource?: string; from?: string; until?: string } = data?.data ?? {}
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
