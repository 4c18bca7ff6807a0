import { useFormats } from '../../kernel/texts/formats.ts'
import { hasText, useTexts } from '../../kernel/texts/texts.ts'

/**
 * Says a fact with one value: as money if its unit is cents, a day or a moment in words, in the reader's language if
 * there is a text `<area>.fact.<name>.<value>` with hyphens, or else as it is.
 */
export function useFactWords(
  area: string,
  units: Readonly<Record<string, string>> = {},
): (name: string, value: unknown) => string {
  const { t } = useTexts()
  const { money, day, moment } = useFormats()
  return (name, value) => {
    if (units[name] === 'LKR cents' && typeof value === 'number') return money(value)
    const written = String(value)
    if (/^\d{4}-\d{2}-\d{2}$/.test(written)) return day(written)
    if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:\d{2})$/.test(written)) return moment(written)
    const key = `${area}.fact.${name}.${written.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
    return hasText(key) ? t(key) : written
  }
}
