import { Button } from 'antd'
import { Link, useSearchParams } from 'wouter'
import useSWR from 'swr'
import { type Problem, request, withQuery } from '../platform/kernel/client/client.ts'
import type { GetVehicleBoard } from '../platform/kernel/client/operations.generated.ts'
import { addDays, dayIn, wallClock } from '../platform/kernel/clock/colombo.ts'
import { useNow } from '../platform/kernel/clock/now.ts'
import { useHints } from '../platform/kernel/live/live.ts'
import page from '../platform/kernel/page/page.module.css'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { Skeleton } from '../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../platform/kernel/states/trouble.tsx'
import { useFormats } from '../platform/kernel/texts/formats.ts'
import { useTexts } from '../platform/kernel/texts/texts.ts'
import css from './vehicles.module.css'

type Board = GetVehicleBoard['answer']
type Vehicle = Board['vehicles'][number]

/** /vehicle/board: every vehicle with its trips of a day; it follows what happens. */
export default function BoardPage({ title }: PageProps) {
  const { t } = useTexts()
  const { day: inWords } = useFormats()
  const [params, setParams] = useSearchParams()
  const day = dayIn(params.get('day')) ?? wallClock(useNow()).date
  const { data, error, mutate } = useSWR<Board, Problem>(
    withQuery('/api/vehicles/board', { day }),
    (path: string) => request<Board>('GET', path),
    // Changes of vehicles and drivers give no hint.
    { refreshInterval: 30_000 },
  )
  useHints(() => void mutate())
  const turn = (days: number) => setParams({ day: addDays(day, days) }, { replace: true })
  return (
    <div className={page.page}>
      <h1>{t(title)}</h1>
      <p className={css.turn}>
        <Button onClick={() => turn(-1)} aria-label={t('vehicles.board.before')}>
          ‹
        </Button>
        <strong role="status">{inWords(`${day}T12:00:00+05:30`)}</strong>
        <Button onClick={() => turn(1)} aria-label={t('vehicles.board.after')}>
          ›
        </Button>
      </p>
      {error && <Trouble error={error} onRetry={() => void mutate()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && data.late.length > 0 && <Late trips={data.late} />}
      {data && data.unfit.length > 0 && <Unfit trips={data.unfit} />}
      <ul className={css.board}>
        {data?.vehicles.map((vehicle) => (
          <OnBoard key={vehicle.id} {...vehicle} />
        ))}
      </ul>
    </div>
  )
}

/** Trips of any day that should be back. */
function Late({ trips }: { trips: Board['late'] }) {
  const { t } = useTexts()
  const { range } = useFormats()
  return (
    <section className={css.unfit} aria-label={t('vehicles.late.heading')}>
      <h2>{t('vehicles.late.heading')}</h2>
      <p>{t('vehicles.late.help')}</p>
      <ul className={css.list}>
        {trips.map(({ case: id, reference, route, from, until, vehicle, driver }) => (
          <li key={id}>
            <span>
              <Link href={`/cases/${id}`}>{`${reference} ${route}`}</Link>
              <small>{`${range(from, until)} · ${vehicle} · ${driver}`}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Trips to come, of any day, that need another vehicle, driver or helper. */
function Unfit({ trips }: { trips: Board['unfit'] }) {
  const { t } = useTexts()
  const { range, moment } = useFormats()
  const inWords = ({ until, ...values }: Board['unfit'][number]['why'][number]['values']) =>
    until === undefined ? values : { ...values, until: moment(until) }
  return (
    <section className={css.unfit} aria-label={t('vehicles.unfit.heading')}>
      <h2>{t('vehicles.unfit.heading')}</h2>
      <p>{t('vehicles.unfit.help')}</p>
      <ul className={css.list}>
        {trips.map(({ case: id, reference, route, from, until, vehicle, driver, why }) => (
          <li key={id}>
            <span>
              <Link href={`/cases/${id}`}>{`${reference} ${route}`}</Link>
              <small>{`${range(from, until)} · ${vehicle} · ${driver}`}</small>
              <strong className={css.due}>{why.map(({ code, values }) => t(code, inWords(values))).join(' · ')}</strong>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function OnBoard({ id, title, status, seats, trips, licence, unlicensed, service }: Vehicle) {
  const { t } = useTexts()
  const { time, date } = useFormats()
  const due = service?.includes('-') ? date(service) : service && t('vehicles.board.km', { km: service })
  const notes = [
    status !== 'Active' && t(`vehicles.board.${status === 'In Repair' ? 'in-repair' : 'off-the-road'}`),
    unlicensed && t('vehicles.board.missing'),
    licence && t('vehicles.board.licence', { day: date(licence) }),
    due && t('vehicles.board.service', { due }),
  ].filter(Boolean)
  return (
    <li>
      <h2>
        <Link href={`/vehicle/view_basic/${id}`}>{title}</Link>
        <small>{t('vehicles.find.seats', { count: seats })}</small>
      </h2>
      {notes.length > 0 && <p className={css.due}>{notes.join(' · ')}</p>}
      {trips.length === 0 && status === 'Active' && <p className={css.free}>{t('vehicles.board.free')}</p>}
      {trips.map((trip) => (
        <p key={trip.id} className={css.trip}>
          <strong>{`${time(trip.from)}–${time(trip.until)}`}</strong> {trip.route}
          <small>
            {`${trip.driver} · `}
            <a href={`tel:${trip.contact}`}>{trip.contact}</a>
            {` · ${t('vehicles.board.passengers', { count: trip.passengers })}`}
            {trip.status === 'Made' && ` · ${t('vehicles.board.made')}`}
            {trip.late && <strong className={css.due}>{` · ${t('vehicles.board.late')}`}</strong>}
          </small>
        </p>
      ))}
    </li>
  )
}
