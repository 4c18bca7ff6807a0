import { Button, Drawer, Input, InputNumber, Select } from 'antd'
import { useId, useState, type ReactNode } from 'react'
import { withQuery } from '../../kernel/client/client.ts'
import { useInbox, type FilterField, type InboxFields } from '../../kernel/api/inbox.ts'
import { useRead } from '../../kernel/api/read.ts'
import type { Page } from '../../kernel/client/types.ts'
import { useRested } from '../../kernel/clock/rested.ts'
import { Day } from '../../kernel/form/day-widgets.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { asked, type Address } from './address.ts'
import { useAbsent, useItemTitle } from './filter-names.ts'
import css from './filter-panel.module.css'

interface FilterPanelProps {
  open: boolean
  close(): void
  address: Address
  /** The flow that the whole page is of. */
  fixedFlow: string | undefined
  fields: InboxFields | undefined
  /** How many are found, in words. */
  found: string | undefined
}

/** Everything that narrows the list. Each choice shows at once; closing it only gives the list its room back. */
export default function FilterPanel({ open, close, address, fixedFlow, fields, found }: FilterPanelProps) {
  const { t } = useTexts()
  const { filters } = address.wanted
  const flow = fixedFlow ?? filters['flow']
  const put = (change: Record<string, string | undefined>) => {
    const next = Object.entries({ ...filters, ...change })
    address.go({ filters: Object.fromEntries(next.filter((each): each is [string, string] => Boolean(each[1]))) })
  }
  /** What belongs to one flow goes with it. */
  const ofFlow = Object.fromEntries(
    Object.keys(filters)
      .filter((name) => name.startsWith('filter.') || name === 'desk' || name === 'status')
      .map((name) => [name, undefined]),
  )
  const chosen = (name: string) => filters[name] ?? ''

  return (
    <Drawer
      open={open}
      onClose={close}
      title={t('platform.inbox.filter')}
      size={400}
      styles={{ wrapper: { maxWidth: '100vw' } }}
      footer={
        <div className={css['end']}>
          <Button type="text" disabled={Object.keys(filters).length === 0} onClick={() => address.go({ filters: {} })}>
            {t('platform.inbox.clear-filters')}
          </Button>
          <Button type="primary" onClick={close}>
            {found ? t('platform.inbox.show-found', { found }) : t('platform.inbox.show')}
          </Button>
        </div>
      }
    >
      {!open ? null : !fields ? (
        <Skeleton lines={8} />
      ) : (
        <div className={css['fields']}>
          {fixedFlow === undefined && (
            <Chosen
              label={t('platform.inbox.by.flow')}
              value={chosen('flow')}
              options={fields.flows.map(({ key, title }) => ({ value: key, label: title }))}
              onChange={(value) => put({ ...ofFlow, flow: value })}
            />
          )}
          <Chosen
            label={t('platform.inbox.by.status')}
            value={chosen('status')}
            options={fields.statuses.map(({ key, text }) => ({ value: key, label: text }))}
            onChange={(status) => put({ status })}
          />
          <Chosen
            label={t('platform.inbox.by.desk')}
            value={chosen('desk')}
            options={fields.desks.map(({ key, title }) => ({ value: key, label: title }))}
            onChange={(desk) => put({ desk })}
          />
          <Requester address={address} flow={fixedFlow} onChange={(requester) => put({ requester })} />
          <Item
            label={t('platform.inbox.by.faculty')}
            register="platform/faculty"
            value={chosen('faculty')}
            onChange={(faculty) => put({ faculty })}
          />
          <Range legend={t('platform.inbox.by.amount')}>
            {(['amountFrom', 'amountTo'] as const).map((name) => (
              <Money
                key={name}
                label={t(`platform.inbox.by.${name}`)}
                value={chosen(name)}
                onChange={(cents) => put({ [name]: cents })}
              />
            ))}
          </Range>
          <Range legend={t('platform.inbox.by.day')}>
            {(['from', 'until'] as const).map((name) => (
              <Labelled key={name} label={t(`platform.inbox.by.${name}`)}>
                {(id) => (
                  <Day
                    id={id}
                    wrong={false}
                    value={chosen(name) || undefined}
                    onChange={(day: string | undefined) => put({ [name]: day })}
                  />
                )}
              </Labelled>
            ))}
          </Range>
          <StandingIn value={chosen('for')} onChange={(absent) => put({ for: absent })} />
          {fields.fields.length > 0 && (
            <section className={css['own']}>
              <h2>{fields.flows.find(({ key }) => key === flow)?.title ?? t('platform.inbox.by.fields')}</h2>
              {fields.fields.map((field) => (
                <OwnField
                  key={field.name}
                  field={field}
                  value={chosen(`filter.${field.name}`)}
                  onChange={(value) => put({ [`filter.${field.name}`]: value })}
                />
              ))}
            </section>
          )}
        </div>
      )}
    </Drawer>
  )
}

interface InputProps {
  label: string
  /** '' where nothing is chosen. */
  value: string
  onChange(value: string | undefined): void
}

function Labelled({ label, children }: { label: string; children(id: string): ReactNode }) {
  const id = useId()
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}

function Range({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={css['range']}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}

function Chosen({ label, value, options, onChange }: InputProps & { options: { value: string; label: string }[] }) {
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

/** Rupees for people, cents for the address. */
function Money({ label, value, onChange }: InputProps) {
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

interface Found {
  id: string
  name: string
}

function Search({
  label,
  value,
  found,
  loading,
  onSearch,
  onChange,
}: InputProps & { found: Found[]; loading: boolean; onSearch(words: string): void }) {
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
          options={found.map((each) => ({ value: each.id, label: each.name }))}
          onChange={(next: string | null) => onChange(next ?? undefined)}
        />
      )}
    </Labelled>
  )
}

/** An item of a register, found by its name. */
function Item({ register, ...rest }: InputProps & { register: string }) {
  const [typed, setTyped] = useState('')
  const search = useRested(typed)
  const items = `/api/registers/${register}/items`
  const { data, isLoading } = useRead<Page<{ id: string; title: string }>>(withQuery(items, { search, limit: 20 }))
  const found = (data?.items ?? []).map(({ id, title }) => ({ id, name: title }))
  const missing = rest.value !== '' && !found.some(({ id }) => id === rest.value)
  const named = useItemTitle(missing ? register : undefined, rest.value)
  return (
    <Search
      {...rest}
      found={missing ? [{ id: rest.value, name: named ?? '…' }, ...found] : found}
      loading={isLoading}
      onSearch={setTyped}
    />
  )
}

/** Whoever asks for something in this list, found by their name among those who do. */
function Requester({
  address,
  flow,
  onChange,
}: {
  address: Address
  flow: string | undefined
  onChange(id: string | undefined): void
}) {
  const { t } = useTexts()
  const { wanted } = address
  const { requester = '', ...others } = wanted.filters
  const [typed, setTyped] = useState('')
  const words = useRested(typed.trim())
  const list = useInbox(asked({ ...wanted, words: words || wanted.words, filters: others }, flow))
  const people = new Map((list.items ?? []).map((row) => [row.requester.id, row.requester.name]))
  if (requester && !people.has(requester)) people.set(requester, t('platform.inbox.one-person'))
  return (
    <Search
      label={t('platform.inbox.by.requester')}
      value={requester}
      found={[...people].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name))}
      loading={list.loading}
      onSearch={setTyped}
      onChange={onChange}
    />
  )
}

/** For those who stand in for somebody now: only what they have in that person's place. */
function StandingIn({ value, onChange }: Pick<InputProps, 'value' | 'onChange'>) {
  const { t } = useTexts()
  const absent = useAbsent()
  if (absent.length === 0 && value === '') return null
  return (
    <Chosen
      label={t('platform.inbox.by.for')}
      value={value}
      options={absent.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChange}
    />
  )
}

function OwnField({ field, ...rest }: { field: FilterField } & Pick<InputProps, 'value' | 'onChange'>) {
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
