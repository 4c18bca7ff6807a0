import { useMe } from '../../kernel/session/session.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './account.module.css'

/** The reader's posts and where they hold; the reader's own register entry. */
export function Posts() {
  const { t } = useTexts()
  const me = useMe()
  return (
    <>
      {me.grants.length === 0 ? (
        <p>{t('platform.profile.no-roles')}</p>
      ) : (
        <ul className={css['rows']}>
          {me.grants.map(({ role, scope }) => (
            <li key={`${role} ${scope?.id}`}>
              <strong>{role}</strong>
              <span>{scope ? scope.name : t('platform.profile.everywhere')}</span>
            </li>
          ))}
        </ul>
      )}
      {me.seesAll && <p className={css['help']}>{t('platform.profile.sees-all')}</p>}
      {me.record && (
        <dl className={css['facts']}>
          <dt>{t('platform.profile.record')}</dt>
          <dd>{me.record.title}</dd>
        </dl>
      )}
    </>
  )
}
