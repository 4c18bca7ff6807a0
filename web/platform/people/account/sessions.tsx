import { Button } from 'antd'
import { useState } from 'react'
import { endOtherSessions, endSession, useSessions, type OwnSession } from '../../kernel/api/me.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts, type Translate } from '../../kernel/texts/texts.ts'
import css from './account.module.css'
import { useAction } from '../../kernel/states/act.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { deviceOf } from './device.ts'

function deviceInWords(userAgent: string | null, t: Translate): string {
  const device = deviceOf(userAgent)
  if (!device) return t('platform.profile.device-unknown')
  return 'program' in device
    ? t('platform.profile.device-program', { name: device.program })
    : t('platform.profile.device', device)
}

/** Rows shown before "show all". */
const shown = 5

/** The reader's sessions; each can be ended. */
export function Sessions() {
  const { t } = useTexts()
  const confirm = useConfirm()
  const attempt = useAction()
  const { data, error, mutate } = useSessions()
  const [all, setAll] = useState(false)
  if (error && !data) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton lines={3} />
  const items = data.items.toSorted((a, b) => Number(b.current) - Number(a.current))
  const others = items.length - 1
  const endAll = () =>
    confirm({
      title: t('platform.profile.sessions-end-question', { count: others }),
      consequence: t('platform.profile.sessions-end-detail'),
      verb: t('platform.profile.sessions-end-others'),
      danger: true,
      keep: t('platform.profile.keep'),
      act: () => attempt(endOtherSessions, t('platform.profile.sessions-ended')),
    })
  return (
    <>
      <ul className={css['rows']}>
        {items.slice(0, all ? undefined : shown).map((each) => (
          <Row key={each.id} of={each} />
        ))}
      </ul>
      {!all && items.length > shown && (
        <Button type="link" className={css['more'] ?? ''} onClick={() => setAll(true)}>
          {t('platform.profile.sessions-all', { count: items.length })}
        </Button>
      )}
      {others > 0 ? (
        <Button onClick={endAll}>{t('platform.profile.sessions-end-others')}</Button>
      ) : (
        <p className={css['help']}>{t('platform.profile.sessions-no-others')}</p>
      )}
    </>
  )
}

function Row({ of }: { of: OwnSession }) {
  const { t } = useTexts()
  const { moment, waited } = useFormats()
  const now = useNow()
  const attempt = useAction()
  const seen =
    now - Date.parse(of.lastSeenAt) < 60_000
      ? t('platform.profile.session-seen-now')
      : t('platform.profile.session-seen', { duration: waited(of.lastSeenAt, now) })
  const device = deviceInWords(of.userAgent, t)
  return (
    <li>
      <strong>
        {device}
        {of.current && <em>{t('platform.profile.session-this')}</em>}
      </strong>
      <span>
        {[
          of.address && t('platform.profile.session-address', { address: of.address }),
          t('platform.profile.session-since', { moment: moment(of.createdAt) }),
          !of.current && seen,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {!of.current && (
        <Button
          size="small"
          aria-label={t('platform.profile.session-end-of', { device })}
          onClick={() => void attempt(() => endSession(of.id), t('platform.profile.session-ended', { device }))}
        >
          {t('platform.profile.session-end')}
        </Button>
      )}
    </li>
  )
}
