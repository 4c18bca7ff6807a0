import { useEffect } from 'react'
import { useTexts } from '../texts/texts.ts'

/** Calls the browser's window after the page; without a title it keeps its name. */
export function usePageTitle(title: string | undefined): void {
  const { t } = useTexts()
  useEffect(() => {
    if (title !== undefined) document.title = t('platform.page-title', { title })
  }, [t, title])
}
