import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { useInbox, type InboxFields } from '../../kernel/api/inbox.ts'
import { useDebounced } from '../../kernel/clock/rested.ts'
import { Day } from '../../kernel/form/day-widgets.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { apiQuery, type Address } from './address.ts'
import { useAbsent } from './filter-names.ts'
import css from './filter-panel.module.css'
import { type InputProps, Labelled, Range, Chosen, Money, Search, Item, OwnField } from './filter-fields.tsx'

interface FilterPanelProps {
  open: boolean
  close(): void
  address: Address
  /** The flow of the whole page. */
  fixedFlow: string | undefined
  fields: InboxFields | undefined
  /** The number of results, in words. */
  found: string | undefined
}

/** All filters of the list. Each choice applies at once; closing the panel changes nothing. */
export default function FilterPanel({ open, close, address, fixedFlow, fields, found }: FilterPanelProps) {
  const { t } = useTexts()
  const { filters } = address.wanted
  const flow = fixedFlow ?? filters['flow']
  const put = (change: Record<string, string | undefined>) => {
    const next = Object.entries({ ...filters, ...change })
    address.go({ filters: Object.fromEntries(next.filter((each): each is [string, string] => Boolean(each[1]))) })
  }
  /** Filters that only exist for one flow are removed with it. */
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
          <AbsentPerson value={chosen('for')} onChange={(absent) => put({ for: absent })} />
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

/** A requester in this list, found by name. */
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
  const words = useDebounced(typed.trim())
  const list = useInbox(apiQuery({ ...wanted, words: words || wanted.words, filters: others }, { flow }))
  const people = new Map((list.items ?? []).map((row) => [row.requester.id, row.requester.name]))
  if (requester && !people.has(requester)) people.set(requester, t('platform.inbox.one-person'))
  return (
    <Search
      label={t('platform.inbox.by.requester')}
      value={requester}
      options={[...people].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label))}
      loading={list.loading}
      onSearch={setTyped}
      onChange={onChange}
    />
  )
}

/** For substitutes: only the tasks of one absent person. */
function AbsentPerson({ value, onChange }: Pick<InputProps, 'value' | 'onChange'>) {
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
