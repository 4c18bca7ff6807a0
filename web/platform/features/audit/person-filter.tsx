import { Select } from 'antd'
import { useState } from 'react'
import { usePeopleNamed, usePersonOf } from '../../kernel/api/audit.ts'
import { useDebounced } from '../../kernel/clock/rested.ts'
import { useTexts } from '../../kernel/texts/texts.ts'

/** A person, found by a part of the name; '' means anybody. */
export function PersonFilter({ value, onChange }: { value: string; onChange(person: string): void }) {
  const { t } = useTexts()
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim())
  const { data, isLoading } = usePeopleNamed(search)
  const known = usePersonOf(value).data
  const found = data?.items ?? []
  const people = known && !found.some(({ id }) => id === known.id) ? [known, ...found] : found
  return (
    <Select
      allowClear
      showSearch={{ filterOption: false, onSearch: setTyped }}
      style={{ width: 208 }}
      popupMatchSelectWidth={false}
      aria-label={t('platform.audit-filter.person')}
      placeholder={t('platform.audit-filter.person')}
      loading={isLoading}
      notFoundContent={search.length < 2 ? t('platform.people.type-two') : t('platform.form.none-found')}
      value={value || null}
      options={people.map(({ id, name, post }) => ({ value: id, label: post === null ? name : `${name}, ${post}` }))}
      onChange={(next: string | null | undefined) => onChange(next ?? '')}
    />
  )
}
