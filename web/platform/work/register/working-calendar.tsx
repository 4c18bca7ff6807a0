import { Button } from 'antd'
import { Link, useLocation, useSearch } from 'wouter'
import { useRead } from '../../kernel/api/read.ts'
import type { GetCalendar } from '../../kernel/client/operations.generated.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { wallClock } from '../../kernel/clock/colombo.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './working-calendar.module.css'

type Day = GetCalendar['answer']['items'][number]

const MONTHS = Array.from({ length: 12 }, (_, month) => month + 1)
/** Weeks begin on Monday. */
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0]

/** A year at a glance: working days, and what the others are. */
export default function WorkingCalendar({ title }: PageProps) {
  const { t } = useTexts()
  const { day } = useFormats()
  const [path, navigate] = useLocation()
  const today = wallClock(useNow()).date
  const chosen = Number(new URLSearchParams(useSearch()).get('year'))
  const year = chosen >= 2000 && chosen <= 2100 ? chosen : Number(today.slice(0, 4))
  const { data, error, mutate } = useRead<{ items: Day[] }>(`/api/calendar?year=${year}`)
  const go = (to: number) => navigate(`${path}?year=${to}`, { replace: true })
  const special = data?.items.filter((each) => each.special.length > 0) ?? []
  return (
    <div className={css.page}>
      <h1>{t(title)}</h1>
      <p className={css.soft}>{t('platform.calendar.help')}</p>
      <p className={css.links}>
        <Link href="/registers/platform/working-week">{t('platform.register.working-week')}</Link>
        <Link href="/registers/platform/holiday">{t('platform.register.holiday')}</Link>
      </p>
      <div className={css.bar}>
        <Button aria-label={t('platform.calendar.earlier')} disabled={year <= 2000} onClick={() => go(year - 1)}>
          ‹
        </Button>
        <strong aria-live="polite">{year}</strong>
        <Button aria-label={t('platform.calendar.later')} disabled={year >= 2100} onClick={() => go(year + 1)}>
          ›
        </Button>
        {data && (
          <span className={css.soft}>
            {t('platform.calendar.count', { count: data.items.filter(({ hours }) => hours).length })}
          </span>
        )}
      </div>
      {error && !data ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <div className={css.year}>
            {MONTHS.map((month) => (
              <Month
                key={month}
                month={month}
                days={data.items.filter(({ date }) => Number(date.slice(5, 7)) === month)}
                today={today}
              />
            ))}
          </div>
          <h2>{t('platform.calendar.special', { year })}</h2>
          {special.length === 0 ? (
            <p className={css.soft}>{t('platform.calendar.none')}</p>
          ) : (
            <ul className={css.special}>
              {special.map((each) => (
                <li key={each.date}>
                  <span>{day(each.date)}</span>
                  <span>
                    {each.special.map(({ name }) => name).join(', ')}
                    <small> {inWords(each, t)}</small>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  )
}

function Month({ month, days, today }: { month: number; days: Day[]; today: string }) {
  const { t } = useTexts()
  const first = new Date(`${days[0]?.date}T00:00:00Z`).getUTCDay()
  const blank = WEEKDAYS.indexOf(first)
  const weeks = Array.from({ length: Math.ceil((blank + days.length) / 7) }, (_, week) =>
    days.slice(Math.max(0, week * 7 - blank), week * 7 + 7 - blank),
  )
  return (
    <table className={css.month}>
      <caption>{t(`platform.month-long.${month}`)}</caption>
      <thead>
        <tr>
          {WEEKDAYS.map((weekday) => (
            <th key={weekday} scope="col">
              {t(`platform.weekday-short.${weekday}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, index) => (
          <tr key={index}>
            {index === 0 && blank > 0 && <td colSpan={blank} aria-hidden />}
            {week.map((each) => (
              <td
                key={each.date}
                data-is={kindOf(each)}
                aria-current={each.date === today ? 'date' : undefined}
                title={[...each.special.map(({ name }) => name), inWords(each, t)].join(', ')}
              >
                {Number(each.date.slice(8))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function kindOf({ hours, special }: Day): string {
  if (special.length === 0) return hours ? 'work' : 'free'
  return hours ? 'half' : 'holiday'
}

function inWords({ hours, special }: Day, t: ReturnType<typeof useTexts>['t']): string {
  if (!hours) return t('platform.calendar.no-work')
  return special.length > 0 ? t('platform.calendar.half', hours) : t('platform.calendar.works')
}
