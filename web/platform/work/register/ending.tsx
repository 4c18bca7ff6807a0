import { daysTo, wallClock } from '../../kernel/clock/colombo.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { at } from '../../kernel/record/fields.ts'
import { Mark } from '../../kernel/status/mark.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { FormValue } from '../../kernel/form/conditions.ts'
import type { Register } from './registers.ts'

/** Says when an entry ends that ends soon, or that it has ended. */
export function Ending({ of, data }: { of: Pick<Register, 'expires'>; data: FormValue }) {
  const { t } = useTexts()
  const today = wallClock(useNow()).date
  const until = of.expires && at(data, of.expires.until)
  if (!of.expires || typeof until !== 'string') return null
  const days = daysTo(today, until)
  if (days < 0) return <Mark is="late">{t('platform.ending.over')}</Mark>
  return <Mark is="wanted">{t('platform.ending.in', { count: days })}</Mark>
}
