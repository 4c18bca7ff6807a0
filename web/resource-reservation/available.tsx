import { Button } from 'antd'
import { Link, useSearchParams } from 'wouter'
import { withQuery } from '../platform/kernel/client/client.ts'
import type { ListAvailableResources } from '../platform/kernel/client/operations.generated.ts'
import { useRead } from '../platform/kernel/api/read.ts'
import { addDays, momentIn, momentOf, wallClock } from '../platform/kernel/clock/colombo.ts'
import { useNow } from '../platform/kernel/clock/now.ts'
import { Choice } from '../platform/kernel/list/choice.tsx'
import choices from '../platform/kernel/list/choices.module.css'
import { MomentChoice } from '../platform/kernel/list/moment-choice.tsx'
import page from '../platform/kernel/page/page.module.css'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { Empty } from '../platform/kernel/states/empty.tsx'
import { Skeleton } from '../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../platform/kernel/states/trouble.tsx'
import { useFormats } from '../platform/kernel/texts/formats.ts'
import { useTexts } from '../platform/kernel/texts/texts.ts'
import css from './available.module.css'
import { typeName, useTypes } from './catalogue/resources.ts'

type Told = ListAvailableResources['answer']

interface Ends {
  from: string
  until: string
}

/** /resource_reservation/available: the resources that are free in a period. */
export default function AvailablePage({ title }: PageProps) {
  const { t } = useTexts()
  const [params, setParams] = useSearchParams()
  const types = useTypes()
  const tomorrow = addDays(wallClock(useNow()).date, 1)
  const chosen = {
    from: momentIn(params.get('from')) ?? momentOf({ date: tomorrow, time: '09:00' }),
    until: momentIn(params.get('until')) ?? momentOf({ date: tomorrow, time: '17:00' }),
    type: params.get('type') ?? '',
  }
  const valid = Date.parse(chosen.from) < Date.parse(chosen.until)
  const put = (change: Partial<typeof chosen>) => setParams({ ...chosen, ...change }, { replace: true })

  return (
    <div className={page.page}>
      <h1>{t(title)}</h1>
      <p className={css.lead}>
        {t('resource-reservation.available.lead')}{' '}
        <Link href="/resource_reservation/timeline">{t('resource-reservation.available.timeline')}</Link>
      </p>
      <fieldset className={choices.choices}>
        <legend className="visually-hidden">{t('resource-reservation.available.choose')}</legend>
        <MomentChoice
          label={t('resource-reservation.field.from')}
          value={chosen.from}
          onChange={(from) => put({ from })}
        />
        <MomentChoice
          label={t('resource-reservation.field.until')}
          value={chosen.until}
          onChange={(until) => put({ until })}
        />
        <Choice
          label={t('resource-reservation.available.type')}
          any={t('resource-reservation.available.any-type')}
          value={chosen.type}
          options={(types ?? []).map(({ id, title: name }) => ({ value: id, label: typeName(name, t) ?? name }))}
          onChange={(type) => put({ type })}
        />
      </fieldset>
      {valid ? <Free {...chosen} /> : <p role="alert">{t('resource-reservation.available.order')}</p>}
    </div>
  )
}

function Free({ from, until, type }: Ends & { type: string }) {
  const { t } = useTexts()
  const { range } = useFormats()
  const { data, error, mutate } = useRead<Told>(
    withQuery('/api/resource-reservation/available', { from, until, ...(type && { type }) }),
  )
  if (error) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton lines={6} />
  const free = data.items.filter(({ refused }) => refused === null)
  const refused = data.items.filter((one) => one.refused !== null)
  const booking = (id: string) => `/all_resoures?${new URLSearchParams({ book: id, from, until })}`
  const named = ({ id, title, reference, location }: Told['items'][number]) => (
    <>
      <Link href={`/registers/resource-reservation/resource/${id}`}>{title}</Link>
      <small>{[reference, location].filter(Boolean).join(' · ')}</small>
    </>
  )
  return (
    <>
      <section>
        <h2>
          <span role="status">{t('resource-reservation.available.free', { count: free.length })}</span>
        </h2>
        {free.length === 0 && (
          <Empty title={t('resource-reservation.available.none')}>
            {t('resource-reservation.available.none-detail')}
          </Empty>
        )}
        <ul className={css.list}>
          {free.map((one) => (
            <li key={one.id}>
              <span>{named(one)}</span>
              <Link href={booking(one.id)} asChild>
                <Button size="small" aria-label={t('resource-reservation.available.book-named', { name: one.title })}>
                  {t('resource-reservation.available.book')}
                </Button>
              </Link>
            </li>
          ))}
        </ul>
      </section>
      {refused.length > 0 && (
        <section>
          <h2>{t('resource-reservation.available.taken', { count: refused.length })}</h2>
          <ul className={css.list}>
            {refused.map((one) => (
              <li key={one.id}>
                <span>
                  {named(one)}
                  <small>
                    {[one.refused?.message, ...one.taken.map((slot) => range(slot.from, slot.until))].join(' · ')}
                  </small>
                </span>
                <Link
                  href={`/resource_calendar/${one.id}`}
                  aria-label={t('resource-reservation.available.calendar-named', { name: one.title })}
                >
                  {t('resource-reservation.available.calendar')}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {data.more && <p>{t('resource-reservation.available.more', { count: data.items.length })}</p>}
    </>
  )
}
