import { useId } from 'react'
import type { FormSchema } from '../../kernel/client/types.ts'
import { Day } from '../../kernel/form/day-widgets.tsx'
import { useItemSearch } from '../../kernel/form/item-search.ts'
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
  if (other) return <ItemFilter register={other} label={label} value={value} onChange={onChange} />
  const options =
    schema.type === 'boolean'
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

/** A filter by an entry of another register, which is found on the server: there may be thousands. */
function ItemFilter({ register, label, value, onChange }: Omit<FieldFilterProps, 'schema'> & { register: string }) {
  const { options, onSearch } = useItemSearch(register, value, (search) => ({
    search,
    ...(search && { whole: true }),
    limit: 100,
  }))
  return (
    <Choice
      label={label}
      showSearch={{ filterOption: false, onSearch }}
      value={value}
      options={options}
      onChange={onChange}
    />
  )
}
