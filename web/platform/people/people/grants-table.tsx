import { Button } from 'antd'
import type { ReactNode } from 'react'
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
    <table className={css.table}>
      <thead>
        <tr>
          {['role', 'where', 'from', 'until', 'by', 'why'].map((name) => (
            <th key={name} scope="col">
              {label(name)}
            </th>
          ))}
          {onEnd && (
            <th scope="col">
              <span className="visually-hidden">{t('platform.register-page.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {grants.map((grant) => (
          <tr key={grant.id}>
            <td data-label={label('role')}>
              <span>
                <strong>{grant.role}</strong>
                {grant.state === 'future' && <span className={css.soft}> ({t('platform.grant.future')})</span>}
              </span>
            </td>
            <td data-label={label('where')}>{grant.scope?.name ?? t('platform.people.everywhere')}</td>
            <td data-label={label('from')}>{date(grant.startsAt)}</td>
            <td data-label={label('until')}>{grant.endsAt ? date(lastDayOf(grant.endsAt)) : '–'}</td>
            <td data-label={label('by')}>
              {grant.origin === 'post' || !grant.grantedBy
                ? t(`platform.grant.origin.${grant.origin}`)
                : grant.grantedBy.name}
            </td>
            <td data-label={label('why')} className={css.long}>
              <span>
                {grant.reason ?? '–'}
                {grant.endRefusal && <span className={css.ended}>{t(grant.endRefusal)}</span>}
                {grant.endReason && (
                  <span className={css.ended}>{t('platform.grant.end-reason', { reason: grant.endReason })}</span>
                )}
              </span>
            </td>
            {onEnd && (
              <td className={css.do}>
                {(grant.mayEnd || grant.endRefusal) && (
                  <Button
                    size="small"
                    disabled={!grant.mayEnd}
                    onClick={() => onEnd(grant)}
                    aria-label={t('platform.grant.end-of', { role: grant.role })}
                  >
                    {t('platform.grant.end')}
                  </Button>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
