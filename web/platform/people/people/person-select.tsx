import { Select } from 'antd'
import { useState } from 'react'
import { useRead } from '../../kernel/api/read.ts'
import { useRested } from '../../kernel/clock/rested.ts'
import { inWords } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { PickerProps } from './pickers.tsx'
import css from './people.module.css'

/** Somebody that a list offers. */
export interface Offered {
  id: string
  name: string
  post?: string | null
  /** How many tasks they have taken. */
  load?: number
}

interface PersonSelectProps extends PickerProps {
  /** The list of those who fit, as the API gives it for what is typed; null while too little is. */
  pathOf(search: string): string | null
}

/** One of those who can be chosen for something: by name and post, and how much they have, where that is told. */
export function PersonSelect({ pathOf, value, onChange, placeholder, ...rest }: PersonSelectProps) {
  const { t } = useTexts()
  const [typed, setTyped] = useState('')
  const search = useRested(typed.trim())
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
