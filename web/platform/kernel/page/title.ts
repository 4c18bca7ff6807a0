import { useEffect } from 'react'
import { useTexts } from '../texts/texts.ts'

/** Sets the window's title; undefined leaves it unchanged. */
export function usePageTitle(title: string | undefined): void {
  const { t } = useTexts()
  useEffect(() => {
    if (title !== undefined) document.title = t('platform.page-title', { title })
  }, [t, title])
}
