import { useTexts } from '../texts/texts.ts'
import css from './status.module.css'

/** Marks a name without an entry in the university's registers. */
export function Unregistered({ is }: { is: { registered?: boolean } }) {
  const { t } = useTexts()
  // An older API does not report this.
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
