import { Input } from 'antd'
import { Link, useSearchParams } from 'wouter'
import { withQuery } from '../platform/kernel/client/client.ts'
import type { ListFreeVehicles } from '../platform/kernel/client/operations.generated.ts'
import { useRead } from '../platform/kernel/api/read.ts'
import { addDays, momentIn, momentOf, wallClock } from '../platform/kernel/clock/colombo.ts'
import { useNow } from '../platform/kernel/clock/now.ts'
import choices from '../platform/kernel/list/choices.module.css'
import { MomentChoice } from '../platform/kernel/list/moment-choice.tsx'
import page from '../platform/kernel/page/page.module.css'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { Empty } from '../platform/kernel/states/empty.tsx'
import { Skeleton } from '../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../platform/kernel/states/trouble.tsx'
import { useFormats } from '../platform/kernel/texts/formats.ts'
import { useTexts } from '../platform/kernel/texts/texts.ts'
import css from './vehicles.module.css'

type Told = ListFreeVehicles['answer']

interface Asked {
  from: string
  until: string
  to: string
}

/** /vehicle/find_vehicle_for_reservation: what is free for a trip, and which trips it could join. */
export default function FindVehiclePage({ title }: PageProps) {
  const { t } = useTexts()
  const [params, setParams] = useSearchParams()
  const tomorrow = addDays(wallClock(useNow()).date, 1)
  const chosen: Asked = {
    from: momentIn(params.get('from')) ?? momentOf({ date: tomorrow, time: '08:00' }),
    until: momentIn(params.get('until')) ?? momentOf({ date: tomorrow, time: '16:00' }),
    to: params.get('to') ?? '',
  }
  const put = (change: Partial<Asked>) => setParams({ ...chosen, ...change }, { replace: true })
  const valid = Date.parse(chosen.from) < Date.parse(chosen.until)
  return (
    <div className={page.page}>
      <h1>{t(title)}</h1>
      <p className={page.lead}>{t('vehicles.find.lead')}</p>
      <fieldset className={choices.choices}>
        <legend className="visually-hidden">{t('vehicles.find.choose')}</legend>
        <MomentChoice label={t('vehicles.field.trip_from')} value={chosen.from} onChange={(from) => put({ from })} />
        <MomentChoice
          label={t('vehicles.field.trip_until')}
          value={chosen.until}
          onChange={(until) => put({ until })}
        />
        <label className={`${choices.choice} ${css.place}`}>
          <span>{t('vehicles.field.to_place')}</span>
          <Input value={chosen.to} maxLength={80} onChange={({ target }) => put({ to: target.value })} />
        </label>
      </fieldset>
      {valid ? <Found {...chosen} /> : <p role="alert">{t('vehicles.ends-before-it-begins')}</p>}
    </div>
  )
}

function Found({ from, until, to }: Asked) {
  const { t } = useTexts()
  const { data, error, mutate } = useRead<Told>(withQuery('/api/vehicles/free', { from, until, ...(to && { to }) }))
  if (error) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton lines={8} />
  const free = data.vehicles.filter(({ why }) => why === null)
  return (
    <div className={css.columns}>
      <section>
        <h2>
          <span role="status">{t('vehicles.find.vehicles', { count: free.length })}</span>
        </h2>
        {free.length === 0 && <Empty title={t('vehicles.find.none')}>{t('vehicles.find.none-detail')}</Empty>}
        <Vehicles vehicles={free} />
        <Vehicles vehicles={data.vehicles.filter(({ why }) => why !== null)} />
      </section>
      <Crew crew={data.crew} />
      <Trips trips={data.trips} />
    </div>
  )
}

function Vehicles({ vehicles }: Pick<Told, 'vehicles'>) {
  const { t } = useTexts()
  return (
    <ul className={css.list}>
      {vehicles.map(({ id, number, model, kind, seats, why }) => (
        <li key={id}>
          <span>
            <Link href={`/vehicle/details/${id}`}>{`${number} ${model}`}</Link>
            <small>{`${t(`vehicles.kind.${kind}`)} · ${t('vehicles.find.seats', { count: seats })}`}</small>
          </span>
          {why !== null && <em>{t(`vehicles.find.${why}`)}</em>}
        </li>
      ))}
    </ul>
  )
}

function Crew({ crew }: Pick<Told, 'crew'>) {
  const { t } = useTexts()
  const { moment } = useFormats()
  return (
    <section>
      <h2>{t('vehicles.find.crew', { count: crew.filter(({ why }) => why === null).length })}</h2>
      <ul className={css.list}>
        {crew
          .toSorted((a, b) => Number(b.why === null) - Number(a.why === null))
          .map(({ id, name, duty, contact, licence, why, rests }) => (
            <li key={id}>
              <span>
                {name}
                <small>
                  {[t(`vehicles.duty.${duty}`), licence && t('vehicles.find.class', { name: licence })]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
              </span>
              {why === null ? (
                <a href={`tel:${contact}`}>{contact}</a>
              ) : (
                <em>{t(`vehicles.find.${why}`, { until: rests === null ? '' : moment(rests) })}</em>
              )}
            </li>
          ))}
      </ul>
    </section>
  )
}

function Trips({ trips }: Pick<Told, 'trips'>) {
  const { t } = useTexts()
  const { range } = useFormats()
  return (
    <section>
      <h2>{t('vehicles.find.trips', { count: trips.length })}</h2>
      {trips.length === 0 && <p className={css.none}>{t('vehicles.find.no-trips')}</p>}
      <ul className={css.list}>
        {trips.map(({ id, reference, route, from, until, vehicle, driver, left, sameWay }) => (
          <li key={id}>
            <span>
              <Link href={`/registers/vehicles/trip/${id}`}>{`${reference} ${route}`}</Link>
              <small>{`${range(from, until)} · ${vehicle} · ${driver}`}</small>
            </span>
            <em>
              {[sameWay && t('vehicles.find.same-way'), t('vehicles.find.left', { count: left })]
                .filter(Boolean)
                .join(' · ')}
            </em>
          </li>
        ))}
      </ul>
    </section>
  )
}
