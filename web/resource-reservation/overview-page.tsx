import { Button } from 'antd'
import { useId, useState, type ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import { withQuery } from '../platform/kernel/client/client.ts'
import type { GetReservationOverview } from '../platform/kernel/client/operations.generated.ts'
import { useRead } from '../platform/kernel/api/read.ts'
import { saveCsv } from '../platform/work/case/csv.ts'
import { addDays, dayIn, wallClock } from '../platform/kernel/clock/colombo.ts'
import { useNow } from '../platform/kernel/clock/now.ts'
import { Day } from '../platform/kernel/form/day-widgets.tsx'
import { Choice } from '../platform/kernel/list/choice.tsx'
import page from '../platform/kernel/page/page.module.css'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { Empty } from '../platform/kernel/states/empty.tsx'
import { Skeleton } from '../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../platform/kernel/states/trouble.tsx'
import { useFormats } from '../platform/kernel/texts/formats.ts'
import { useTexts } from '../platform/kernel/texts/texts.ts'
import { Bars } from './overview/bars.tsx'
import css from './overview/overview.module.css'

type Told = GetReservationOverview['answer']

const HOUR_MS = 3_600_000
/** Rows shown at first. */
const MAX_ROWS = 12

/** /resource_reservation/overview: use and income of the unit's resources, and how long its desks took. */
export default function OverviewPage({ title }: PageProps) {
  const { t } = useTexts()
  const id = useId()
  const [params, setParams] = useSearchParams()
  const today = wallClock(useNow()).date
  const chosen = {
    from: dayIn(params.get('from')) ?? `${addDays(today, -150).slice(0, 7)}-01`,
    until: dayIn(params.get('until')) ?? addDays(today, 60),
    resource: params.get('resource') ?? '',
  }
  const whole = { from: chosen.from, until: chosen.until }
  const all = useRead<Told>(withQuery('/api/resource-reservation/overview', whole))
  const one = useRead<Told>(chosen.resource ? withQuery('/api/resource-reservation/overview', chosen) : null)
  const { data, error, mutate } = chosen.resource ? one : all
  const put = (change: Partial<typeof chosen>) => setParams({ ...chosen, ...change }, { replace: true })
  return (
    <div className={page.page}>
      <h1>{t(title)}</h1>
      <p className={css.lead}>{t('resource-reservation.overview.lead')}</p>
      <div className={css.choices}>
        <label htmlFor={`${id}from`}>{t('resource-reservation.overview.from')}</label>
        <Day
          id={`${id}from`}
          value={chosen.from}
          wrong={false}
          onChange={(from: string | undefined) => from && put({ from })}
        />
        <label htmlFor={`${id}until`}>{t('resource-reservation.overview.until')}</label>
        <Day
          id={`${id}until`}
          value={chosen.until}
          wrong={false}
          onChange={(until: string | undefined) => until && put({ until })}
        />
        <Choice
          label={t('resource-reservation.overview.resource')}
          showSearch={{ optionFilterProp: 'label' }}
          any={t('resource-reservation.overview.all')}
          value={chosen.resource}
          options={(all.data?.resources ?? []).map((each) => ({ value: each.id, label: each.title }))}
          onChange={(resource) => put({ resource })}
        />
      </div>
      {data ? (
        <Numbers told={data} />
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </div>
  )
}

function Numbers({ told }: { told: Told }) {
  const { t } = useTexts()
  const { money, duration, date } = useFormats()
  const names = new Map(told.resources.map(({ id, title }) => [id, title]))
  const nameOf = (id: string) => names.get(id) ?? ''
  const say = (name: string) => t(`resource-reservation.overview.${name}`)
  const inMonth = (month: string) => `${t(`platform.month.${Number(month.slice(5))}`)} ${month.slice(0, 4)}`
  const hours = (value: number) => value.toFixed(1)
  const share = (booked: number, open: number) => {
    if (open === 0) return '–'
    const percent = (booked / open) * 100
    if (percent > 0 && percent < 0.1) return '< 0.1 %'
    return `${percent > 0 && percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`
  }
  const sum = (values: number[]) => values.reduce((whole, each) => whole + each, 0)
  const time = (of: number) => duration(of * HOUR_MS)

  if (told.resources.length === 0) return <Empty title={say('no-resource')}>{say('no-resource-detail')}</Empty>

  const useOf = (month: string) => told.use.filter((each) => each.month === month)
  const incomeOf = (month: string) => told.income.filter((each) => each.month === month)
  const used = told.use.filter(({ bookings }) => bookings > 0)
  return (
    <>
      {told.more && <p>{t('resource-reservation.overview.more', { count: told.resources.length })}</p>}
      <Part title={say('use')} detail={say('use-detail')}>
        <Bars
          title={say('use')}
          bars={told.months.map((month) => {
            const [booked, open] = [sum(useOf(month).map((x) => x.booked)), sum(useOf(month).map((x) => x.open))]
            return { label: inMonth(month), value: open > 0 ? booked / open : 0, words: share(booked, open) }
          })}
        />
        <Table
          title={say('use')}
          heads={['resource', 'month', 'bookings', 'booked', 'open', 'share'].map(say)}
          numbersFrom={2}
          rows={used.map((each) => [
            nameOf(each.resource),
            inMonth(each.month),
            String(each.bookings),
            hours(each.booked),
            hours(each.open),
            share(each.booked, each.open),
          ])}
        />
      </Part>
      <Part title={say('income')} detail={say('income-detail')}>
        <Bars
          title={say('income')}
          bars={told.months.map((month) => {
            const value = sum(incomeOf(month).map(({ hire, damages }) => hire + damages))
            return { label: inMonth(month), value, words: money(value) }
          })}
        />
        <Table
          title={say('income')}
          heads={['resource', 'month', 'hire', 'damages', 'total'].map(say)}
          numbersFrom={2}
          rows={told.income.map(({ resource, month, hire, damages }) => [
            nameOf(resource),
            inMonth(month),
            money(hire),
            money(damages),
            money(hire + damages),
          ])}
        />
      </Part>
      <Part title={say('lead-times')} detail={say('lead-detail')}>
        <Table
          title={say('lead-times')}
          heads={['desk', 'resource', 'month', 'decided', 'median', 'slowest'].map(say)}
          numbersFrom={3}
          rows={told.desks.map(({ name, resource, month, decided, median, slowest }) => [
            name,
            nameOf(resource),
            inMonth(month),
            String(decided),
            time(median),
            time(slowest),
          ])}
        />
      </Part>
      <Part
        title={t('resource-reservation.overview.rejections', { count: told.rejections.count })}
        detail={
          told.rejections.count > told.rejections.items.length
            ? t('resource-reservation.overview.last-shown', { count: told.rejections.items.length })
            : undefined
        }
      >
        <Table
          title={t('resource-reservation.overview.rejections', { count: told.rejections.count })}
          heads={['event', 'resource', 'desk', 'by', 'at', 'reason'].map(say)}
          rows={told.rejections.items.map(({ event, resource, desk, by, at, reason }) => [
            event,
            nameOf(resource),
            desk,
            by,
            date(at),
            reason ?? '',
          ])}
          links={told.rejections.items.map(({ caseId }) => `/cases/${caseId}`)}
        />
      </Part>
    </>
  )
}

interface PartProps {
  title: string
  detail: string | undefined
  children: ReactNode
}

function Part({ title, detail, children }: PartProps) {
  return (
    <section className={css.part}>
      <h2>{title}</h2>
      {detail && <p className={css.lead}>{detail}</p>}
      {children}
    </section>
  )
}

interface TableProps {
  title: string
  heads: string[]
  rows: string[][]
  /** The first numeric column. */
  numbersFrom?: number
  /** The link of each row's first cell. */
  links?: string[]
}

/** The numbers as a table, with a CSV download. */
function Table({ title, heads, rows, numbersFrom = Infinity, links }: TableProps) {
  const { t } = useTexts()
  const [whole, setWhole] = useState(false)
  const shown = whole ? rows : rows.slice(0, MAX_ROWS)
  if (rows.length === 0)
    return (
      <Empty title={t('resource-reservation.overview.none')}>{t('resource-reservation.overview.none-detail')}</Empty>
    )
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard */}
      <div className={css.scroll} role="region" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {heads.map((head, at) => (
                <th key={head} scope="col" data-number={at >= numbersFrom || undefined}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, place) => (
              <tr key={place}>
                {row.map((cell, at) => (
                  <td key={at} data-number={at >= numbersFrom || undefined}>
                    {at === 0 && links?.[place] ? <Link href={links[place]}>{cell}</Link> : cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && (
        <Button size="small" className={css.whole} onClick={() => setWhole(true)}>
          {t('resource-reservation.overview.whole', { count: rows.length })}
        </Button>
      )}
      <Button size="small" onClick={() => saveCsv(`${title}.csv`, [heads, ...rows])}>
        {t('resource-reservation.overview.csv', { title })}
      </Button>
    </>
  )
}
