import { Select } from 'antd'
import { useState } from 'react'
import { useRead } from '../../kernel/api/read.ts'
import { useDebounced } from '../../kernel/clock/rested.ts'
import { inWords } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { PickerProps } from './pickers.tsx'
import css from './people.module.css'

/** A person in the list. */
export interface Offered {
  id: string
  name: string
  post?: string | null
  /** The number of their assigned tasks. */
  load?: number
}

interface PersonSelectProps extends PickerProps {
  /** The path of the matching people; null while too little is typed. */
  pathOf(search: string): string | null
}

/** Selects a person: name, post, and number of tasks if known. */
export function PersonSelect({ pathOf, value, onChange, placeholder, ...rest }: PersonSelectProps) {
  const { t } = useTexts()
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim())
  const path = pathOf(search)
  const { data, error, isLoading } = useRead<Offered[] | { items: Offered[] }>(path)
  const [chosen, setChosen] = useState<Offered>()
  const found = Array.isArray(data) ? data : (data?.items ?? [])
  const people = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found
  return (
    <Select
      {...rest}
      value={value ?? null}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={isLoading}
      placeholder={placeholder ?? t('platform.form.search-and-choose')}
      notFoundContent={
        path === null
          ? t('platform.people.type-two')
          : isLoading
            ? t('platform.loading')
            : error
              ? inWords(error, t).title
              : t('platform.form.none-found')
      }
      options={people.map((each) => ({ value: each.id, label: each.name, each }))}
      optionRender={({ data: { each } }) => (
        <span className={css['offered']}>
          <span>
            {each.name}
            {each.post && <small>{each.post}</small>}
          </span>
          {each.load !== undefined && <small>{t('platform.team.load', { count: each.load })}</small>}
        </span>
      )}
      onChange={(next: string) => {
        setChosen(people.find(({ id }) => id === next))
        onChange?.(next)
      }}
    />
  )
}
