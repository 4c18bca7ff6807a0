import { useEffect, useId, useState } from 'react'
import { withQuery } from '../../kernel/client/client.ts'
import { useRead } from '../../kernel/api/read.ts'
import type { FormSchema, Page } from '../../kernel/client/types.ts'
import { Day } from '../../kernel/form/day-widgets.tsx'
import { kindOf, optionsOf } from '../../kernel/form/widget.ts'
import { Choice } from '../../kernel/list/choice.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'

interface Item {
  id: string
  title: string
}

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

/** Delay between the last key and the search, in milliseconds. */
const rest = 250

/** A filter by an entry of another register, which is found on the server: there may be thousands. */
function ItemFilter({ register, label, value, onChange }: Omit<FieldFilterProps, 'schema'> & { register: string }) {
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed), rest)
    return () => clearTimeout(timer)
  }, [typed])
  const items = `/api/registers/${register}/items`
  const found =
    useRead<Page<Item>>(withQuery(items, { search, ...(search && { whole: true }), limit: 100 })).data?.items ?? []
  const missing = value !== '' && !found.some(({ id }) => id === value)
  const chosen = useRead<Item>(missing ? `${items}/${encodeURIComponent(value)}?sensitive=false` : null).data
  const all = missing ? [{ id: value, title: chosen?.title ?? '…' }, ...found] : found
  return (
    <Choice
      label={label}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      value={value}
      options={all.map(({ id, title }) => ({ value: id, label: title }))}
      onChange={onChange}
    />
  )
}
