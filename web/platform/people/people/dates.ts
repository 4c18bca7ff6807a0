import { addDays, wallClock } from '../../kernel/clock/colombo.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'

/** Today in Colombo. */
export const today = () => wallClock(Date.now()).date

/** The start of a day, or undefined (now) if that is today. */
export const startOf = (day: string | undefined): string | undefined =>
  day === undefined || day === today() ? undefined : `${day}T00:00:00+05:30`

/** The moment at which something that holds through a day ends. */
export const endOf = (day: string): string => `${addDays(day, 1)}T00:00:00+05:30`

/** The last whole day before a moment at which something ends. */
export const lastDayOf = (moment: string): string => wallClock(Date.parse(moment) - 1).date

/** How long ago something was, in words. */
export function useAgo(): (at: string) => string {
  const { t } = useTexts()
  const { waited } = useFormats()
  const now = useNow()
  return (at) =>
    now - Date.parse(at) < 60_000 ? t('platform.duration.now') : t('platform.people.ago', { duration: waited(at, now) })
}
