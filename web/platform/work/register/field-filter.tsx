import { useId } from 'react'
import { withQuery } from '../../kernel/client/client.ts'
import { useRead } from '../../kernel/api/read.ts'
import type { FormSchema, Page } from '../../kernel/client/types.ts'
import { Day } from '../../kernel/form/day-widgets.tsx'
import { kindOf, optionsOf } from '../../kernel/form/widget.ts'
import { Choice } from '../../kernel/list/choice.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'

interface FieldFilterProps {
  label: string
  schema: FormSchema
  value: string
  onChange(value: string): void
}

/** A filter by one field: the entries of another register, or the field's own options. */
export function FieldFilter({ label, schema, value, onChange }: FieldFilterProps) {
  const { t } = useTexts()
  const id = useId()
  const other = schema['x-register']
  const read = useRead<Page<{ id: string; title: string }>>(
    other ? withQuery(`/api/registers/${other}/items`, { limit: 100 }) : null,
  )
  if (kindOf(schema) === 'month')
    return (
      <Day
        id={id}
        months
        label={label}
        placeholder={label}
        value={value}
        wrong={false}
        onChange={(month) => onChange(month ?? '')}
      />
    )
  const options = other
    ? (read.data?.items ?? []).map(({ id, title }) => ({ value: id, label: title }))
    : schema.type === 'boolean'
      ? [
          { value: 'true', label: t('platform.yes') },
          { value: 'false', label: t('platform.no') },
        ]
      : (optionsOf(schema) ?? []).map((each) => ({ value: String(each.value), label: t(each.title) }))
  return (
    <Choice
      label={label}
      showSearch={{ optionFilterProp: 'label' }}
      value={value}
      options={options}
      onChange={onChange}
    />
  )
}
