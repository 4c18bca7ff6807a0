import { Input } from 'antd'
import { useState } from 'react'
import { Link } from 'wouter'
import { DataTable } from '../../kernel/list/data-table.tsx'
import { useModels, type StudioModel } from '../../kernel/api/studio.ts'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './studio.module.css'

/** The flows that the reader owns: other owners, deployed version and draft. */
export default function LibraryPage({ title }: PageProps) {
  const { t } = useTexts()
  const { data, error, mutate } = useModels()
  const [wanted, setWanted] = useState('')
  const sought = wanted.trim().toLowerCase()
  const shown = data?.items.filter((one) =>
    `${one.title} ${one.process} ${one.area} ${one.owners.join(' ')}`.toLowerCase().includes(sought),
  )
  return (
    <div className={page.page}>
      <PageHeader title={t(title)} count={data?.items.length} />
      <p className={css['lead']}>{t('platform.studio.lead')}</p>
      {!shown ? (
        error ? (
          <Trouble error={error} onRetry={() => void mutate()} />
        ) : (
          <Skeleton lines={8} />
        )
      ) : data?.items.length === 0 ? (
        <Empty title={t('platform.studio.none')}>{t('platform.studio.none-detail')}</Empty>
      ) : (
        <>
          <Input.Search
            allowClear
            className={css['search'] ?? ''}
            aria-label={t('platform.studio.search')}
            placeholder={t('platform.studio.search')}
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
          {shown.length > 0 ? <Flows models={shown} /> : <Empty title={t('platform.studio.not-found', { wanted })} />}
        </>
      )}
    </div>
  )
}

function Flows({ models }: { models: readonly StudioModel[] }) {
  const { t } = useTexts()
  const { count, date } = useFormats()
  const label = (name: string) => t(`platform.studio-column.${name}`)
  return (
    <DataTable
      rows={models}
      keyOf={({ process }) => process}
      columns={[
        { label: label('flow'), cell: ({ process, title }) => <Link href={`/studio/${process}`}>{title}</Link> },
        {
          label: label('owners'),
          cell: ({ owners }) => (owners.length > 0 ? owners.join(', ') : t('platform.studio.no-owner')),
        },
        {
          label: label('running'),
          cell: ({ running }) =>
            running
              ? t('platform.studio.version-of', { version: running.version, at: date(running.deployedAt) })
              : t('platform.studio.never-deployed'),
        },
        {
          label: label('cases'),
          cell: ({ cases }) => (
            <div>
              {cases
                .filter((one) => one.running > 0)
                .map((one) => (
                  <span key={one.definitionId} className={css['line']}>
                    {t('platform.studio.cases-on', {
                      shown: count(one.running),
                      count: one.running,
                      version: one.version,
                    })}
                  </span>
                ))}
              {!cases.some((one) => one.running > 0) && t('platform.studio.no-case')}
            </div>
          ),
        },
        {
          label: label('draft'),
          cell: ({ process, draft, waiting }) => (
            <div>
              {waiting && <span className={css['awaits']}>{t('platform.studio.awaits')}</span>}
              {draft ? (
                <Link href={`/studio/${process}/draft`}>
                  {draft.lockedBy
                    ? t('platform.studio.draft-held', { name: draft.lockedBy })
                    : t('platform.studio.draft-saved', { name: draft.savedBy, at: date(draft.savedAt) })}
                </Link>
              ) : (
                '–'
              )}
            </div>
          ),
        },
      ]}
    />
  )
}
