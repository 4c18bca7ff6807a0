import { hasText, type Translate } from '../../kernel/texts/texts.ts'

/** A fact with one value in the reader's language: `<area>.fact.<name>.<value>` with hyphens, or the value itself. */
export function factWords(t: Translate, area: string, name: string, value: unknown): string {
  const written = String(value)
  const key = `${area}.fact.${name}.${written.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
  return hasText(key) ? t(key) : written
}
