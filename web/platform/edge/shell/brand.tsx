import { Link } from 'wouter'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './shell.module.css'

/** Logo and name. They link to `/`: the dashboard, or the public home for visitors. */
export function Brand() {
  const { t } = useTexts()
  return (
    <Link href="/" className={css['brand']}>
      <img src="/mark.svg" alt="" width={28} height={28} />
      <span>
        <strong>{t('platform.name')}</strong>
        <small>{t('platform.house')}</small>
      </span>
    </Link>
  )
}
