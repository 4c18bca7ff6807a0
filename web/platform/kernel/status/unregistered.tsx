import { useTexts } from '../texts/texts.ts'
import css from './status.module.css'

/** Beside a name: that no entry of the university's registers answers for it. Nothing where one does. */
export function Unregistered({ is }: { is: { registered?: boolean } }) {
  const { t } = useTexts()
  // What an older API does not tell is not asked about.
  if (is.registered !== false) return null
  return (
    <>
      {' '}
      <small className={css.unregistered} title={t('platform.unregistered-detail')}>
        {t('platform.unregistered')}
      </small>
    </>
  )
}
