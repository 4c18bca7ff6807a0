import { Dropdown } from 'antd'
import { useLocation } from 'wouter'
import { chooseLanguage, signOut, useMe } from '../../kernel/session/session.ts'
import { languages, useTexts } from '../../kernel/texts/texts.ts'
import { Person } from '../../people/person/person.tsx'
import css from './shell.module.css'

/** The signed-in person, with a menu: profile, languages and sign-out. */
export function UserMenu() {
  const { t, language } = useTexts()
  const me = useMe()
  const [, navigate] = useLocation()
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        selectedKeys: [language],
        items: [
          { key: 'hello', type: 'group', label: t('platform.shell.greeting', { name: me.name }) },
          { key: 'profile', label: t('platform.profile'), onClick: () => navigate('/myprofile') },
          {
            key: 'language',
            type: 'group',
            label: t('platform.language'),
            children: languages.map((each) => ({
              key: each,
              label: <span lang={each}>{t(`platform.language.${each}`)}</span>,
              onClick: () => void chooseLanguage(each),
            })),
          },
          { type: 'divider' },
          {
            key: 'out',
            label: t('platform.shell.logout'),
            onClick: () => void signOut().then(() => navigate('/session/signin')),
          },
        ],
      }}
    >
      <button
        type="button"
        className={css['account']}
        aria-label={t('platform.shell.account-of', { name: [me.name, me.post].filter(Boolean).join(', ') })}
      >
        <Person name={me.name} post={me.post} photo={me.photo} theme={me.faculty?.theme} />
      </button>
    </Dropdown>
  )
}
