import { Alert, Button } from 'antd'
import { useId, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useAllPublicItems } from '../../kernel/api/public-items.ts'
import { withQuery } from '../../kernel/client/client.ts'
import type { FormSchema, PublicFlow } from '../../kernel/client/types.ts'
import { PlainSelect } from '../../kernel/form/plain-select.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { withinOf } from './given.ts'
import css from './apply.module.css'

interface Choice {
  id: string
  title: string
}

/**
 * Chooses what one applies for, each choice within the one before: the kind, the entry, the item. Only those that lead
 * to an open item are offered.
 */
export function ChooseItem({ of, schema }: { of: PublicFlow; schema: FormSchema }) {
  const { t } = useTexts()
  const [path, navigate] = useLocation()
  const [kind, setKind] = useState('')
  const [entry, setEntry] = useState('')
  const [item, setItem] = useState('')
  const inner = withinOf(schema, of.field)
  const outer = inner && withinOf(schema, inner.field)
  const { data, error, mutate } = useAllPublicItems(inner?.register)
  if (error && !data) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data || !inner || !outer) return <Skeleton lines={4} />

  const open = of.items.filter(({ state }) => state === 'open')
  const entries = data.items.filter(({ id }) => open.some((one) => one.data[inner.by] === id))
  const kinds = [...new Set(entries.map((one) => String(one.data[outer.by])))].map((id) => ({
    id,
    title: data.titles?.[id] ?? id,
  }))
  const ofKind = entries.filter((one) => one.data[outer.by] === kind)
  const ofEntry = open.filter((one) => one.data[inner.by] === entry)
  if (kinds.length === 0)
    return <Alert type="info" title={t(`${of.title}.closed`)} description={t(`${of.title}.none`)} />
  const label = (field: string) => t(schema.properties?.[field]?.title ?? field)
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (item) navigate(withQuery(path, { id: item }))
      }}
    >
      <p className={css['about']}>{t(`${of.title}.choose`)}</p>
      <Select
        label={label(outer.field)}
        of={kinds.toSorted((a, b) => (a.title < b.title ? -1 : 1))}
        value={kind}
        onChange={(id) => (setKind(id), setEntry(''), setItem(''))}
      />
      <Select label={label(inner.field)} of={ofKind} value={entry} onChange={(id) => (setEntry(id), setItem(''))} />
      <Select label={label(of.field)} of={ofEntry} value={item} onChange={setItem} />
      <Button type="primary" htmlType="submit" size="large" disabled={!item}>
        {t(`${of.title}.choose-next`)}
      </Button>
    </form>
  )
}

interface SelectProps {
  label: string
  of: readonly Choice[]
  value: string
  onChange(id: string): void
}

function Select({ label, of, value, onChange }: SelectProps): ReactNode {
  const id = useId()
  return (
    <div className={css['choice']}>
      <label htmlFor={id}>{label}</label>
      <PlainSelect id={id} value={value} disabled={of.length === 0} onChange={({ target }) => onChange(target.value)}>
        <option value="">–</option>
        {of.map((one) => (
          <option key={one.id} value={one.id}>
            {one.title}
          </option>
        ))}
      </PlainSelect>
    </div>
  )
}
