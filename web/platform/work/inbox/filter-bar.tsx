import { CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { changeView, useViews, type InboxFields } from '../../kernel/api/inbox.ts'
import type { TaskRow } from '../../kernel/client/types.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { same, write, type Address } from './address.ts'
import css from './filter-bar.module.css'
import { useFilterName } from './filter-names.ts'
import { addressOf } from './views.tsx'

const ViewDialog = lazy(() => import('./view-dialog.tsx'))

interface FilterBarProps {
  address: Address
  fields: InboxFields | undefined
  rows: readonly TaskRow[]
  /** Whether lists can be saved as views here. */
  savable: boolean
}

/** The active filters, each removable, and a button to save the list as a view. */
export function FilterBar({ address, fields, rows, savable }: FilterBarProps) {
  const { t } = useTexts()
  const { wanted, go } = address
  const filters = Object.entries(wanted.filters)
  const without = (name: string) => Object.fromEntries(filters.filter(([each]) => each !== name))
  const plain = filters.length === 0 && !wanted.words
  const special = !plain || wanted.sort !== '-created' || (wanted.group ?? 'none') !== 'none'
  if (!special && !wanted.view) return null
  return (
    <div className={css['bar']}>
      {!plain && (
        <ul className={css['chips']} aria-label={t('platform.inbox.active-filters')}>
          {wanted.words && (
            <li>
              <Chip by={t('platform.inbox.search')} value={wanted.words} onRemove={() => go({ words: '' })} />
            </li>
          )}
          {filters.map(([name, value]) => (
            <li key={name}>
              <Filter
                name={name}
                value={value}
                fields={fields}
                rows={rows}
                onRemove={() => go({ filters: without(name) })}
              />
            </li>
          ))}
        </ul>
      )}
      {filters.length + (wanted.words ? 1 : 0) > 1 && (
        <Button type="link" size="small" onClick={() => go({ filters: {}, words: '' })}>
          {t('platform.inbox.clear-filters')}
        </Button>
      )}
      {savable && <Save address={address} />}
    </div>
  )
}

interface ChipProps {
  by: string
  value: string
  onRemove(): void
}

function Chip({ by, value, onRemove }: ChipProps) {
  const { t } = useTexts()
  return (
    <span className={css['chip']}>
      <span>
        {by}: <strong>{value}</strong>
      </span>
      <button
        type="button"
        aria-label={t('platform.inbox.remove-filter', { filter: `${by}: ${value}` })}
        onClick={onRemove}
      >
        <CloseOutlined />
      </button>
    </span>
  )
}

function Filter({
  name,
  value,
  fields,
  rows,
  onRemove,
}: Pick<FilterBarProps, 'fields' | 'rows'> & { name: string; value: string; onRemove(): void }) {
  return <Chip {...useFilterName(name, value, fields, rows)} onRemove={onRemove} />
}

/** Saves the list as a new view, or its changes into the view that it started from. */
function Save({ address: { wanted, path, navigate } }: Pick<FilterBarProps, 'address'>) {
  const { t } = useTexts()
  const attempt = useAction()
  const views = useViews().data?.items
  const [saving, setSaving] = useState(false)
  const query = write(wanted)
  const view = views?.find(({ id }) => id === wanted.view)
  if (!views || (view && same(view.query, query))) return null
  return (
    <span className={css['save']}>
      {view?.own && (
        <Button
          type="link"
          size="small"
          onClick={() =>
            void attempt(() => changeView(view, { query }), t('platform.inbox.view.saved', { name: view.name }))
          }
        >
          {t('platform.inbox.view.update', { name: view.name })}
        </Button>
      )}
      <Button type="link" size="small" onClick={() => setSaving(true)}>
        {t('platform.inbox.view.save-as')}
      </Button>
      {saving && (
        <Suspense fallback={null}>
          <ViewDialog
            query={query}
            onClose={(saved) => {
              setSaving(false)
              if (saved) navigate(addressOf(path, saved), { replace: true })
            }}
          />
        </Suspense>
      )}
    </span>
  )
}
