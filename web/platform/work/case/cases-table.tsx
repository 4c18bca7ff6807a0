import { Button } from 'antd'
import { Link, useLocation } from 'wouter'
import { mayOpen } from '../../../../forms/platform/may-open.ts'
import { casesPath } from '../../kernel/api/cases.ts'
import { useFlow, useFlows } from '../../kernel/api/flows.ts'
import { usePages } from '../../kernel/api/read.ts'
import type { CaseRow, FormSchema } from '../../kernel/client/types.ts'
import { Choice } from '../../kernel/list/choice.tsx'
import { useFilters } from '../../kernel/list/filters.ts'
import { ListPage, type Column } from '../../kernel/list/list-page.tsx'
import cells from '../../kernel/list/list-page.module.css'
import { isBlank } from '../../kernel/record/fields.ts'
import { Value } from '../../kernel/record/record.tsx'
import { namesIn, onlyIn, type PageProps } from '../../kernel/screens/page.ts'
import { matchScreen } from '../../kernel/screens/screens.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { furtherStatus, Status, statusWords } from '../../kernel/status/status.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { hasText, useTexts, type Translate } from '../../kernel/texts/texts.ts'
import { ExportRows } from './export-rows.tsx'
import { useFactWords } from './fact-words.ts'
import { Unregistered } from '../../kernel/status/unregistered.tsx'
import { statesOf } from './statuses.ts'

function fieldOf(form: FormSchema | undefined, name: string): { name: string; schema: FormSchema } {
  return { name, schema: form?.properties?.[name] ?? {} }
}

/** The cases of one flow by status: filters are in the address bar, columns come from the flow's manifest. */
export default function CasesTable({ params, parameters, title }: PageProps) {
  const { t, language } = useTexts()
  const { dateTime, date } = useFormats()
  const [path, navigate] = useLocation()
  const named = (name: string) => (typeof parameters[name] === 'string' ? parameters[name] : undefined)
  const flowKey = named('flow')
  const usual = named('status') ?? 'all'
  const flow = useFlow(flowKey).data
  const lists = Object.entries(flow?.manifest.statusLists ?? {}).filter(([list]) => list !== 'status')
  const { chosen, filter } = useFilters(['search', 'status', ...lists.map(([list]) => list)])
  const status = chosen['status'] || usual
  const among = namesIn(parameters['statuses'])
  const wanted = status === 'all' ? among?.join() : status
  const search = chosen['search'] ?? ''
  const area = flowKey?.split('/')[0]
  const cases = usePages<CaseRow>(
    casesPath({
      mine: parameters['mine'] === true,
      flow: flowKey,
      status: wanted,
      item: parameters['item'] === true ? params['id'] : undefined,
      filters: { ...Object.fromEntries(lists.map(([list]) => [list, chosen[list] ?? ''])), ...onlyIn(parameters) },
      search: search || undefined,
      limit: 50,
    }),
  )

  const fields = (flow?.manifest.columns ?? []).map((pointer) => fieldOf(flow?.form.schema, pointer.slice(1)))
  // A fact with one value is a column; one with several parts is shown on the case's page.
  const facts = (flow?.manifest.facts ?? []).filter(
    (name) => hasText(`${area}.fact.${name}`) && !hasText(`${area}.fact.${name}.value`),
  )
  const factWords = useFactWords(area ?? '', flow?.manifest.factUnits)
  const factOf = ({ facts: known }: CaseRow, name: string) => (isBlank(known[name]) ? '' : factWords(name, known[name]))
  const listTitle = (list: string) => t(`${area}.status-list.${list}`)
  const acts = namesIn(parameters['acts']) ?? ['export']
  const noneKey = named('empty') ?? 'platform.cases.nothing-detail'
  const mayStart = useFlows().data?.items.some((one) => one.flow === flowKey)
  const casePage = usePageOfCase(String(parameters['itemPage'] ?? ''))
  const only = namesIn(parameters['columns'])
  const isWanted = ({ key }: { key: string }) => key === 'reference' || !only || only.includes(key)
  const place = ({ key }: { key: string }) => only?.indexOf(key) ?? 0
  const all: Told[] = [
    {
      title: t('platform.cases.reference'),
      key: 'reference',
      width: 150,
      render: (_, row) => <Link href={casePage.replace('{id}', row.id)}>{row.reference}</Link>,
      words: ({ reference }) => reference,
    },
    ...facts.map((name): Told => ({
      title: t(`${area}.fact.${name}`),
      key: `fact.${name}`,
      render: (_, row) => factOf(row, name) || '–',
      words: (row) => factOf(row, name),
    })),
    {
      title: t('platform.cases.status'),
      key: 'status',
      render: (_, row) => <Status of={row} />,
      words: (row) => statusWords(row, t),
    },
    ...lists.map(([list]): Told => ({
      title: listTitle(list),
      key: `status.${list}`,
      render: (_, row) => furtherStatus(row, list) ?? '–',
      words: (row) => furtherStatus(row, list) ?? '',
    })),
    ...fields.map(({ name, schema }): Told => ({
      title: schema.title ? t(schema.title) : name,
      key: name,
      ...(schema.type === 'string' && !schema.format ? { className: cells.words ?? '' } : {}),
      render: (_, { subject }) => inTable(schema, ownWord(subject, name, language), dateTime, date),
      words: ({ subject }) => plain(schema, ownWord(subject, name, language), dateTime, date),
    })),
    ...usualColumns(t, dateTime),
  ]
  const told = all.filter(isWanted).toSorted((a, b) => place(a) - place(b))
  const rowsOf = ({ items }: { items: CaseRow[] }) => [
    told.map((column) => column.title),
    ...items.map((row) => told.map(({ words }) => words(row))),
  ]

  return (
    <ListPage
      title={t(title)}
      list={cases}
      search={{ label: t('platform.cases.search'), value: search }}
      onSearch={(words) => filter({ search: words })}
      filters={
        <>
          <Choice
            label={t('platform.cases.status')}
            value={status === 'all' ? '' : status}
            any={t('platform.cases.any-status')}
            options={statesOf(flow?.manifest.statusLists?.['status'])
              .filter(({ state }) => !among || among.includes(state))
              .map(({ state, text }) => ({ value: state, label: t(text) }))}
            onChange={(value) => filter({ status: (value || 'all') === usual ? '' : value || 'all' })}
          />
          <FurtherLists lists={lists} chosen={chosen} titleOf={listTitle} filter={filter} />
        </>
      }
      actions={[
        acts.includes('export') && <ExportRows key="export" of={flowKey ?? 'cases'} list={cases} rows={rowsOf} />,
        acts.includes('start') && flow && mayStart && (
          <Button key="start" type="primary" onClick={() => navigate(flow.manifest.startPage ?? `/start/${flowKey}`)}>
            {t(hasText(`${flow.title}-new`) ? `${flow.title}-new` : flow.title)}
          </Button>
        ),
      ].filter((each) => each !== false)}
      columns={told}
      columnsOf={path}
      empty={<Empty title={t('platform.cases.nothing')}>{t(noneKey)}</Empty>}
    />
  )
}

interface FurtherListsProps {
  lists: [string, Parameters<typeof statesOf>[0]][]
  chosen: Record<string, string>
  titleOf(list: string): string
  filter(change: Record<string, string>): void
}

/** A filter for each status list beside the first. */
function FurtherLists({ lists, chosen, titleOf, filter }: FurtherListsProps) {
  const { t } = useTexts()
  return lists.map(([list, states]) => (
    <Choice
      key={list}
      label={titleOf(list)}
      value={chosen[list] ?? ''}
      options={statesOf(states).map(({ state, text }) => ({ value: state, label: t(text) }))}
      onChange={(value) => filter({ [list]: value })}
    />
  ))
}

/** A column with its text for a file. */
type Told = Column<CaseRow> & { words(row: CaseRow): string }

/** The columns of every case: requester, assignees and time. */
const usualColumns = (t: Translate, dateTime: Written): Told[] => [
  {
    title: t('platform.cases.requester'),
    key: 'requester',
    render: (_, { requester }) => (
      <>
        {requester.name}
        <Unregistered is={requester} />
      </>
    ),
    words: ({ requester: { name } }) => name,
  },
  {
    title: t('platform.cases.with'),
    key: 'with',
    className: cells.words ?? '',
    render: (_, row) => holdersOf(row) || '–',
    words: holdersOf,
  },
  {
    title: t('platform.cases.sent-at'),
    key: 'sent',
    render: (_, row) => dateTime(row.createdAt),
    words: ({ createdAt }) => dateTime(createdAt),
  },
]

/** Who has a case now. */
const holdersOf = ({ waitsWith }: CaseRow): string =>
  waitsWith.map(({ assignee, principals }) => assignee?.name ?? principals.join(', ')).join('; ')

/** A screen parameter that is a list. */
type Written = (at: string) => string

/** A value of the subject, in the reader's language if the subject has it: `kind_si` beside `kind`. */
const ownWord = (subject: CaseRow['subject'], name: string, language: string): unknown =>
  subject[`${name}_${language}`] ?? subject[name]

/** Tables use short dates; the subject of a case has titles where the form has ids. */
function plain(schema: FormSchema, value: unknown, dateTime: Written, date: Written): string {
  if (typeof value === 'number' && schema['x-unit'] === 'LKR cents') return (value / 100).toFixed(2)
  if (typeof value !== 'string') return value === undefined || value === null ? '' : String(value)
  if (schema.format === 'date-time') return dateTime(value)
  if (schema.format === 'date') return date(value)
  return value
}

function inTable(schema: FormSchema, value: unknown, dateTime: Written, date: Written) {
  if (typeof value === 'string' && (schema.format || schema['x-register'])) return plain(schema, value, dateTime, date)
  return <Value schema={schema} value={value} />
}

/** Where a row leads: to the page that the screen names, or to the case if the reader may not open that. */
function usePageOfCase(itemPage: string): string {
  const me = useMe()
  const { screen } = matchScreen(itemPage.split('?')[0] ?? '') ?? {}
  return screen && mayOpen(me, screen) ? itemPage : '/cases/{id}'
}
