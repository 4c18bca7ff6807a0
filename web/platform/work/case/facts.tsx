import type { Case } from '../../kernel/client/types.ts'
import { isBlank } from '../../kernel/record/fields.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { hasText, useTexts } from '../../kernel/texts/texts.ts'
import css from './case.module.css'
import { useFactWords } from './fact-words.ts'

/**
 * Facts that workers found out, named by the manifest: `<area>.fact.<name>` is the label, and
 * `<area>.fact.<name>.value`, if it exists, the text for a fact with several parts. In that text `{{total_money}}`
 * writes the part `total` (cents) as money, `{{due_date}}` writes `due` as a date, and `{{noticeHours_duration}}`
 * writes a part named `…Hours` in days and hours. A fact without such a text is money if `units` says so.
 */
export function Facts({
  of,
  names,
  units = {},
}: {
  of: Pick<Case, 'flow' | 'facts'>
  names: string[]
  units?: Readonly<Record<string, string>> | undefined
}) {
  const { t } = useTexts()
  const { money, date, duration } = useFormats()
  const area = of.flow.split('/')[0] ?? ''
  const factWords = useFactWords(area, units)
  const known = names.filter((name) => !isBlank(of.facts[name]))
  if (known.length === 0) return null
  return (
    <dl className={css['facts']}>
      {known.map((name) => {
        const value = of.facts[name]
        const words = `${area}.fact.${name}.value`
        const parts = Object.entries(typeof value === 'object' && value !== null ? value : { value })
        const inMoney = parts
          .filter(([, part]) => typeof part === 'number')
          .map(([part, cents]) => [
            `${part}_money`,
            part === 'total' && cents === 0 ? t('platform.no-charge') : money(cents),
          ])
        const inDays = parts
          .filter(([, part]) => typeof part === 'string' && /^\d{4}-\d{2}-\d{2}/.test(part))
          .map(([part, day]) => [`${part}_date`, date(String(day))])
        const inWords = parts
          .filter(([part, hours]) => typeof hours === 'number' && part.endsWith('Hours'))
          .map(([part, hours]) => [
            `${part}_duration`,
            hours === 0 ? t('platform.duration.hours', { count: 0 }) : duration(Number(hours) * 3_600_000),
          ])
        return (
          <div key={name}>
            <dt>{t(`${area}.fact.${name}`)}</dt>
            <dd>
              {hasText(words)
                ? t(words, Object.fromEntries([...parts, ...inMoney, ...inDays, ...inWords]))
                : parts.map(([, part]) => factWords(name, part)).join(', ')}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
