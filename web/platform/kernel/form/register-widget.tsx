import { Select } from 'antd'
import { useEffect, useState } from 'react'
import { withQuery } from '../client/client.ts'
import { useRead } from '../api/read.ts'
import type { Page } from '../client/types.ts'
import { inWords } from '../states/trouble.tsx'
import { useTexts } from '../texts/texts.ts'
import { described, type WidgetProps } from './widget.ts'

interface Item {
  id: string
  title: string
}

/** Delay between the last key and the search, in milliseconds. */
const rest = 250

/** A register entry, found by typing a part of its name. */
export default function RegisterWidget(props: WidgetProps) {
  const { t } = useTexts()
  const { id, schema, value, onChange, wrong } = props
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed), rest)
    return () => clearTimeout(timer)
  }, [typed])

  const items = `/api/registers/${schema['x-register']}/items`
  const { data, error, isLoading } = useRead<Page<Item>>(withQuery(items, { search, inUse: true, limit: 20 }))
  const found = data?.items ?? []
  const missing = typeof value === 'string' && !found.some((item) => item.id === value)
  const chosen = useRead<Item>(missing ? `${items}/${encodeURIComponent(value)}?sensitive=false` : null).data
  const options = missing ? [{ id: value, title: chosen?.title ?? '…' }, ...found] : found

  return (
    <Select
      id={id}
      allowClear={!props.required}
      value={typeof value === 'string' ? value : null}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={isLoading}
      placeholder={t('platform.form.search-and-choose')}
      notFoundContent={
        isLoading ? t('platform.loading') : error ? inWords(error, t).title : t('platform.form.none-found')
      }
      options={options.map((item) => ({ value: item.id, label: item.title }))}
      style={{ width: '100%', maxWidth: 480 }}
      {...(wrong ? { status: 'error' as const } : {})}
      {...described(props)}
      onChange={(item) => onChange(item ?? undefined)}
    />
  )
}
