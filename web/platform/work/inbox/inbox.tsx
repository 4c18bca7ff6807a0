import { Alert, Button, type InputRef } from 'antd'
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import {
  useInbox,
  useInboxChoice,
  useInboxFields,
  useViews,
  type InboxFields,
  type Queue,
} from '../../kernel/api/inbox.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { useKeptApp } from '../offline/worker.ts'
import { namesIn, onlyIn, type PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { AskedToStandIn } from '../../people/substitutes/asked-notice.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts, loadWords } from '../../kernel/texts/texts.ts'
import { apiQuery, useAddress, type Address } from './address.ts'
import { BulkBar } from './bulk-bar.tsx'
import { Bulk } from './bulk-elsewhere.tsx'
import { FilterBar } from './filter-bar.tsx'
import { grouped } from './groups.ts'
import css from './inbox.module.css'
import { focusRow, useListKeys } from './keys.ts'
import { useKeptList } from './kept-list.ts'
import { List } from './list.tsx'
import { Queues } from './queues.tsx'
import row from './row.module.css'
import { useSelection, type Selection } from './selection.ts'
import { useStableList, type StableRow } from './steady-list.ts'
import { Toolbar } from './toolbar.tsx'
import { addressOf } from './views.tsx'

const loadTask = async () => {
  const [{ TaskView }] = await Promise.all([import('../task/task-view.tsx'), loadWords([], 'task')])
  return { default: TaskView }
}
const TaskView = lazy(loadTask)

const none: readonly never[] = []
const loading = (
  <div className={css['loading']}>
    <Skeleton lines={8} />
  </div>
)
/** Columns of a flow shown before the reader has chosen: more would leave little room for the title. */
const DEFAULT_COLUMN_COUNT = 2

/** What the screen of an inbox fixes. */
const fixedIn = (parameters: PageProps['parameters']) => ({
  flow: typeof parameters['flow'] === 'string' ? parameters['flow'] : undefined,
  desk: typeof parameters['desk'] === 'string' ? parameters['desk'] : undefined,
  status: typeof parameters['status'] === 'string' ? parameters['status'] : undefined,
  only: onlyIn(parameters),
})

/** The inbox: queues with counts, the list, and the open task; on a small screen one at a time. */
export default function Inbox({ parameters, title }: PageProps) {
  const { t } = useTexts()
  const { count } = useFormats()
  const now = useNow()
  const address = useAddress()
  const { wanted, task: open, toTask, navigate, path } = address
  const fixed = useMemo(() => fixedIn(parameters), [parameters])
  const { flow: fixedFlow } = fixed
  const flow = fixedFlow ?? wanted.filters['flow']
  const starting = useStart(address, fixedFlow === undefined)

  const query = useMemo(() => apiQuery(wanted, fixed), [wanted, fixed])
  const tasks = useInbox(starting ? undefined : query)
  const listKey = JSON.stringify([path, query])
  const list = useStableList(tasks, listKey, wanted.sort === '-created')
  const rows = useWithTaken(list.rows, wanted.queue, flow)
  const choice = useInboxChoice().data
  const group = wanted.group ?? choice?.grouping ?? 'none'
  const ordered = useMemo(
    () => grouped(rows, group, now).flatMap((part) => part.rows.map((each) => each.row)),
    [rows, group, now],
  )
  const ids = useMemo(() => ordered.map(({ id }) => id), [ordered])
  const selection = useSelection(listKey, ids)
  const ticked = useMemo(() => {
    const chosen = new Set(selection.ids)
    return ordered.filter(({ id }) => chosen.has(id))
  }, [ordered, selection.ids])

  const fields = useInboxFields(flow).data
  const drawn = namesIn(parameters['columns'])
  const density = choice?.density ?? 'comfortable'
  const columns = useColumns(flow, fields, drawn)

  const page = useRef<HTMLDivElement>(null)
  const searchField = useRef<InputRef>(null)
  useListKeys({ page, ids, open, address, toggle: selection.toggle, searchField })
  useKeptApp()
  useTaskAhead()
  useKeptList(tasks.items, wanted.queue, tasks.count)
  // The row is marked open at once; its content may take longer. Meanwhile the previous task is hidden, so that no fast
  // key decides it.
  const shown = useDeferredValue(open)

  /** The task has left this person's list: opens the one below, or the last one. */
  const goOn = (done: string) => {
    const at = ids.indexOf(done)
    const there = new Set(rows.flatMap((each) => (each.gone ? [] : [each.row.id])))
    const rest = [...ids.slice(at + 1), ...ids.slice(0, Math.max(0, at)).toReversed()]
    const next = rest.find((id) => there.has(id) && id !== done)
    list.remove(done)
    tasks.reload()
    // A small screen returns to the list; a wide one opens the next task beside it.
    const wide = window.matchMedia('(min-width: 1024px)').matches
    navigate(toTask(wide ? next : undefined), { replace: true })
    if (wide && next) focusRow(page.current, next)
  }

  const found = tasks.count && t('platform.inbox.found', { count: tasks.count.value, shown: count(tasks.count) })
  return (
    <div
      className={css['inbox']}
      data-open={open ? '' : undefined}
      data-selecting={selection.ids.length > 0 || undefined}
      ref={page}
    >
      <Queues
        title={title}
        path={path}
        wanted={wanted}
        query={starting ? undefined : query}
        viewed={fixedFlow === undefined}
      />

      <section className={css['list']} aria-label={t(`platform.inbox.queue.${wanted.queue}`)}>
        <AskedToStandIn />
        <Toolbar
          address={address}
          fixedFlow={fixedFlow}
          flow={flow}
          fields={fields}
          density={density}
          group={group}
          columns={columns.map(({ name }) => name)}
          query={query}
          found={found}
          searchField={searchField}
        />
        <FilterBar address={address} fields={fields} rows={ordered} savable={fixedFlow === undefined} />
        <Head selection={selection} count={rows.length} present={ids.length} found={found} list={list} />
        {tasks.narrow && <Alert className={css['narrow'] ?? ''} type="info" title={t('platform.inbox.narrow')} />}
        {tasks.error && !tasks.items ? (
          <Trouble error={tasks.error} onRetry={tasks.reload} />
        ) : !tasks.items ? (
          loading
        ) : rows.length === 0 ? (
          <Nothing address={address} />
        ) : (
          <List
            rows={rows}
            queue={wanted.queue}
            group={group}
            density={density}
            columns={columns}
            open={open}
            chosen={selection.ids}
            toTask={toTask}
            onToggle={selection.toggle}
            more={tasks.more}
            loading={tasks.loading}
            loadMore={tasks.loadMore}
          />
        )}
        <BulkBar selection={selection} rows={ticked} present={ids.length} onDone={selection.clear} />
      </section>

      {open && (
        <section className={css['task']} aria-label={t('platform.inbox.task')}>
          {shown === open ? (
            <Suspense fallback={loading}>
              <TaskView key={open} id={open} onDone={() => goOn(open)} back={toTask(undefined)} />
            </Suspense>
          ) : (
            loading
          )}
        </section>
      )}
      <Bulk onMoved={tasks.reload} />
    </div>
  )
}

interface HeadProps {
  selection: Selection
  /** The number of shown rows, including those that are gone. */
  count: number
  present: number
  /** The number of results, in words. */
  found: string | undefined
  list: Pick<ReturnType<typeof useStableList>, 'fresh' | 'adopt'>
}

/** Above the rows: select all, the count, and the number of new rows. */
function Head({ selection, count, present, found, list }: HeadProps) {
  const { t } = useTexts()
  return (
    <>
      <p className={css['head']}>
        {count > 0 && (
          <input
            type="checkbox"
            className={row['tick']}
            checked={selection.ids.length === present}
            aria-label={t('platform.inbox.select-all')}
            onChange={({ target }) => (target.checked ? selection.all() : selection.clear())}
          />
        )}
        <output>{found}</output>
      </p>
      <output className="visually-hidden">{list.fresh > 0 && t('platform.inbox.new', { count: list.fresh })}</output>
      {list.fresh > 0 && (
        <button type="button" className={css['fresh']} onClick={list.adopt}>
          {t('platform.inbox.new', { count: list.fresh })}
        </button>
      )}
    </>
  )
}

/** The columns of a flow's fields: the reader's choice, else the page's, else the first ones. */
function useColumns(flow: string | undefined, fields: InboxFields | undefined, drawn: readonly string[] | undefined) {
  const choice = useInboxChoice().data
  return useMemo(() => {
    if (!flow || !fields) return none
    const chosen = choice?.columns[flow]
    if (chosen) return fields.columns.filter(({ name }) => chosen.includes(name))
    return drawn
      ? drawn.flatMap((one) => fields.columns.find(({ name }) => name === one) ?? [])
      : fields.columns.slice(0, DEFAULT_COLUMN_COUNT)
  }, [flow, fields, choice, drawn])
}

const signs = ['pointermove', 'pointerdown', 'keydown'] as const

/**
 * Preloads the task view when somebody may soon open a task, so that the list loads first and the task opens at once.
 */
function useTaskAhead(): void {
  useEffect(() => {
    const stop = () => {
      for (const sign of signs) removeEventListener(sign, begin)
    }
    const begin = () => {
      stop()
      // The same error occurs again when the task renders, and is shown there.
      loadTask().catch(() => undefined)
    }
    for (const sign of signs) addEventListener(sign, begin)
    return stop
  }, [])
}

/** Replaces an address without a query with the reader's start view; true until it is known whether there is one. */
function useStart({ bare, path, navigate }: Address, wanted: boolean): boolean {
  const choice = useInboxChoice()
  const views = useViews()
  const id = choice.data?.startView
  const view = views.data?.items.find((each) => each.id === id)
  const to = bare && wanted && view ? addressOf(path, view) : undefined
  useEffect(() => {
    if (to) navigate(to, { replace: true })
  }, [to, navigate])
  if (!bare || !wanted || choice.error || views.error) return false
  return !choice.data || Boolean(id && (!views.data || to))
}

/** A task that the reader claimed from the open queue stays in place, with their name on it. */
function useWithTaken(rows: StableRow[], queue: Queue, flow: string | undefined): StableRow[] {
  const mine = useInbox(queue === 'open' ? { queue: 'mine', ...(flow ? { flow } : {}) } : undefined).items
  return useMemo(() => {
    const taken = new Map(mine?.map((one) => [one.id, one]))
    return rows.map((each) => {
      const held = taken.get(each.row.id)
      return held ? { row: held, gone: false } : each
    })
  }, [rows, mine])
}

/** Shown if there are no rows: what would be here, or that nothing matches. */
function Nothing({ address: { wanted, go } }: { address: Address }) {
  const { t } = useTexts()
  const narrowed = wanted.words !== '' || Object.keys(wanted.filters).length > 0
  if (narrowed)
    return (
      <Empty
        title={t('platform.inbox.nothing-found')}
        actions={<Button onClick={() => go({ words: '', filters: {} })}>{t('platform.inbox.clear')}</Button>}
      >
        {t('platform.inbox.nothing-found-detail')}
      </Empty>
    )
  return (
    <Empty title={t(`platform.inbox.empty.${wanted.queue}`)}>{t(`platform.inbox.empty.${wanted.queue}-detail`)}</Empty>
  )
}
