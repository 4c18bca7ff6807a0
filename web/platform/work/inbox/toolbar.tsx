import { DownloadOutlined, FilterOutlined, SortAscendingOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { App, Button, Dropdown, Input, type InputRef, type MenuProps } from 'antd'
import { lazy, Suspense, useState, type ReactNode, type RefObject } from 'react'
import { choose, exportInbox, sorts, useInboxChoice, type Density, type InboxFields } from '../../kernel/api/inbox.ts'
import { save } from '../../kernel/files/save.ts'
import { showShortcutHelp } from '../../kernel/keyboard/shortcuts.ts'
import { inWords } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { groupings, type Address, type Grouping } from './address.ts'
import css from './toolbar.module.css'

const FilterPanel = lazy(() => import('./filter-panel.tsx'))

const densities: readonly Density[] = ['comfortable', 'compact']

interface ToolbarProps {
  address: Address
  /** The flow of the whole page, whatever the address says. */
  fixedFlow: string | undefined
  /** The flow of the list. */
  flow: string | undefined
  fields: InboxFields | undefined
  density: Density
  /** The grouping, from the address or from the reader's choice. */
  group: Grouping
  /** Names of the shown columns. */
  columns: readonly string[]
  /** The API query of the list. */
  query: Record<string, string>
  /** The count in words; undefined until it is known. */
  found: string | undefined
  searchField: RefObject<InputRef | null>
}

/** Search, filters, order, layout and export of a list. */
export function Toolbar(props: ToolbarProps) {
  const { address, fixedFlow, fields, found, searchField } = props
  const { t } = useTexts()
  const [panel, setPanel] = useState<'never' | 'open' | 'closed'>('never')
  const { words, filters } = address.wanted
  const active = Object.keys(filters).length
  return (
    <div className={css['tools']} role="search" aria-label={t('platform.inbox.tools')}>
      <Input.Search
        key={words}
        ref={searchField}
        allowClear
        defaultValue={words}
        className={css['search'] ?? ''}
        placeholder={t('platform.inbox.search')}
        aria-label={t('platform.inbox.search')}
        onSearch={(value) => value.trim() !== words && address.go({ words: value.trim() })}
      />
      <Tool
        icon={<FilterOutlined />}
        words={t('platform.inbox.filter')}
        mark={active}
        onClick={() => setPanel('open')}
      />
      <Sorting address={address} />
      <Display {...props} />
      <Export {...props} />
      {panel !== 'never' && (
        <Suspense fallback={null}>
          <FilterPanel
            open={panel === 'open'}
            close={() => setPanel('closed')}
            address={address}
            fixedFlow={fixedFlow}
            fields={fields}
            found={found}
          />
        </Suspense>
      )}
    </div>
  )
}

interface ToolProps {
  icon: ReactNode
  /** Shown beside the icon if there is room. */
  words: string
  /** The accessible name, if it differs from the words. */
  name?: string
  mark?: number
  loading?: boolean
  onClick?(): void
}

/** A button that shows only its icon if there is little room. */
function Tool({ icon, words, name, mark = 0, ...rest }: ToolProps) {
  const { t } = useTexts()
  return (
    <Button
      {...rest}
      type="text"
      icon={<span aria-hidden>{icon}</span>}
      aria-label={name}
      title={name ?? words}
      className={css['tool'] ?? ''}
    >
      <span className={css['words']}>{words}</span>
      {mark > 0 && (
        <span className={css['mark']}>
          {mark}
          <span className="visually-hidden"> {t('platform.inbox.filter-active')}</span>
        </span>
      )}
    </Button>
  )
}

/** A menu option; the selected one is marked visually and for screen readers. */
function Choice({ made, children }: { made: boolean; children: ReactNode }) {
  const { t } = useTexts()
  return (
    <span className={css['choice']} data-made={made || undefined}>
      {children}
      {made && <span className="visually-hidden">, {t('platform.inbox.chosen')}</span>}
    </span>
  )
}

function Sorting({ address }: Pick<ToolbarProps, 'address'>) {
  const { t } = useTexts()
  const { sort } = address.wanted
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: sorts.map((each) => ({
          key: each,
          label: <Choice made={each === sort}>{t(`platform.inbox.sort.${each}`)}</Choice>,
          onClick: () => address.go({ sort: each }),
        })),
      }}
    >
      <Tool
        icon={<SortAscendingOutlined />}
        words={t(`platform.inbox.sort.${sort}`)}
        name={t('platform.inbox.sorted', { sort: t(`platform.inbox.sort.${sort}`) })}
      />
    </Dropdown>
  )
}

function Display({ address, flow, fields, density, group, columns }: ToolbarProps) {
  const { t } = useTexts()
  const [open, setOpen] = useState(false)
  const chosen = useInboxChoice().data?.columns
  const offered = flow ? (fields?.columns ?? []) : []
  const show = (name: string) => {
    if (!flow) return
    const shown = offered.filter((each) => columns.includes(each.name) !== (each.name === name))
    void choose({ columns: { ...chosen, [flow]: shown.map((each) => each.name) } })
  }
  const items: MenuProps['items'] = [
    {
      key: 'group',
      type: 'group',
      label: t('platform.inbox.group'),
      children: groupings.map((each) => ({
        key: `group ${each}`,
        label: <Choice made={each === group}>{t(`platform.inbox.group.${each}`)}</Choice>,
        onClick: () => {
          address.go({ group: each })
          void choose({ grouping: each })
        },
      })),
    },
    {
      key: 'density',
      type: 'group',
      label: t('platform.inbox.density'),
      children: densities.map((each) => ({
        key: `density ${each}`,
        label: <Choice made={each === density}>{t(`platform.inbox.density.${each}`)}</Choice>,
        onClick: () => void choose({ density: each }),
      })),
    },
    ...(offered.length > 0
      ? [
          {
            key: 'columns',
            type: 'group' as const,
            label: t('platform.inbox.columns'),
            children: offered.map(({ name, title }) => ({
              key: `column ${name}`,
              label: <Choice made={columns.includes(name)}>{title}</Choice>,
              onClick: () => show(name),
            })),
          },
        ]
      : []),
    { type: 'divider' },
    { key: 'keys', label: t('platform.inbox.all-keys'), onClick: () => showShortcutHelp(true) },
  ]
  return (
    <Dropdown
      trigger={['click']}
      open={open}
      // Stays open while several columns are chosen.
      onOpenChange={(next, { source }) => source === 'trigger' && setOpen(next)}
      menu={{ items, onClick: ({ key }) => !key.startsWith('column ') && setOpen(false) }}
    >
      <Tool icon={<UnorderedListOutlined />} words={t('platform.inbox.display')} />
    </Dropdown>
  )
}

function Export({ query }: ToolbarProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const take = async (format: 'csv' | 'xlsx') => {
    setBusy(true)
    try {
      const { name, content, rowsOfMore } = await exportInbox(format, query)
      save(name, content)
      if (rowsOfMore !== undefined)
        void message.warning(t('platform.inbox.sheet.rest', { rows: rowsOfMore.toLocaleString('en') }), 10)
    } catch (error) {
      const { title, detail } = inWords(error, t)
      void message.error(`${title}. ${detail}`, 6)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          { key: 'csv', label: t('platform.inbox.export.csv'), onClick: () => void take('csv') },
          { key: 'xlsx', label: t('platform.inbox.export.xlsx'), onClick: () => void take('xlsx') },
        ],
      }}
    >
      <Tool icon={<DownloadOutlined />} words={t('platform.inbox.export')} loading={busy} />
    </Dropdown>
  )
}
