import { Checkbox } from 'antd'
import { useId, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useRead } from '../platform/kernel/api/read.ts'
import { withQuery } from '../platform/kernel/client/client.ts'
import type { CompareCurriculums } from '../platform/kernel/client/operations.generated.ts'
import { PlainSelect } from '../platform/kernel/form/plain-select.tsx'
import { PageHeader } from '../platform/kernel/page/page-header.tsx'
import page from '../platform/kernel/page/page.module.css'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { Skeleton } from '../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../platform/kernel/states/trouble.tsx'
import { statusName } from '../platform/kernel/status/item-status.ts'
import { Mark } from '../platform/kernel/status/mark.tsx'
import { useTexts } from '../platform/kernel/texts/texts.ts'
import css from './compare-curriculums.module.css'

type Comparison = CompareCurriculums['answer']
type Row = Comparison['rows'][number]

/** /ma/curriculums/compare/{id}: two versions of a curriculum side by side. */
export default function CompareCurriculums({ params, title }: PageProps) {
  const { t } = useTexts()
  const id = params['id'] ?? ''
  const other = new URLSearchParams(useSearch()).get('with') ?? undefined
  const { data, error, mutate } = useRead<Comparison>(
    withQuery(`/api/setup/curriculums/${encodeURIComponent(id)}/comparison`, { with: other }),
  )
  const own = data?.versions.find((version) => version.id === id)
  return (
    <div className={page.page}>
      <PageHeader
        back={{ href: `/ma/curriculums/view/${id}`, title: own?.title ?? t('setup.curriculum') }}
        title={t(title)}
      />
      {data ? (
        <Compared id={id} of={data} />
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={10} />
      )}
    </div>
  )
}

function Compared({ id, of }: { id: string; of: Comparison }) {
  const { t } = useTexts()
  const choice = useId()
  const [path, navigate] = useLocation()
  const [short, setShort] = useState(true)
  const nameOf = (version: string | null) => of.versions.find((one) => one.id === version)?.title ?? ''
  const other = of.before === id ? of.after : of.before
  const isAlone = of.after === null
  const rows = short && !isAlone ? of.rows.filter(({ is }) => is !== 'same') : of.rows
  return (
    <>
      {isAlone ? (
        <p>
          {t('setup.compare.none')}. {t('setup.compare.none-detail')}.
        </p>
      ) : (
        <div className={css['choices']}>
          <label htmlFor={choice}>{t('setup.compare.with')}</label>
          <PlainSelect
            id={choice}
            value={other ?? ''}
            onChange={({ target }) => navigate(withQuery(path, { with: target.value }), { replace: true })}
          >
            {of.versions
              .filter((version) => version.id !== id)
              .map((version) => (
                <option key={version.id} value={version.id}>
                  {version.title} ({statusName(version.status, t)})
                </option>
              ))}
          </PlainSelect>
          <Checkbox checked={short} onChange={({ target }) => setShort(target.checked)}>
            {t('setup.compare.only-differences')}
          </Checkbox>
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard */}
      <div className={css['scroll']} role="region" aria-label={t('setup.compare.difference')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('setup.subject')}</th>
              <th scope="col">{t('setup.subject.prerequisites')}</th>
              {!isAlone && <th scope="col">{t('setup.compare.difference')}</th>}
              <th scope="col">
                {nameOf(of.before)} <small>{t('setup.compare.total', { credits: of.credits.before })}</small>
              </th>
              {!isAlone && (
                <th scope="col">
                  {nameOf(of.after)} <small>{t('setup.compare.total', { credits: of.credits.after })}</small>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.subject.id}>
                <th scope="row">{row.subject.title}</th>
                <td>{row.after?.needs ?? row.before?.needs}</td>
                {!isAlone && (
                  <td>
                    <Mark is={row.is === 'removed' ? 'off' : 'on'}>{t(`setup.compare.${row.is}`)}</Mark>
                  </td>
                )}
                <td>
                  <Place of={row.before} />
                </td>
                {!isAlone && (
                  <td>
                    <Place of={row.after} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
          <tfoot>
            {of.totals.map(({ year, semester, before, after }) => (
              <tr key={`${year} ${semester}`}>
                <th scope="row" colSpan={isAlone ? 2 : 3}>
                  {t(semester === null ? 'setup.compare.of-year' : 'setup.compare.of-semester', {
                    year,
                    semester: semester ?? '',
                  })}
                </th>
                <td>{t('setup.compare.total', { credits: before })}</td>
                {!isAlone && <td>{t('setup.compare.total', { credits: after })}</td>}
              </tr>
            ))}
          </tfoot>
        </table>
      </div>
    </>
  )
}

function Place({ of }: { of: Row['before'] }) {
  const { t } = useTexts()
  return of && t('setup.compare.place', { ...of })
}
