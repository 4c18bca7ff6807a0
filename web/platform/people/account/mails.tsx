import { Switch } from 'antd'
import { useState } from 'react'
import { changeMe } from '../../kernel/api/me.ts'
import { useMe } from '../../kernel/session/session.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './account.module.css'
import { useAction } from '../../kernel/states/act.ts'

const kinds = ['cases', 'tasks', 'newTasks', 'digest'] as const
type Kind = (typeof kinds)[number]

/** Which emails the reader gets; a change is saved at once. */
export function Mails() {
  const { t } = useTexts()
  const me = useMe()
  const attempt = useAction()
  const [wanted, setWanted] = useState<{ kind: Kind; on: boolean }>()

  const choose = async (kind: Kind, on: boolean) => {
    setWanted({ kind, on })
    await attempt(() => changeMe({ mails: { ...me.mails, [kind]: on } }), t('platform.profile.mails-saved'))
    setWanted(undefined)
  }
  return (
    <ul className={css['switches']}>
      {kinds.map((kind) => (
        <li key={kind}>
          <Switch
            id={`mails-${kind}`}
            checked={wanted?.kind === kind ? wanted.on : me.mails[kind]}
            disabled={wanted !== undefined && wanted.kind !== kind}
            aria-describedby={`mails-${kind}-detail`}
            onChange={(on) => void choose(kind, on)}
          />
          <div>
            <label htmlFor={`mails-${kind}`}>{t(`platform.profile.mails-${kind}`)}</label>
            <p id={`mails-${kind}-detail`} className={css['help']}>
              {t(`platform.profile.mails-${kind}-detail`)}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
