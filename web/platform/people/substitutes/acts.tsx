import { Button } from 'antd'
import { answerSubstitution, type Substitution } from '../../kernel/api/substitutions.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { useMe } from '../../kernel/session/session.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { useTexts } from '../../kernel/texts/texts.ts'

/** Answers or ends a substitution. */
export function Acts({ of }: { of: Substitution }) {
  const { t } = useTexts()
  const me = useMe()
  const now = useNow()
  const attempt = useAction()
  const confirm = useConfirm()
  const { absent, substitute, state, until } = of
  const asksMe = state === 'asked' && substitute.id === me.id
  const administers = me.grants.some(({ role }) => role === 'ADMIN')
  const concerns = [absent.id, substitute.id].includes(me.id) || administers
  const endable = concerns && (state === 'accepted' || (state === 'asked' && !asksMe)) && Date.parse(until) > now
  const names = { absent: absent.name, substitute: substitute.name }

  const answer = (verb: 'accept' | 'decline' | 'end') => {
    const what = verb === 'end' && state === 'asked' ? 'take-back' : verb
    confirm({
      title: t(`platform.substitutes.${what}-title`, names),
      consequence: t(`platform.substitutes.${what}-detail`, names),
      verb: t(`platform.substitutes.${what}`),
      danger: verb !== 'accept',
      act: () => attempt(() => answerSubstitution(of.id, verb), t(`platform.substitutes.${what}-done`, names)),
    })
  }
  if (asksMe)
    return (
      <>
        <Button type="primary" onClick={() => answer('accept')}>
          {t('platform.substitutes.accept')}
        </Button>
        <Button onClick={() => answer('decline')}>{t('platform.substitutes.decline')}</Button>
      </>
    )
  if (!endable) return null
  return (
    <Button onClick={() => answer('end')}>
      {t(state === 'asked' ? 'platform.substitutes.take-back' : 'platform.substitutes.end')}
    </Button>
  )
}
