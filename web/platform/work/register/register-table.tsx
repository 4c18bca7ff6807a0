import { RowActs } from './row-acts.tsx'
import { usePlain } from './plain.ts'
import { Button } from 'antd'
import { useState, type Key, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useFlow } from '../../kernel/api/flows.ts'
import type { All } from '../../kernel/api/read.ts'
import { withQuery } from '../../kernel/client/client.ts'
import type { CaseRow, FormSchema } from '../../kernel/client/types.ts'
import { ExportRows } from '../case/export-rows.tsx'
import { ListPage, type Column } from '../../kernel/list/list-page.tsx'
import cells from '../../kernel/list/list-page.module.css'
import { matchScreen } from '../../kernel/screens/screens.ts'
import { at, isBlank } from '../../kernel/record/fields.ts'
import { Value } from '../../kernel/record/record.tsx'
import { useMe } from '../../kernel/session/session.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Mark } from '../../kernel/status/mark.tsx'
import { Status, statusWords } from '../../kernel/status/status.tsx'
import { useTexts, type Translate } from '../../kernel/texts/texts.ts'
import { FacultyDot, FacultyName, isFaculty } from '../../kernel/record/faculty.tsx'
import { usePageTitle } from '../../kernel/page/title.ts'
import { statusName } from '../../kernel/status/item-status.ts'
import { isInUse, mayAdd, newOne, type Item, type Register, type Within, type useItems } from './registers.ts'
import type { EntryChoice } from '../../kernel/api/entry-batches.ts'
import { RegisterFilters } from './register-filters.tsx'
import { useRegisterList } from './register-list.ts'
import { Ending } from './ending.tsx'
import { ForChosen } from './for-chosen.tsx'
import { verifiableIn } from './verifiable.ts'

const nameOf = (pointer: string) => pointer.slice(1)

const choiceOf = (search: string, status: string, byField: Record<string, string>): EntryChoice => ({
  ...(search && { search }),
  ...(status && { status }),
  filters: Object.fromEntries(Object.entries(byField).filter(([, value]) => value)),
})

interface RegisterTableProps {
  register: Register
  /** The route of an item's page, with `{id}`. */
  itemPage?: string
  /** A flow that the people of this register request: the table shows each person's state in it. */
  flow?: string
  /** The table shows only entries within this one. */
  within?: Within
  /** Fields, each with the value that the entries of the table have in it. */
  only?: Readonly<Record<string, string>>
  /** The table shows only entries about its reader. */
  mine?: boolean
  /** The table shows only entries entrusted to its reader. */
  entrusted?: boolean
  /** The status of the entries that it shows until its reader chooses another, or all. */
  usual?: string
}

/** The code of an entry finds it in this list; that of its paper says whether the paper is valid. */
const scannedIn =
  (filter: ReturnType<typeof useRegisterList>['filter'], navigate: (to: string) => void) => (code: string) => {
    const paper = code.startsWith('http') ? verifiableIn(code) : undefined
    if (paper === undefined) filter({ search: code.trim().slice(0, 120) })
    else navigate(`/verify/${paper}`)
  }

/** The table of a register: search and filters are in the address bar, columns come from its manifest. */
export default function RegisterTable({
  register: of,
  itemPage = `/registers/${of.register}/{id}`,
  flow: flowKey,
  within,
  only = {},
  mine = false,
  entrusted = false,
  usual = 'all',
}: RegisterTableProps) {
  const { register, title, titleField, statuses, columns, mayCreate, item, entryFlows, gatherFlows } = of
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const list = useRegisterList(of, { flow: flowKey, within, only, mine, entrusted, usual })
  const { items, filter, given, byField, search, status, ending, lacks, caseStatus } = list
  const flow = useFlow(flowKey).data
  const schemaOf = (pointer: string): FormSchema => item.properties?.[nameOf(pointer)] ?? {}
  const labelOf = (pointer: string) => t(schemaOf(pointer).title ?? nameOf(pointer))
  const heading = t(title, { within: within?.title ?? '' })
  usePageTitle(heading)

  const addressOf = ({ id }: Item) => itemPage.replace('{id}', encodeURIComponent(id))
  // A page of another kind does not change the entry.
  const isEntryPage = matchScreen(itemPage.split('?')[0] ?? '')?.screen.page === 'register-item'
  const changePageOf = (row: Item) => (isEntryPage ? addressOf(row) : `/registers/${register}/${row.id}`)

  const plainWith = usePlain()
  const plain = plainWith(items.titles)
  const shown = [titleField, ...columns.filter((pointer) => pointer !== titleField)]
  const table: Column<Item>[] = [
    ...shown.map((pointer): Column<Item> => ({
      title: labelOf(pointer),
      key: pointer,
      ...(schemaOf(pointer).type === 'string' ? { className: cells.words ?? '' } : {}),
      ...(schemaOf(pointer).type === 'integer' ? { align: 'right' as const } : {}),
      render: (_, row) =>
        pointer === titleField ? (
          <Title register={register} row={row}>
            <Link href={addressOf(row)}>{row.title}</Link> {row.owner && <small>{row.owner}</small>}
          </Title>
        ) : pointer === of.expires?.until && row.ends ? (
          <span>
            <Cell schema={schemaOf(pointer)} value={at(row.data, pointer)} plain={plain} />{' '}
            <Ending of={of} data={row.data} />
          </span>
        ) : (
          <Cell schema={schemaOf(pointer)} value={at(row.data, pointer)} plain={plain} />
        ),
    })),
    {
      title: t('platform.register-page.status'),
      key: 'status',
      render: (_, row) => (
        <Mark is={isInUse({ statuses }, row.status) ? 'on' : 'off'}>{statusName(row.status, t)}</Mark>
      ),
    },
    ...(flow ? [caseColumn(t(flow.title), items.cases, t)] : []),
    ...(mayCreate
      ? [actsColumn(t, (row) => <RowActs register={of} row={row} address={changePageOf(row)} reload={items.reload} />)]
      : []),
  ]

  const [selected, setSelected] = useState<string[]>([])
  const chooses = entryFlows.length > 0 || gatherFlows.length > 0 || Object.keys(of.inBulk).length > 0 || of.sheets
  const rowsOf = ({ items: rows, titles, cases }: All<Item>, told = plainWith(titles)) => [
    [...shown.map(labelOf), t('platform.register-page.status'), ...(flow ? [t(flow.title), ''] : [])],
    ...rows.map((row) => [
      ...shown.map((pointer) =>
        pointer === titleField ? row.title : (told(schemaOf(pointer), at(row.data, pointer)) ?? ''),
      ),
      statusName(row.status, t),
      ...(flow ? caseInWords(cases[row.id], t) : []),
    ]),
  ]

  const additions = additionsTo(of, given, t)
  const scanned = hasCodes(of) && { scanned: scannedIn(filter, navigate) }
  const none = list.filtered ? 'none-found' : mine ? 'none-of-you' : 'empty'
  return (
    <ListPage
      title={heading}
      list={items}
      lead={
        chooses ? (
          <ForChosen
            register={of}
            rows={items.items ?? []}
            chosen={selected}
            // What else narrows the list cannot be sent: there, only chosen rows.
            filtered={mine || ending || lacks || caseStatus ? undefined : choiceOf(search, status, byField)}
            count={items.count}
            onBegun={() => setSelected([])}
            reload={items.reload}
          />
        ) : (
          <PostsLink register={register} />
        )
      }
      selection={chooses && selectionOf(selected, setSelected, t)}
      search={{ label: t('platform.register-page.search'), value: search, ...scanned }}
      onSearch={(words) => filter({ search: words })}
      filters={
        <RegisterFilters
          of={{ ...of, filters: list.filters }}
          chosen={{ ...byField, status, ending, lacks, case: caseStatus }}
          flow={flow}
          usual={usual}
          onChange={filter}
        />
      }
      actions={[<ExportRows key="export" of={register} list={items} rows={rowsOf} />, ...additions]}
      columns={table}
      columnsOf={flowKey ? `${register}.${flowKey}` : register}
      empty={<Nothing none={none} adds={additions.length > 0} />}
    />
  )
}

/** Why the list is empty, and what can be done about it. */
function Nothing({ none, adds }: { none: 'none-found' | 'none-of-you' | 'empty'; adds: boolean }) {
  const { t } = useTexts()
  return (
    <Empty title={t(`platform.register-page.${none}`)}>
      {(none !== 'empty' || adds) && t(`platform.register-page.${none}-detail`)}
    </Empty>
  )
}

/** Whether its entries carry codes that a camera reads: labels, or papers. */
const hasCodes = ({ codeField, prints, item }: Register) =>
  prints || item.properties?.[nameOf(codeField ?? '')]?.['x-scan'] === true

/** From the posts to the people who have them. */
function PostsLink({ register }: { register: string }) {
  const { t } = useTexts()
  const me = useMe()
  if (register !== 'platform/post' || !(me.groups.includes('roleSetup') || me.seesAll)) return null
  return <Link href="/posts">{t('platform.posts.who-has')}</Link>
}

const selectionOf = (selected: string[], choose: (ids: string[]) => void, t: Translate) => ({
  selectedRowKeys: selected,
  preserveSelectedRowKeys: true,
  onChange: (keys: readonly Key[]) => choose(keys.map(String)),
  getCheckboxProps: (row: Item) => ({ 'aria-label': t('platform.entry-batch.choose', { name: row.title }) }),
})

/** The name of an entry; a faculty's with its colour. */
function Title({ register, row, children }: { register: string; row: Item; children: ReactNode }) {
  return isFaculty(register) ? <FacultyDot theme={row.data['theme']}>{children}</FacultyDot> : children
}

interface CellProps {
  schema: FormSchema
  value: unknown
  plain(schema: FormSchema, value: unknown): string | undefined
}

function Cell({ schema, value, plain }: CellProps) {
  const words = plain(schema, value)
  if (isFaculty(schema['x-register']) && !isBlank(value)) return <FacultyName id={String(value)}>{words}</FacultyName>
  return words ?? <Value schema={schema} value={value} />
}

const actsColumn = (t: Translate, acts: (row: Item) => ReactNode): Column<Item> => ({
  title: t('platform.register-page.actions'),
  key: 'actions',
  className: cells.acts ?? '',
  align: 'right',
  hideInSetting: true,
  render: (_, row) => acts(row),
})

type CaseOf = ReturnType<typeof useItems>['cases'][string]

/** The state of each person in the flow. */
const caseColumn = (title: string, cases: Record<string, CaseOf>, t: Translate): Column<Item> => ({
  title,
  key: 'case',
  // The list exists to show this column, so it is never hidden for lack of space.
  hideInSetting: true,
  render: (_, { id }) => {
    const of = cases[id]
    if (!of) return t('platform.register-page.no-case')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API reads it from the column that cases have
    const state = of.state as CaseRow['state']
    return (
      <>
        <Link href={`/cases/${of.id}`}>{of.reference}</Link> <Status of={{ ...of, state, waitsWith: [] }} />
      </>
    )
  },
})

const caseInWords = (of: CaseOf | undefined, t: Translate): string[] =>
  of ? [statusWords(of, t), of.reference] : [t('platform.register-page.no-case'), '']

/** The buttons that add entries, as far as the reader may. */
const additionsTo = (of: Register, given: Record<string, string>, t: Translate) => [
  ...(of.mayImport
    ? [
        <Link key="import" href={withQuery(`/registers/${of.register}/import`, given)} asChild>
          <Button>{t('platform.register-import.open')}</Button>
        </Link>,
      ]
    : []),
  ...(mayAdd(of)
    ? [
        <Link key="add" href={withQuery(`/registers/${of.register}/new`, given)} asChild>
          <Button type="primary">{newOne(of, t)}</Button>
        </Link>,
      ]
    : []),
]
