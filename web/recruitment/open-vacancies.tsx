import { Button } from 'antd'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useOpening } from '../platform/kernel/api/flows.ts'
import { useRead } from '../platform/kernel/api/read.ts'
import { withQuery } from '../platform/kernel/client/client.ts'
import type { FlowOpening } from '../platform/kernel/client/types.ts'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { useMe } from '../platform/kernel/session/session.ts'
import { Empty } from '../platform/kernel/states/empty.tsx'
import { Skeleton } from '../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../platform/kernel/states/trouble.tsx'
import { useFormats } from '../platform/kernel/texts/formats.ts'
import { useTexts } from '../platform/kernel/texts/texts.ts'
import { APPLICATION, idsIn, useVacancies, type Vacancy } from './parts/vacancies.ts'
import css from './parts/vacancies.module.css'
import { VacancyFacts } from './parts/vacancy-facts.tsx'

const everything = { search: '', designation: '', faculty: '', department: '' }

/** /applicant/view_vacancies: what an applicant selected before signing in, all open vacancies, and what was applied for. */
export default function OpenVacancies({ title }: PageProps) {
  const { t } = useTexts()
  const [params] = useSearchParams()
  const vacancies = useVacancies(everything)
  const opening = useOpening(APPLICATION)
  const kept = useKeptSelection()
  const selected = new Set([...idsIn(params, 'selected'), ...kept])
  const { items, more, loading, loadMore } = vacancies
  const isComing = more && [...selected].some((id) => !items?.some((one) => one.id === id))
  useEffect(() => {
    if (isComing && !loading) loadMore()
  }, [isComing, loading, loadMore])
  const problem = vacancies.error ?? opening.error
  const chosen = items?.filter(({ id }) => selected.has(id)) ?? []
  const others = items?.filter(({ id }) => !selected.has(id)) ?? []
  return (
    <div className={css['page']}>
      <header className={css['head']}>
        <h1>{t(title)}</h1>
        <p>{t('recruitment.own.intro')}</p>
      </header>
      {items && opening.data ? (
        <>
          {opening.data.message !== null && <p>{opening.data.message}</p>}
          {chosen.length > 0 && (
            <section aria-labelledby="own-selected">
              <h2 id="own-selected">{t('recruitment.own.selected')}</h2>
              <p>{t('recruitment.own.selected-detail')}</p>
              <Rows vacancies={chosen} titles={vacancies.titles} opening={opening.data} />
            </section>
          )}
          {others.length > 0 && (
            <section aria-labelledby="own-others">
              <h2 id="own-others">{t(chosen.length > 0 ? 'recruitment.own.others' : 'recruitment.own.open')}</h2>
              <Rows vacancies={others} titles={vacancies.titles} opening={opening.data} />
            </section>
          )}
          {items.length === 0 && <Empty title={t('recruitment.page.none')}>{t('recruitment.page.none-detail')}</Empty>}
        </>
      ) : problem ? (
        <Trouble error={problem} onRetry={() => (vacancies.reload(), void opening.mutate())} />
      ) : (
        <Skeleton lines={10} />
      )}
      {vacancies.more && (
        <Button loading={vacancies.loading} onClick={vacancies.loadMore}>
          {t('recruitment.page.more')}
        </Button>
      )}
      <p className={css['further']}>
        <Link href="/hr/recruitments/my_applications">{t('recruitment.own.my')}</Link>
      </p>
    </div>
  )
}

/** The vacancies that were selected when the account was made; its entry keeps them. */
function useKeptSelection(): string[] {
  const { record } = useMe()
  const entry = useRead<{ data: { request_ids?: string[] } }>(
    record && `/api/registers/${record.register}/items/${encodeURIComponent(record.id)}`,
  )
  return entry.data?.data.request_ids ?? []
}

interface RowsProps {
  vacancies: readonly Vacancy[]
  titles: Record<string, string>
  opening: FlowOpening
}

function Rows({ vacancies, titles, opening }: RowsProps) {
  const { t } = useTexts()
  const { day } = useFormats()
  const open = new Set(opening.items?.map(({ id }) => id))
  return (
    <ul className={css['rows']}>
      {vacancies.map(({ id, data }) => {
        const applied = opening.already.find(({ title }) => title.includes(`(${data.number})`))
        return (
          <li key={id}>
            <h3>
              <Link href={`/jobvacancy/${encodeURIComponent(id)}`}>{data.notice_subject}</Link>{' '}
              <small>{data.number}</small>
            </h3>
            <p className={css['closing']}>{t('recruitment.page.closes', { day: day(data.closing_day) })}</p>
            <VacancyFacts vacancy={data} titles={titles} />
            {applied ? (
              <Link href={`/cases/${encodeURIComponent(applied.id)}`}>
                {t('recruitment.own.applied', { reference: applied.reference })}
              </Link>
            ) : (
              open.has(id) && (
                <Link href={withQuery('/start/recruitment/job-application', { vacancy: id })} asChild>
                  <Button type="primary">{t('recruitment.page.apply')}</Button>
                </Link>
              )
            )}
          </li>
        )
      })}
    </ul>
  )
}
