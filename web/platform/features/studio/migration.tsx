import { Alert, Button, Progress } from 'antd'
import { useState } from 'react'
import useSWR from 'swr'
import { Link, useLocation } from 'wouter'
import { DataTable } from '../../kernel/list/data-table.tsx'
import { request, withQuery, type Problem } from '../../kernel/client/client.ts'
import { migrationPath, readMigration, stopMigration, type Migration } from '../../kernel/api/studio.ts'
import { Act } from '../../people/people/act.tsx'
import { useAct } from '../../kernel/states/act.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './studio.module.css'

const pause = 1000

/** A migration in progress: how far it is, and a result per case. */
export function Running({ process, title, id }: { process: string; title: string; id: string }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const [path] = useLocation()
  const [stopping, setStopping] = useState(false)
  const { data, error, mutate } = useSWR<Migration, Problem>(
    migrationPath(process, id),
    (url: string) => request('GET', url),
    {
      refreshInterval: (latest) => (latest && latest.done + latest.failed >= latest.total ? 0 : pause),
    },
  )
  const [further, setFurther] = useState<Pick<Migration, 'items' | 'next'>>()
  const { run, busy, refusal } = useAct()
  if (!data) return error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton lines={4} />
  const { from, to, total, done, failed, stopped } = data
  const shown = new Set(data.items.map(({ caseId }) => caseId))
  const items = [...data.items, ...(further?.items ?? []).filter(({ caseId }) => !shown.has(caseId))]
  const { next } = further ?? data
  const more = (cursor: string) =>
    run(async () => {
      const page = await readMigration(process, id, cursor)
      setFurther({ items: [...(further?.items ?? []), ...page.items], next: page.next })
    })
  const over = done + failed >= total
  return (
    <>
      <p className={css['lead']} role="status">
        {over
          ? t('platform.studio.migrated', { count: done, failed })
          : t('platform.studio.migrating', { done: done + failed, total })}
      </p>
      <Progress
        aria-label={t('platform.studio.progress')}
        percent={total === 0 ? 100 : Math.round(((done + failed) / total) * 100)}
        status={over ? (failed > 0 ? 'exception' : 'success') : 'active'}
      />
      {stopped ? (
        <Alert
          className={css['waiting'] ?? ''}
          type="warning"
          showIcon
          title={t('platform.studio.move-stopped', { name: stopped.by, at: moment(stopped.at) })}
          description={
            <>
              <q>{stopped.reason}</q>
              {!over && <p>{t('platform.studio.move-stopped-under-way', { count: total - done - failed })}</p>}
            </>
          }
          action={
            over &&
            failed > 0 && (
              <Link href={withQuery(path, { from, to })} className={css['linked']}>
                {t('platform.studio.move-rest')}
              </Link>
            )
          }
        />
      ) : (
        !over && (
          <div className={css['decide']}>
            <Button onClick={() => setStopping(true)}>{t('platform.studio.move-stop')}</Button>
          </div>
        )
      )}
      {stopping && (
        <Act
          title={t('platform.studio.move-stop-title', { title })}
          ok={t('platform.studio.move-stop')}
          danger
          onClose={() => setStopping(false)}
          send={async ({ reason }) => {
            await stopMigration(process, id, reason)
            return t('platform.studio.move-stop-done')
          }}
        >
          {() => <p className={css['note']}>{t('platform.studio.move-stop-detail')}</p>}
        </Act>
      )}
      <DataTable
        rows={items}
        keyOf={({ caseId }) => caseId}
        columns={[
          {
            label: t('platform.studio-column.case'),
            cell: ({ caseId, reference }) => <Link href={`/cases/${caseId}`}>{reference}</Link>,
          },
          {
            label: t('platform.studio-column.answer'),
            cell: ({ state, reason }) => (
              <div>
                {t(`platform.studio-moved.${state}`)}
                {reason && <span className={css['soft']}>{reason}</span>}
              </div>
            ),
          },
        ]}
      />
      {over && next !== null && (
        <Button loading={busy} onClick={() => void more(next)}>
          {t('platform.list.more')}
        </Button>
      )}
      {refusal && <Alert type="error" role="alert" title={refusal} />}
    </>
  )
}
