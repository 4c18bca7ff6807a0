import { Link } from 'wouter'
import { useSubstitutions } from '../../kernel/api/substitutions.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { lastDayOf } from '../people/dates.ts'
import { useMe } from '../../kernel/session/session.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './substitutes.module.css'

/** Says above the inbox that somebody asks the reader to be their substitute. */
export function AskedToStandIn() {
  const { t } = useTexts()
  const { day } = useFormats()
  const me = useMe()
  const now = useNow()
  const { items } = useSubstitutions()
  const asked = (items ?? []).filter(
    ({ substitute, state, until }) => substitute.id === me.id && state === 'asked' && Date.parse(until) > now,
  )
  return asked.map(({ id, absent, from, until }) => (
    <p key={id} className={css.notice} role="status">
      {t('platform.substitutes.notice', { name: absent.name, from: day(from), until: day(lastDayOf(until)) })}
      <Link href="/substitutes">{t('platform.substitutes.notice-answer')}</Link>
    </p>
  ))
}
