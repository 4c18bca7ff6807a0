import { Button } from 'antd'
import { useId, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { withQuery } from '../platform/api/client.ts'
import { usePages, useRead } from '../platform/api/read.ts'
import { momentOf, wallClock } from '../platform/clock/colombo.ts'
import { useNow } from '../platform/clock/now.ts'
import { Day } from '../platform/form/day-widgets.tsx'
import { TimeSelect } from '../platform/form/time-select.tsx'
import page from '../platform/page/page.module.css'
import type { PageProps } from '../platform/router/page.ts'
import { Empty } from '../platform/states/empty.tsx'
import { Skeleton } from '../platform/states/skeleton.tsx'
import { Trouble } from '../platform/states/trouble.tsx'
import { useFormats } from '../platform/texts/formats.ts'
import { useTexts } from '../platform/texts/texts.ts'
import css from './available.module.css'
import type { ResourceData, TakenSlot } from './catalogue/resources.ts'

interface Row {
  id: string
  title: string
  data: ResourceData
}

interface Ends {
  from: string
  until: string
}

const register = '/api/registers/resource-reservation/resource/items'

/** /resource_reservation/available: which resources nobody has in a time that the reader chooses. */
export default function AvailablePage({ title }: PageProps) {
  const { t } = useTexts()
  const [params, setParams] = useSearchParams()
  const today = wallClock(useNow()).date
  const chosen: Ends = {
    from: params.get('from') ?? momentOf({ date: today, time: '09:00' }),
    until: params.get('until') ?? momentOf({ date: today, time: '17:00' }),
  }
  const valid = Date.parse(chosen.from) < Date.parse(chosen.until)
  const put = (ends: Partial<Ends>) => setParams({ ...chosen, ...ends }, { replace: true })

  return (
    <div className={page.page}>
      <h1>{t(title)}</h1>
      <p className={css.lead}>{t('resource-reservation.available.lead')}</p>
      <fieldset className={css.ends}>
        <legend className="visually-hidden">{t('resource-reservation.available.choose')}</legend>
        <Moment label={t('resource-reservation.field.from')} value={chosen.from} onChange={(from) => put({ from })} />
        <Moment
          label={t('resource-reservation.field.until')}
          value={chosen.until}
          onChange={(until) => put({ until })}
        />
      </fieldset>
      {valid ? <Free {...chosen} /> : <p role="alert">{t('resource-reservation.available.order')}</p>}
    </div>
  )
}

interface MomentProps {
  label: string
  value: string
  onChange(value: string): void
}

function Moment({ label, value, onChange }: MomentProps) {
  const { t } = useTexts()
  const id = useId()
  const [half, setHalf] = useState<{ date?: string | undefined; time?: string | undefined }>()
  const { date, time } = half ?? wallClock(value)
  const choose = (next: { date?: string | undefined; time?: string | undefined }) => {
    const whole = next.date && next.time ? momentOf({ date: next.date, time: next.time }) : undefined
    setHalf(whole ? undefined : next)
    if (whole) onChange(whole)
  }
  return (
    <div className={css.moment} role="group" aria-label={label}>
      <span aria-hidden="true">{label}</span>
      <Day
        id={id}
        label={t('platform.form.day')}
        value={date}
        wrong={false}
        onChange={(next: string | undefined) => choose({ date: next, time })}
      />
      <TimeSelect
        aria-label={t('platform.form.time')}
        value={time}
        wrong={false}
        onChange={(next: string | undefined) => choose({ date, time: next })}
      />
    </div>
  )
}

function Free({ from, until }: Ends) {
  const { t } = useTexts()
  const { range } = useFormats()
  // One request tells of at most fifty resources, so they are read so many at a time.
  const resources = usePages<Row>(withQuery(register, { status: 'Active', limit: 50 }))
  const ids = resources.items?.map(({ id }) => id) ?? []
  const pages = Array.from({ length: Math.ceil(ids.length / 50) }, (_, at) => ids.slice(at * 50, at * 50 + 50))
  const last = pages.at(-1)
  const first = useRead<{ items: TakenSlot[] }>(takenPath(pages[0], from, until))
  const rest = useRead<{ items: TakenSlot[] }>(pages.length > 1 ? takenPath(last, from, until) : null)
  const error = resources.error ?? first.error ?? rest.error
  if (error)
    return (
      <Trouble
        error={error}
        onRetry={() => {
          resources.reload()
          void first.mutate()
        }}
      />
    )
  if (!resources.items || (ids.length > 0 && !first.data)) return <Skeleton lines={6} />
  const slots = [...(first.data?.items ?? []), ...(rest.data?.items ?? [])]
  const takenOf = (id: string) => slots.filter((one) => one.item === id && one.from < until && from < one.until)
  const free = resources.items.filter(({ id }) => takenOf(id).length === 0)
  const taken = resources.items.filter((one) => !free.includes(one))
  const booking = (id: string) => `/all_resoures?${new URLSearchParams({ book: id, from, until })}`
  return (
    <>
      <section aria-live="polite">
        <h2>{t('resource-reservation.available.free', { count: free.length })}</h2>
        {free.length === 0 && (
          <Empty title={t('resource-reservation.available.none')}>
            {t('resource-reservation.available.none-detail')}
          </Empty>
        )}
        <ul className={css.list}>
          {free.map(({ id, title, data }) => (
            <li key={id}>
              <span>
                <Link href={`/registers/resource-reservation/resource/${id}`}>{title}</Link>
                <small>{[data.resource_ref_id, data.location].filter(Boolean).join(' · ')}</small>
              </span>
              <Link href={booking(id)} asChild>
                <Button size="small" aria-label={t('resource-reservation.available.book-named', { name: title })}>
                  {t('resource-reservation.available.book')}
                </Button>
              </Link>
            </li>
          ))}
        </ul>
      </section>
      {taken.length > 0 && (
        <section>
          <h2>{t('resource-reservation.available.taken')}</h2>
          <ul className={css.list}>
            {taken.map(({ id, title }) => (
              <li key={id}>
                <span>
                  <Link href={`/resource_calendar/${id}`}>{title}</Link>
                  {takenOf(id).map((slot) => (
                    <small key={slot.id}>
                      {range(slot.from, slot.until)}
                      {slot.title && ` · ${slot.title}`}
                    </small>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {resources.more && (
        <Button loading={resources.loading} onClick={resources.loadMore}>
          {t('platform.list.more')}
        </Button>
      )}
    </>
  )
}

const takenPath = (ids: string[] | undefined, from: string, until: string) =>
  ids && ids.length > 0 ? withQuery('/api/public/allocations', { items: ids.join(','), from, until }) : null
