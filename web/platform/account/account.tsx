import { Button } from 'antd'
import { useLocation } from 'wouter'
import type { PageProps } from '../router/page.ts'
import { signOut, useMe } from '../session/session.ts'
import { LanguageSwitch } from '../shell/language-switch.tsx'
import { useTexts } from '../texts/texts.ts'
import css from './account.module.css'

/** Who the reader is here: name, address, posts and where each holds, language, and the way out. */
export default function Account({ title }: PageProps) {
  const { t } = useTexts()
  const me = useMe()
  const [, navigate] = useLocation()
  return (
    <div className={css['account']}>
      <h1>{t(title)}</h1>
      <dl>
        <dt>{t('platform.account.name')}</dt>
        <dd>
          {me.name}
          {me.post && <small>{me.post}</small>}
        </dd>
        <dt>{t('platform.account.username')}</dt>
        <dd>{me.username}</dd>
        <dt>{t('platform.account.email')}</dt>
        <dd>{me.email}</dd>
        <dt>{t('platform.account.roles')}</dt>
        <dd>
          <ul>
            {me.grants.map(({ role, scope }) => (
              <li key={`${role} ${scope?.id}`}>
                {scope ? t('platform.account.role-of', { role, scope: scope.name }) : role}
              </li>
            ))}
          </ul>
          {me.seesAll && <small>{t('platform.account.sees-all')}</small>}
        </dd>
        <dt>{t('platform.language')}</dt>
        <dd>
          <LanguageSwitch />
        </dd>
      </dl>
      <Button onClick={() => void signOut().then(() => navigate('/session/signin'))}>
        {t('platform.shell.logout')}
      </Button>
    </div>
  )
}
