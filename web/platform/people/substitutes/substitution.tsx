import type { ReactNode } from 'react'
import type { Substitution } from '../../kernel/api/substitutions.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { lastDayOf } from '../people/dates.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Mark } from '../../kernel/status/mark.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './substitutes.module.css'

/** One substitution in words: people, period, limits and state. */
export function SubstitutionCard({ of, children }: { of: Substitution; children?: ReactNode }) {
  const { t } = useTexts()
  const { day } = useFormats()
  const me = useMe()
  const limits = useLimits(of)
  const { absent, substitute, from, until, reason, askedBy } = of
  const names = { absent: absent.name, substitute: substitute.name }
  const who =
    absent.id === me.id
      ? 'platform.substitutes.for-you'
      : substitute.id === me.id
        ? 'platform.substitutes.by-you'
        : 'platform.substitutes.for-other'
  return (
    <article className={css.card}>
      <div>
        <h3>{t(who, names)}</h3>
        <p>{t('platform.substitutes.span', { from: day(from), until: day(lastDayOf(until)) })}</p>
        <p>{limits}</p>
        {reason && <p className={css.soft}>{t('platform.substitutes.reason-is', { reason })}</p>}
        {askedBy.id !== absent.id && (
          <p className={css.soft}>{t('platform.substitutes.asked-by', { name: askedBy.name })}</p>
        )}
        <SubstitutionStateText of={of} />
      </div>
      <div className={css.acts}>{children}</div>
    </article>
  )
}

/** The limits of a substitution in words. */
export function useLimits({ flows, amountLimit }: Pick<Substitution, 'flows' | 'amountLimit'>): string {
  const { t } = useTexts()
  const { money } = useFormats()
  const kinds = flows ? flows.map(({ title }) => title).join(', ') : t('platform.substitutes.all-flows')
  return amountLimit === null ? kinds : t('platform.substitutes.limited', { kinds, amount: money(amountLimit) })
}

/** Its present state, with a mark. */
export function SubstitutionStateText({ of }: { of: Substitution }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const now = useNow()
  const { state, inForce, from, until, answeredAt, endedAt, endedBy } = of
  const over = Date.parse(until) <= now
  const [is, words] =
    state === 'declined'
      ? (['off', t('platform.substitutes.declined', { moment: moment(answeredAt ?? from) })] as const)
      : state === 'ended'
        ? ([
            'off',
            t('platform.substitutes.ended', { name: endedBy?.name ?? '', moment: moment(endedAt ?? until) }),
          ] as const)
        : over
          ? (['off', t('platform.substitutes.over')] as const)
          : state === 'asked'
            ? (['wanted', t('platform.substitutes.waits')] as const)
            : (['on', t(inForce ? 'platform.substitutes.in-force' : 'platform.substitutes.agreed')] as const)
  return (
    <span className={css.state}>
      <Mark is={is}>{words}</Mark>
    </span>
  )
}
