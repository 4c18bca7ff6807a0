import type { PageProps } from '../router/page.ts'
import { useTexts } from '../texts/texts.ts'
import { WayOn } from './way-on.tsx'
import css from './session.module.css'

/** In the place of a page that belongs to the portal but is not open yet. */
export default function NotBuilt({ title }: PageProps) {
  const { t } = useTexts()
  return (
    <div className={css['word']}>
      <p className={css['soon']}>{t('platform.not-built.mark')}</p>
      <h1>{t(title)}</h1>
      <p>{t('platform.not-built.detail')}</p>
      <WayOn />
    </div>
  )
}
