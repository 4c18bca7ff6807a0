import { Select } from 'antd'
import { useState } from 'react'
import { withQuery } from '../../kernel/client/client.ts'
import { useRead } from '../../kernel/api/read.ts'
import type { Page } from '../../kernel/client/types.ts'
import { useDebounced } from '../../kernel/clock/rested.ts'
import { inWords } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { PersonRow, Scope } from './people.ts'

export interface PickerProps {
  id?: string
  value?: string | undefined
  onChange?(value: string | undefined): void
  'aria-label'?: string
  'aria-required'?: boolean
  placeholder?: string
  style?: { width: number }
}

/** The option for the whole university, beside `kind:id`. */
const everywhere = 'everywhere'

/** Flows are no units and have no list: only given ones can be chosen. */
const kinds = ['faculty', 'department', 'division', 'unit', 'committee', 'flow'] as const

/** A chosen unit as the API expects it; null for nothing and for the whole university. */
export function scopeOf(value: string | undefined): { kind: string; id: string } | null {
  if (!value || value === everywhere) return null
  const [kind = '', id = ''] = value.split(':')
  return { kind, id }
}

interface UnitProps extends PickerProps {
  /** Restricts the choice to these; those with a refusal are disabled. Without it, every unit is offered. */
  only?: (Scope & { refusal?: string | null })[]
  /** Whether the whole university may be chosen. */
  whole?: boolean
}

/** A unit of the university, found by name and grouped by kind. */
export function UnitPicker({ value, onChange, only, whole = false, placeholder, ...rest }: UnitProps) {
  const { t } = useTexts()
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed)
  const query = (kind: string) =>
    only ? null : withQuery(`/api/registers/platform/${kind}/items`, { search, status: 'Active', limit: 50 })
  // One read per kind, always in the same order, as hooks require.
  const lists = [
    useRead<Page<{ id: string; title: string }>>(query('faculty')),
    useRead<Page<{ id: string; title: string }>>(query('department')),
    useRead<Page<{ id: string; title: string }>>(query('division')),
    useRead<Page<{ id: string; title: string }>>(query('unit')),
    useRead<Page<{ id: string; title: string }>>(query('committee')),
  ]
  const chosen = scopeOf(value)
  const named = useRead<{ title: string }>(
    chosen && !only ? `/api/registers/platform/${chosen.kind}/items/${encodeURIComponent(chosen.id)}` : null,
  ).data
  const fits = (name: string) => name.toLowerCase().includes(typed.trim().toLowerCase())
  const groups = kinds
    .map((kind, at) => ({
      label: t(`platform.people.unit.${kind}`),
      options: only
        ? only
            .filter((each) => each.kind === kind && fits(each.name))
            .map(({ id, name, refusal }) => ({ value: `${kind}:${id}`, label: name, disabled: Boolean(refusal) }))
        : (lists[at]?.data?.items ?? []).map(({ id, title }) => ({ value: `${kind}:${id}`, label: title })),
    }))
    .filter(({ options }) => options.length > 0)
  const listed = groups.some(({ options }) => options.some((each) => each.value === value))
  const loading = lists.some(({ isLoading }) => isLoading)
  const error = lists.find((list) => list.error)?.error
  return (
    <Select
      {...rest}
      allowClear
      value={value ?? null}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={loading}
      placeholder={placeholder ?? t('platform.form.search-and-choose')}
      notFoundContent={
        loading ? t('platform.loading') : error ? inWords(error, t).title : t('platform.form.none-found')
      }
      options={[
        ...(whole && fits(t('platform.people.everywhere'))
          ? [{ value: everywhere, label: t('platform.people.everywhere') }]
          : []),
        ...(chosen && value && !listed && !only && !typed ? [{ value, label: named?.title ?? '…' }] : []),
        ...groups,
      ]}
      onChange={(next: string | undefined) => onChange?.(next ?? undefined)}
    />
  )
}

/** An account, found by at least three letters of the name, by username or by email address. */
export function PersonPicker({ value, onChange, ...rest }: PickerProps) {
  const { t } = useTexts()
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim())
  const asked = search.length >= 3
  const { data, error, isLoading } = useRead<Page<PersonRow>>(
    asked ? withQuery('/api/people', { search, state: 'active', limit: 20 }) : null,
  )
  const [chosen, setChosen] = useState<{ value: string; label: string }>()
  const found = (data?.items ?? []).map(({ id, name, post }) => ({
    value: id,
    label: post ? t('platform.people.with-post', { name, post }) : name,
  }))
  return (
    <Select
      {...rest}
      value={value ?? null}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={isLoading}
      placeholder={t('platform.people.find-person')}
      notFoundContent={
        !asked
          ? t('platform.people.type-more')
          : isLoading
            ? t('platform.loading')
            : error
              ? inWords(error, t).title
              : t('platform.form.none-found')
      }
      options={chosen && !found.some((each) => each.value === chosen.value) ? [chosen, ...found] : found}
      onChange={(next: string) => {
        setChosen(found.find((each) => each.value === next))
        onChange?.(next)
      }}
    />
  )
}
