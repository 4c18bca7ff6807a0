import dayjs from 'dayjs'
import { useState } from 'react'
import { Link } from 'wouter'
import { withQuery } from '../platform/kernel/client/client.ts'
import type { GetOccupancyPlan } from '../platform/kernel/client/operations.generated.ts'
import { useRead } from '../platform/kernel/api/read.ts'
import { PageHeader } from '../platform/kernel/page/page-header.tsx'
import page from '../platform/kernel/page/page.module.css'
import DateWidget from '../platform/kernel/form/date-widget.tsx'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { Skeleton } from '../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../platform/kernel/states/trouble.tsx'
import { useFormats } from '../platform/kernel/texts/formats.ts'
import { useTexts } from '../platform/kernel/texts/texts.ts'
import css from './plan.module.css'

type Room = GetOccupancyPlan['answer']['rooms'][number]

const today = () => dayjs().format('YYYY-MM-DD')

/** The rooms of each hostel by floor, with who has each bed on a day. */
export default function OccupancyPlanPage({ title }: PageProps) {
  const { t } = useTexts()
  const [on, setOn] = useState(today)
  const { data, error, mutate } = useRead<GetOccupancyPlan['answer']>(withQuery('/api/hostel/plan', { on }))
  const hostels = [...Map.groupBy(data?.rooms ?? [], ({ hostel }) => hostel)]
  return (
    <div className={page.item}>
      <PageHeader title={t(title)} about={<span>{t('hostel.plan.about')}</span>} />
      <label className={css['day']}>
        {t('hostel.plan.on')}
        <DateWidget
          id="plan-on"
          value={on}
          wrong={false}
          onChange={(day) => setOn(day ?? today())}
          label={t('hostel.plan.on')}
        />
      </label>
      {error && <Trouble error={error} onRetry={() => void mutate()} />}
      {!data && !error && <Skeleton lines={8} />}
      {hostels.map(([hostel, rooms]) => (
        <Hostel key={hostel} name={hostel} rooms={rooms} />
      ))}
    </div>
  )
}

function Hostel({ name, rooms }: { name: string; rooms: Room[] }) {
  const { t } = useTexts()
  const beds = rooms.flatMap((room) => room.beds)
  const free = rooms.filter(({ isOpen }) => isOpen).flatMap((room) => room.beds.filter(({ stay }) => stay === null))
  return (
    <section className={css['hostel']}>
      <h2>{name}</h2>
      <p className={css['soft']}>{t('hostel.plan.free', { free: free.length, beds: beds.length })}</p>
      {[...Map.groupBy(rooms, ({ floor }) => floor)].map(([floor, some]) => (
        <div key={floor} className={css['floor']}>
          <h3>{t('hostel.plan.floor', { floor })}</h3>
          <ul className={css['rooms']}>
            {some.map((room) => (
              <RoomOfPlan key={room.id} room={room} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

function RoomOfPlan({ room: { id, number, accessible, year, isOpen, beds } }: { room: Room }) {
  const { t } = useTexts()
  const { date } = useFormats()
  const notes = [
    ...(accessible ? [t('hostel.plan.accessible')] : []),
    ...(year === null ? [] : [t('hostel.plan.year', { year })]),
    ...(isOpen ? [] : [t('hostel.plan.closed')]),
  ]
  return (
    <li className={css['room']}>
      <Link href={`/registers/hostel/room/${id}`}>{number}</Link>
      {notes.length > 0 && <span className={css['soft']}>{notes.join(' · ')}</span>}
      <ol>
        {beds.map(({ bed, stay, student, livesThere, until }) => (
          <li key={bed} data-bed={stay === null ? 'free' : livesThere ? 'taken' : 'reserved'}>
            {stay === null ? (
              <span className={css['soft']}>{t(isOpen ? 'hostel.plan.bed-free' : 'hostel.plan.bed-closed')}</span>
            ) : (
              <>
                <Link href={`/registers/hostel/stay/${stay}`}>{student}</Link>
                <span className={css['soft']}>
                  {t(livesThere ? 'hostel.plan.until' : 'hostel.plan.reserved', { until: until ? date(until) : '' })}
                </span>
              </>
            )}
          </li>
        ))}
      </ol>
    </li>
  )
}
