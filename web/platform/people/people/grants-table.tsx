import { Button } from 'antd'
import type { ReactNode } from 'react'
import { DataTable } from '../../kernel/list/data-table.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { lastDayOf } from './dates.ts'
import type { Grant } from './people.ts'
import css from './people.module.css'

/** Grants for reading: role, unit, period, who gave it and why. */
export function Grants({
  grants,
  onEnd,
  children,
}: {
  grants: Grant[]
  onEnd?: (grant: Grant) => void
  children?: ReactNode
}) {
  const { t } = useTexts()
  const { date } = useFormats()
  if (grants.length === 0) return <p className={css.soft}>{children}</p>
  const label = (name: string) => t(`platform.grant.${name}`)
  return (
    <DataTable
      rows={grants}
      keyOf={(grant) => grant.id}
      columns={[
        {
          label: label('role'),
          cell: (grant) => (
            <span>
              <strong>{grant.role}</strong>
              {grant.state === 'future' && <span className={css.soft}> ({t('platform.grant.future')})</span>}
            </span>
          ),
        },
        { label: label('where'), cell: (grant) => grant.scope?.name ?? t('platform.people.everywhere') },
        { label: label('from'), cell: (grant) => date(grant.startsAt) },
        { label: label('until'), cell: (grant) => (grant.endsAt ? date(lastDayOf(grant.endsAt)) : '–') },
        {
          label: label('by'),
          cell: (grant) =>
            grant.origin === 'post' || !grant.grantedBy
              ? t(`platform.grant.origin.${grant.origin}`)
              : grant.grantedBy.name,
        },
        {
          label: label('why'),
          cell: (grant) => (
            <span>
              {grant.reason ?? '–'}
              {grant.endRefusal && <span className={css.ended}>{t(grant.endRefusal)}</span>}
              {grant.endReason && (
                <span className={css.ended}>{t('platform.grant.end-reason', { reason: grant.endReason })}</span>
              )}
            </span>
          ),
          long: true,
        },
        ...(onEnd
          ? [
              {
                label: t('platform.register-page.actions'),
                cell: (grant: Grant) =>
                  (grant.mayEnd || grant.endRefusal) && (
                    <Button
                      size="small"
                      disabled={!grant.mayEnd}
                      onClick={() => onEnd(grant)}
                      aria-label={t('platform.grant.end-of', { role: grant.role })}
                    >
                      {t('platform.grant.end')}
                    </Button>
                  ),
                acts: true,
              },
            ]
          : []),
      ]}
    />
  )
}
