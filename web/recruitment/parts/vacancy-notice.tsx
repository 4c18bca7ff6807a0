import { Button } from 'antd'
import { Link } from 'wouter'
import { usePageTitle } from '../../platform/kernel/page/title.ts'
import { Problem } from '../../platform/kernel/client/client.ts'
import { Empty } from '../../platform/kernel/states/empty.tsx'
import { Skeleton } from '../../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../../platform/kernel/states/trouble.tsx'
import { useFormats } from '../../platform/kernel/texts/formats.ts'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import { useApplying } from './applying.tsx'
import { jobPosting, useStructuredData } from './job-posting.ts'
import { useVacancy, type VacancyData } from './vacancies.ts'
import css from './vacancies.module.css'
import { Qualifications, VacancyFacts } from './vacancy-facts.tsx'

/** /jobvacancy/{id}: the notice of one vacancy, to read, to print, and for search engines. */
export function VacancyNotice({ id }: { id: string }) {
  const { t } = useTexts()
  const { data, error, mutate } = useVacancy(id)
  // An address that is no id names no vacancy either.
  const gone = error instanceof Problem && [400, 404].includes(error.status)
  return (
    <article className={css['notice']}>
      {data ? (
        <Notice id={id} vacancy={data.data} titles={data.titles} />
      ) : gone ? (
        <Empty title={t('recruitment.notice.gone')} actions={<All />}>
          {t('recruitment.notice.gone-detail')}
        </Empty>
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={12} />
      )}
    </article>
  )
}

function All() {
  const { t } = useTexts()
  return (
    <Link href="/jobvacancy" asChild>
      <Button size="large">{t('recruitment.notice.all')}</Button>
    </Link>
  )
}

interface NoticeProps {
  id: string
  vacancy: VacancyData
  titles: Record<string, string>
}

function Notice({ id, vacancy, titles }: NoticeProps) {
  const { t } = useTexts()
  const { day, money } = useFormats()
  const { apply, dialogs } = useApplying([id])
  usePageTitle(vacancy.notice_subject)
  useStructuredData(jobPosting({ vacancy, titles, university: t('recruitment.notice.university') }))
  return (
    <>
      <header>
        <p className={css['letterhead']}>{t('recruitment.notice.university')}</p>
        <p>
          {t('recruitment.notice.title')} {vacancy.number}
        </p>
        <h1>{vacancy.notice_subject}</h1>
        <p className={css['closing']}>{t('recruitment.page.closes', { day: day(vacancy.closing_day) })}</p>
      </header>
      <div className={`${css['acts']} no-print`}>
        <Button type="primary" size="large" onClick={apply}>
          {t('recruitment.page.apply')}
        </Button>
        <Button size="large" onClick={() => window.print()}>
          {t('recruitment.notice.print')}
        </Button>
        <All />
      </div>
      <VacancyFacts vacancy={vacancy} titles={titles} />
      <Qualifications vacancy={vacancy} level="h2" />
      <h2>{t('recruitment.notice.conditions')}</h2>
      <Conditions vacancy={vacancy} />
      <Documents vacancy={vacancy} />
      <h2>{t('recruitment.notice.how')}</h2>
      <p>{t('recruitment.notice.how-detail', { day: day(vacancy.closing_day) })}</p>
      {vacancy.fee !== undefined && (
        <>
          <p>{t('recruitment.notice.fee-detail', { fee: money(vacancy.fee) })}</p>
          <p className={css['written']}>{vacancy.bank_account}</p>
        </>
      )}
      <p className={css['signed']}>{t('recruitment.notice.registrar')}</p>
      {dialogs}
    </>
  )
}

function Conditions({ vacancy }: { vacancy: VacancyData }) {
  const { t } = useTexts()
  const { day, money } = useFormats()
  const { grade, salary_step, notice_period, fee } = vacancy
  const published = t(`recruitment.vacancy.advertised_in.${vacancy.advertised_in}`)
  const rows = [
    ['positions', String(vacancy.positions)],
    ['grade', grade],
    ['salary_step', salary_step],
    ['notice_period', notice_period && t(`recruitment.vacancy.notice_period.${notice_period}`)],
    ['fee', fee === undefined ? undefined : money(fee)],
    ['advertised_in', `${published}, ${vacancy.advertisement_reference}`],
    ['opens', day(vacancy.opens)],
    ['closing_day', day(vacancy.closing_day)],
  ] as const
  return (
    <dl className={css['facts']}>
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{t(`recruitment.vacancy.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

function Documents({ vacancy: { documents = [] } }: { vacancy: VacancyData }) {
  const { t } = useTexts()
  if (documents.length === 0) return null
  return (
    <>
      <h2>{t('recruitment.vacancy.documents')}</h2>
      <ul className={css['documents']}>
        {documents.map(({ title, file }) => (
          <li key={file}>
            <a href={`/api/files/${encodeURIComponent(file)}`}>{title}</a>
          </li>
        ))}
      </ul>
    </>
  )
}
