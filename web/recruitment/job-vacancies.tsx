import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { PlainSelect } from '../platform/kernel/form/plain-select.tsx'
import { recordOf } from '../platform/kernel/keys.ts'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { Empty } from '../platform/kernel/states/empty.tsx'
import { Skeleton } from '../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../platform/kernel/states/trouble.tsx'
import { useFormats } from '../platform/kernel/texts/formats.ts'
import { useTexts } from '../platform/kernel/texts/texts.ts'
import { useApplying } from './parts/applying.tsx'
import { filters, idsIn, useVacancies, useVacancyChoices, type Vacancy, type VacancyFilter } from './parts/vacancies.ts'
import css from './parts/vacancies.module.css'
import { Qualifications, VacancyFacts } from './parts/vacancy-facts.tsx'
import { VacancyNotice } from './parts/vacancy-notice.tsx'

/** /jobvacancy: the open vacancies, for everybody; /jobvacancy/{id}: the notice of one. */
export default function JobVacancies({ title, params }: PageProps) {
  return params['id'] === undefined ? <List title={title} /> : <VacancyNotice id={params['id']} />
}

/** The list; filters and selection are in the address. */
function List({ title }: { title: string }) {
  const { t } = useTexts()
  const { count } = useFormats()
  const [params, setParams] = useSearchParams()
  const filter: VacancyFilter = recordOf(filters, (name) => params.get(name) ?? '')
  const selected = idsIn(params, 'selected')
  const vacancies = useVacancies(filter)
  const { apply, dialogs } = useApplying(selected)
  const filtered = filters.some((name) => filter[name] !== '')

  const put = (values: Record<string, string>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(values)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { replace: true },
    )
  const clear = () => put(Object.fromEntries(filters.map((name) => [name, ''])))
  const select = (id: string, on: boolean) =>
    put({ selected: (on ? [...selected, id] : selected.filter((one) => one !== id)).join(',') })

  return (
    <div className={css['page']}>
      <header className={css['head']}>
        <h1>{t(title)}</h1>
        <p>{t('recruitment.page.welcome')}</p>
      </header>
      <Filters key={filter.search} filter={filter} put={put} />
      <p className={css['count']} role="status">
        {vacancies.count &&
          t('recruitment.page.found', { count: vacancies.count.value, shown: count(vacancies.count) })}
        {filtered && (
          <Button type="link" size="small" onClick={clear}>
            {t('recruitment.page.clear')}
          </Button>
        )}
      </p>
      {vacancies.items ? (
        vacancies.items.length > 0 ? (
          <ul className={css['cards']}>
            {vacancies.items.map((vacancy) => (
              <Card
                key={vacancy.id}
                vacancy={vacancy}
                titles={vacancies.titles}
                selected={selected.includes(vacancy.id)}
                select={(on) => select(vacancy.id, on)}
              />
            ))}
          </ul>
        ) : (
          <Empty
            title={t(filtered ? 'recruitment.page.none-found' : 'recruitment.page.none')}
            actions={filtered && <Button onClick={clear}>{t('recruitment.page.clear')}</Button>}
          >
            {t(filtered ? 'recruitment.page.none-found-detail' : 'recruitment.page.none-detail')}
          </Empty>
        )
      ) : vacancies.error ? (
        <Trouble error={vacancies.error} onRetry={vacancies.reload} />
      ) : (
        <Skeleton lines={12} />
      )}
      {vacancies.more && (
        <Button loading={vacancies.loading} onClick={vacancies.loadMore}>
          {t('recruitment.page.more')}
        </Button>
      )}
      <div className={css['apply']}>
        <Button type="primary" size="large" onClick={apply}>
          {selected.length === 0
            ? t('recruitment.page.apply')
            : t('recruitment.page.apply-count', { count: selected.length })}
        </Button>
      </div>
      {dialogs}
    </div>
  )
}

interface CardProps {
  vacancy: Vacancy
  titles: Record<string, string>
  selected: boolean
  select(on: boolean): void
}

function Card({ vacancy: { id, data }, titles, selected, select }: CardProps) {
  const { t } = useTexts()
  return (
    <li className={css['card']} aria-labelledby={`vacancy-${id}`}>
      <Checkbox
        className={css['check'] ?? ''}
        checked={selected}
        aria-label={t('recruitment.page.select', { title: data.notice_subject })}
        onChange={({ target }) => select(target.checked)}
      />
      <div className={css['words']}>
        <h2 id={`vacancy-${id}`}>
          <Link href={`/jobvacancy/${encodeURIComponent(id)}`}>{data.notice_subject}</Link> <small>{data.number}</small>
        </h2>
        <p className={css['closing']}>
          <Closing day={data.closing_day} />
        </p>
        <VacancyFacts vacancy={data} titles={titles} />
        <Qualifications vacancy={data} level="h3" />
        <Link href={`/jobvacancy/${encodeURIComponent(id)}`}>{t('recruitment.page.details')}</Link>
      </div>
    </li>
  )
}

/** When a vacancy closes, in words. */
function Closing({ day: closes }: { day: string }) {
  const { t } = useTexts()
  const { day } = useFormats()
  const [now] = useState(() => Date.now())
  return day(closes) === day(now)
    ? t('recruitment.page.closes-today')
    : t('recruitment.page.closes', { day: day(closes) })
}

interface FiltersProps {
  filter: VacancyFilter
  put(values: Partial<VacancyFilter>): void
}

function Filters({ filter, put }: FiltersProps) {
  const { t } = useTexts()
  const choices = useVacancyChoices()
  const [search, setSearch] = useState(filter.search)
  return (
    <form
      role="search"
      className={css['filters']}
      onSubmit={(event) => {
        event.preventDefault()
        put({ search: search.trim() })
      }}
    >
      <div className={css['search']}>
        <div>
          <label htmlFor="vacancy-search">{t('recruitment.page.search-words')}</label>
          <Input id="vacancy-search" type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
        </div>
        <Button htmlType="submit">{t('recruitment.page.search')}</Button>
      </div>
      {(['designation', 'faculty', 'department'] as const).map((name) => (
        <div key={name}>
          <label htmlFor={`vacancy-${name}`}>{t(`recruitment.page.${name}`)}</label>
          <PlainSelect
            id={`vacancy-${name}`}
            value={filter[name]}
            onChange={(event) => put({ [name]: event.target.value })}
          >
            <option value="">{t('recruitment.page.any')}</option>
            {choices[name].map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </PlainSelect>
        </div>
      ))}
    </form>
  )
}
