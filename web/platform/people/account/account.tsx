import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useRead } from '../../kernel/api/read.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import type { SignInMethods } from '../session/entering.ts'
import { signOut, useMe } from '../../kernel/session/session.ts'
import { Avatar } from '../person/person.tsx'
import { LanguageSwitch } from '../session/language-switch.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { About } from './about.tsx'
import css from './account.module.css'
import { CalendarFeeds } from './calendar-feeds.tsx'
import { Mails } from './mails.tsx'
import { OwnData } from './own-data.tsx'
import { Password } from './password.tsx'
import { Posts } from './posts.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

/** /myprofile: the reader's account, sign-in methods, sessions and stored data. */
export default function Account({ title }: PageProps) {
  const { t } = useTexts()
  const me = useMe()
  const [, navigate] = useLocation()
  // A required second factor comes first.
  const { wanted } = me.secondFactor
  /** With an identity server, passwords and second factors are managed there. */
  const byPassword = useRead<SignInMethods>('/api/auth/methods').data?.password ?? false
  return (
    <div className={css['page']}>
      <header className={css['head']}>
        <Avatar name={me.name} photo={me.photo} theme={me.faculty?.theme} large />
        <div>
          <p>{t(title)}</p>
          <h1>{me.name}</h1>
          {me.post && <p>{me.post}</p>}
        </div>
      </header>
      {wanted && (
        <>
          <section className={css['wanted']}>
            <h2>{t('platform.profile.wanted')}</h2>
            <p>{t('platform.profile.wanted-detail')}</p>
            <Button onClick={() => void signOut().then(() => navigate('/session/signin'))}>
              {t('platform.shell.logout')}
            </Button>
          </section>
          <Section name="second-factor">
            <SecondFactor />
          </Section>
        </>
      )}
      <Section name="about">
        <About />
      </Section>
      <Section name="posts">
        <Posts />
      </Section>
      <Section name="language">
        <div className={css['languages']}>
          <LanguageSwitch />
        </div>
      </Section>
      <Section name="mails">
        <Mails />
      </Section>
      <Section name="calendar-feeds">
        <CalendarFeeds />
      </Section>
      {byPassword && (
        <>
          <Section name="password">
            <Password />
          </Section>
          {!wanted && (
            <Section name="second-factor">
              <SecondFactor />
            </Section>
          )}
        </>
      )}
      <Section name="sessions">
        <Sessions />
      </Section>
      <Section name="data">
        <OwnData />
      </Section>
    </div>
  )
}

/** A section of the page: title and purpose on the left, controls on the right. */
function Section({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTexts()
  return (
    <section className={css['section']} aria-labelledby={`profile-${name}`}>
      <div className={css['lead']}>
        <h2 id={`profile-${name}`}>{t(`platform.profile.${name}`)}</h2>
        <p>{t(`platform.profile.${name}-detail`)}</p>
      </div>
      <div className={css['body']}>{children}</div>
    </section>
  )
}
