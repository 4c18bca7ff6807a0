import { useLayoutEffect } from 'react'
import type { PageProps } from '../../kernel/screens/page.ts'
import { type Language, useTexts } from '../../kernel/texts/texts.ts'
import { WayOn } from './way-on.tsx'
import css from './session.module.css'

/** Titles of pages that are not built yet, by language and text key. */
const [titles] = Object.values(
  import.meta.glob<Record<Language, Record<string, string>>>('../../../../forms/platform/placeholders.json', {
    eager: true,
    import: 'default',
    query: '?titles',
  }),
)

/** A page of the portal that is not built yet. */
export default function NotBuilt({ title }: PageProps) {
  const { t, language } = useTexts()
  const name = titles?.[language][title] ?? titles?.en[title] ?? ''
  useLayoutEffect(() => {
    document.title = t('platform.page-title', { title: name })
  }, [t, name])
  return (
    <div className={css['word']}>
      <p className={css['soon']}>{t('platform.not-built.mark')}</p>
      <h1>{name}</h1>
      <p>{t('platform.not-built.detail')}</p>
      <WayOn />
    </div>
  )
}
