import { Button } from 'antd'
import { Link } from 'wouter'
import type { OwnAwards } from '../../kernel/api/runs.ts'
import { screens } from '../../kernel/screens/screens.ts'
import { statusName } from '../../kernel/status/item-status.ts'
import { Status } from '../../kernel/status/status.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './run.module.css'

/** What a student has applied for, and how each application stands. */
export function Applications({ of }: { of: OwnAwards['applications'] }) {
  const { t } = useTexts()
  const { day } = useFormats()
  if (of.length === 0) return <p className={css['none']}>{t('platform.run.applied-none')}</p>
  return (
    <ul className={css['lines']}>
      {of.map((one) => (
        <li key={one.id}>
          <Link href={`/cases/${one.id}`}>{one.title}</Link>
          <span>{one.reference}</span>
          <span>{t('platform.cases.sent', { day: day(one.createdAt) })}</span>
          <Status of={one} />
        </li>
      ))}
    </ul>
  )
}

/** The account to which a student is paid, by the last digits of its number. */
export function Accounts({ of }: { of: OwnAwards['accounts'] }) {
  const { t } = useTexts()
  if (of.length === 0)
    return (
      <>
        <p className={css['none']}>{t('platform.run.account-none')}</p>
        <ToAccount />
      </>
    )
  return (
    <>
      <ul className={css['lines']}>
        {of.map(({ bank, branch, ending, status }) => (
          <li key={`${bank} ${branch} ${ending} ${status}`}>
            <span>
              {bank} <small>{branch}</small>
            </span>
            <span>{t('platform.run.account-ending', { ending })}</span>
            <span>{statusName(status, t)}</span>
          </li>
        ))}
      </ul>
      <p className={css['none']}>{t('platform.run.account-change')}</p>
      <ToAccount />
    </>
  )
}

/** The page on which students change their own account. */
function ToAccount() {
  const { t } = useTexts()
  const page = screens.find(
    ({ parameters: { register, mine } = {} }) => register === 'platform/student-account' && mine === true,
  )
  return (
    page && (
      <Link href={page.route} asChild>
        <Button>{t(page.title)}</Button>
      </Link>
    )
  )
}

/** What a student was awarded, and why something is not paid. */
export function Awards({ of }: { of: OwnAwards['awards'] }) {
  const { t } = useTexts()
  const { money, day, month } = useFormats()
  if (of.length === 0) return <p className={css['none']}>{t('platform.run.awarded-none')}</p>
  return (
    <ul className={css['lines']}>
      {of.map(({ id, scheme, title, amount, from, until, status, active, reason, since, complete }) => (
        <li key={id}>
          <span>
            {scheme ?? title} <small>{title}</small>
          </span>
          <span className={css['amount']}>
            {amount === null ? '' : t('platform.run.a-month', { amount: money(amount) })}
          </span>
          <span>
            {from !== null && until !== null
              ? t('platform.run.period', { from: month(from), until: month(until) })
              : from !== null && t('platform.run.period-open', { from: month(from) })}
          </span>
          <span>
            {[
              statusName(status, t),
              active || reason === null ? '' : t(`platform.run.left-out.${reason}`),
              active || since === null ? '' : t('platform.run.since', { day: day(since) }),
              active && !complete ? t('platform.run.left-out.document-missing') : '',
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}
