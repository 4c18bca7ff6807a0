import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './audit.module.css'

/** When and how a case ended; its status is only the last one it had. */
export function HowEnded({ endedAt, end }: { endedAt: string | null; end: string | null }) {
  const { t } = useTexts()
  const { dateTime } = useFormats()
  if (endedAt === null) return null
  const at = dateTime(endedAt)
  return (
    <small className={css.soft}>
      {end === null ? t('platform.audit-over', { at }) : t('platform.audit-over-as', { at, end })}
    </small>
  )
}
