import { Input, InputNumber, Select } from 'antd'
import { useId, useState, type ReactNode } from 'react'
import type { FilterField } from '../../kernel/api/inbox.ts'
import { Day } from '../../kernel/form/day-widgets.tsx'
import { useItemSearch } from '../../kernel/form/item-search.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './filter-panel.module.css'

export interface InputProps {
  label: string
  /** '' if nothing is chosen. */
  value: string
  onChange(value: string | undefined): void
}

export function Labelled({ label, children }: { label: string; children(id: string): ReactNode }) {
  const id = useId()
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}

export function Range({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={css['range']}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}

export function Chosen({
  label,
  value,
  options,
  onChange,
}: InputProps & { options: { value: string; label: string }[] }) {
  const { t } = useTexts()
  return (
    <Labelled label={label}>
      {(id) => (
        <Select
          id={id}
          allowClear
          showSearch={options.length > 8 ? { optionFilterProp: 'label' } : false}
          placeholder={t('platform.inbox.any')}
          value={value || null}
          options={options}
          onChange={(next: string | null) => onChange(next ?? undefined)}
        />
      )}
    </Labelled>
  )
}

function Words({ label, value, onChange }: InputProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <Input
          key={value}
          id={id}
          allowClear
          defaultValue={value}
          onPressEnter={({ currentTarget }) => onChange(currentTarget.value.trim())}
          onBlur={({ currentTarget }) => currentTarget.value.trim() !== value && onChange(currentTarget.value.trim())}
        />
      )}
    </Labelled>
  )
}

/** Rupees for people, cents in the address. */
export function Money({ label, value, onChange }: InputProps) {
  const given = value ? Number(value) / 100 : null
  const [typed, setTyped] = useState(given)
  const keep = () => typed !== given && onChange(typed === null ? undefined : String(Math.round(typed * 100)))
  return (
    <Labelled label={label}>
      {(id) => (
        <InputNumber<number>
          key={value}
          id={id}
          min={0}
          precision={2}
          controls={false}
          prefix="Rs."
          {...(given === null ? {} : { defaultValue: given })}
          onChange={setTyped}
          onBlur={keep}
          onPressEnter={keep}
        />
      )}
    </Labelled>
  )
}

export function Search({
  label,
  value,
  options,
  loading,
  onSearch,
  onChange,
}: InputProps & { options: { value: string; label: string }[]; loading: boolean; onSearch(words: string): void }) {
  const { t } = useTexts()
  return (
    <Labelled label={label}>
      {(id) => (
        <Select
          id={id}
          allowClear
          showSearch={{ filterOption: false, onSearch }}
          loading={loading}
          placeholder={t('platform.inbox.any')}
          notFoundContent={t(loading ? 'platform.loading' : 'platform.form.none-found')}
          value={value || null}
          options={options}
          onChange={(next: string | null) => onChange(next ?? undefined)}
        />
      )}
    </Labelled>
  )
}

/** A register entry, found by its name. */
export function Item({ register, ...rest }: InputProps & { register: string }) {
  const { options, isLoading, onSearch } = useItemSearch(register, rest.value, (search) => ({ search, limit: 20 }))
  return <Search {...rest} options={options} loading={isLoading} onSearch={onSearch} />
}

export function OwnField({ field, ...rest }: { field: FilterField } & Pick<InputProps, 'value' | 'onChange'>) {
  const { t } = useTexts()
  const given = { ...rest, label: field.title }
  if (field.type === 'choice')
    return <Chosen {...given} options={(field.options ?? []).map(({ value, title }) => ({ value, label: title }))} />
  if (field.type === 'boolean')
    return (
      <Chosen
        {...given}
        options={(['true', 'false'] as const).map((value) => ({
          value,
          label: t(value === 'true' ? 'platform.yes' : 'platform.no'),
        }))}
      />
    )
  if (field.type === 'item' && field.register) return <Item {...given} register={field.register} />
  if (field.type === 'date')
    return (
      <Labelled label={field.title}>
        {(id) => (
          <Day
            id={id}
            wrong={false}
            value={rest.value || undefined}
            onChange={(day: string | undefined) => rest.onChange(day)}
          />
        )}
      </Labelled>
    )
  return <Words {...given} />
}
