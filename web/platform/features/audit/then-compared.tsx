import { Alert } from 'antd'
import type { CaseThen } from '../../kernel/api/audit.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './audit.module.css'

/** Which parts of this page differ from what was sealed, and which were never sealed. */
export function Compared({ unlike }: { unlike: CaseThen['unlike'] }) {
  const { t } = useTexts()
  const wrong = unlike.filter(({ how }) => how === 'differs' || how === 'missing')
  const rest = unlike.filter((one) => !wrong.includes(one))
  const list = (some: CaseThen['unlike']) => (
    <ul className={css.unlike}>
      {some.map(({ part, id, how, text }) => (
        <li key={`${part} ${id} ${how}`}>{text}</li>
      ))}
    </ul>
  )
  return (
    <>
      {wrong.length > 0 ? (
        <Alert type="error" showIcon title={t('platform.audit-unlike.title')} description={list(wrong)} />
      ) : (
        <p className={css.soft}>{t('platform.audit-unlike.same')}</p>
      )}
      {rest.length > 0 && (
        <details className={css.soft}>
          <summary>{t('platform.audit-unlike.rest')}</summary>
          {list(rest)}
        </details>
      )}
    </>
  )
}
