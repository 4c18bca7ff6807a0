import { Button, Select } from 'antd'
import { useRead } from '../api/read.ts'
import type { FormSchema } from '../client/types.ts'
import { Record } from '../record/record.tsx'
import { inWords } from '../states/trouble.tsx'
import { useTexts } from '../texts/texts.ts'
import { at } from '../record/fields.ts'
import { type Unavailable, useForm } from './form-context.ts'
import { useItemSearch } from './item-search.ts'
import css from './form.module.css'
import { described, type WidgetProps } from './widget.ts'

/** A register entry, found by typing a part of its name. */
export default function RegisterWidget(props: WidgetProps) {
  const { t } = useTexts()
  const { id, pointer, schema, value, onChange, wrong } = props
  const { whole, unavailable } = useForm()
  const within = schema['x-within']
  const found = within && at(whole.value, `${pointer.slice(0, pointer.lastIndexOf('/'))}/${within.field}`)
  const beside = typeof found === 'string' ? found : undefined
  const chosen = typeof value === 'string' ? value : ''
  const { options, error, isLoading, onSearch } = useItemSearch(schema['x-register'] ?? '', chosen, (search) => ({
    search,
    inUse: schema['x-statuses'] ? undefined : true,
    limit: 20,
    selection: schema['x-selection'],
    ...(within && { [`filter.${within.by}`]: beside }),
  }))
  const tells = schema['x-tells']
  const marked = new Map(unavailable.flatMap((one) => (one.field === pointer ? [[one.item, one]] : [])))
  /** Entries that suit first, those that cannot be named last. */
  const rank = (item: string) => {
    const mark = marked.get(item)
    return mark === undefined ? 1 : mark.suits ? 0 : 2
  }
  const offered = options
    .map((one) => {
      const mark = marked.get(one.value)
      if (mark === undefined) return one
      const label = `${one.label}: ${mark.why}`
      return mark.suits
        ? { ...one, label }
        : { ...one, label: <span className={css['barred']}>{label}</span>, disabled: true }
    })
    .toSorted((a, b) => rank(a.value) - rank(b.value))
  return (
    <>
      <Select
        id={id}
        allowClear={!props.required}
        value={chosen || null}
        disabled={within !== undefined && beside === undefined}
        showSearch={{ filterOption: false, onSearch }}
        loading={isLoading}
        placeholder={t('platform.form.search-and-choose')}
        notFoundContent={
          isLoading ? t('platform.loading') : error ? inWords(error, t).title : t('platform.form.none-found')
        }
        options={offered}
        style={{ width: '100%', maxWidth: 480 }}
        {...(wrong ? { status: 'error' as const } : {})}
        {...described(props)}
        onChange={(item) => onChange(item ?? undefined)}
      />
      {!chosen && <Suiting entries={[...marked.values()].filter(({ suits }) => suits)} onChoose={onChange} />}
      {tells && chosen && <Told register={schema['x-register'] ?? ''} id={chosen} fields={tells} />}
    </>
  )
}

/** Entries that suit best, each with the reason and a button that chooses it. */
function Suiting({ entries, onChoose }: { entries: readonly Unavailable[]; onChoose: (item: string) => void }) {
  if (entries.length === 0) return null
  return (
    <ul className={css['suiting']}>
      {entries.map(({ item, title, why }) => (
        <li key={item}>
          <Button size="small" onClick={() => onChoose(item)}>
            {title}
          </Button>{' '}
          {why}
        </li>
      ))}
    </ul>
  )
}

/** Fields of the chosen entry, which people need to know before they go on. */
function Told({ register, id, fields }: { register: string; id: string; fields: readonly string[] }) {
  const { data: of } = useRead<{ item: FormSchema }>(`/api/registers/${register}`)
  const { data } = useRead<{ data: { [name: string]: unknown } }>(
    `/api/registers/${register}/items/${encodeURIComponent(id)}?sensitive=false`,
  )
  if (!of || !data) return null
  return (
    <div className={css['told']} role="status">
      <Record schema={of.item} data={data.data} only={({ name }) => fields.includes(name)} />
    </div>
  )
}
