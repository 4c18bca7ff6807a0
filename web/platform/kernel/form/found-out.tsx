import { useTexts } from '../texts/texts.ts'
import type { Finding } from './checks.ts'
import css from './form.module.css'

/** What the server found out about the value of a field. */
export function FoundOut({ id, found, wrong }: { id: string; found: Finding | undefined; wrong: boolean }) {
  const { t } = useTexts()
  return (
    <p id={`${id}-found`} className={css['found']} role="status" data-good={found?.state === 'good' || undefined}>
      {found?.state === 'asking' ? t('platform.form.checking') : !wrong && found?.message}
    </p>
  )
}
