import DateWidget from '../../kernel/form/date-widget.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'

/** The first and the last day; each may be empty. */
export function Days({
  value,
  onChange,
}: {
  value: { from: string; until: string }
  onChange(change: { from?: string; until?: string }): void
}) {
  const { t } = useTexts()
  return (
    <>
      {(['from', 'until'] as const).map((end) => (
        <DateWidget
          key={end}
          id={`audit-${end}`}
          label={t(`platform.audit-filter.${end}`)}
          placeholder={t(`platform.audit-filter.${end}`)}
          value={value[end]}
          wrong={false}
          onChange={(day) => onChange({ [end]: day ?? '' })}
        />
      ))}
    </>
  )
}
