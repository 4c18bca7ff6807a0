import { Button, Input } from 'antd'
import { useEffect, useRef, type RefObject } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { withQuery } from '../api/client.ts'
import { useTaskCounts, useTasks, type Queue } from '../api/tasks.ts'
import type { PageProps } from '../router/page.ts'
import { Empty } from '../states/empty.tsx'
import { Skeleton } from '../states/skeleton.tsx'
import { Trouble } from '../states/trouble.tsx'
import { TaskView } from '../task/task-view.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import css from './inbox.module.css'
import { Row } from './row.tsx'
import { useSteadyList } from './steady-list.ts'

const queues: readonly Queue[] = ['open', 'mine', 'group']

/** The work that waits: queues with counts, the list, and the open task; on a small screen one after the other. */
export default function Inbox({ parameters, title }: PageProps) {
  const { t } = useTexts()
  const { count } = useFormats()
  const [path, navigate] = useLocation()
  const search = new URLSearchParams(useSearch())
  const given = search.get('queue') as Queue | null
  const queue: Queue = given && queues.includes(given) ? given : 'open'
  const words = search.get('search') ?? ''
  const open = search.get('task') ?? undefined
  const flow = typeof parameters['flow'] === 'string' ? parameters['flow'] : undefined

  const counts = useTaskCounts()
  const tasks = useTasks({ queue, flow, search: words || undefined })
  const list = useSteadyList(tasks.items, `${path} ${queue} ${words}`)
  // What the reader has taken out of the open ones is not gone: it keeps its place, with their name on it.
  const taken = new Map(useTasks({ queue: 'mine', flow }).items?.map((row) => [row.id, row]))
  const address = (task: string | undefined) => withQuery(path, { queue: given, search: words, task })
  const find = (wanted: string) => navigate(withQuery(path, { queue: given, search: wanted }))

  /** The task is out of this person's hands: the one below it opens, or the one above the last. */
  const goOn = (done: string) => {
    const at = list.rows.findIndex(({ row }) => row.id === done)
    const rest = [...list.rows.slice(at + 1), ...list.rows.slice(0, Math.max(0, at)).reverse()]
    const next = rest.find(({ gone, row }) => !gone && row.id !== done)
    list.remove(done)
    tasks.reload()
    // On a small screen the list is where one was; elsewhere the next task stands beside it.
    const wide = window.matchMedia('(min-width: 1024px)').matches
    navigate(address(wide ? next?.row.id : undefined), { replace: true })
  }

  const keyboard = useRef<HTMLDivElement>(null)
  useListKeys(keyboard, list.rows.map(({ row }) => row.id).join())

  return (
    <div className={css['inbox']} data-open={open ? '' : undefined} ref={keyboard}>
      <nav className={css['queues']} aria-label={t('platform.inbox.queues')}>
        <h1>{t(title)}</h1>
        <ul>
          {queues.map((each) => (
            <li key={each}>
              <Link
                href={withQuery(path, { queue: each === 'open' ? null : each })}
                aria-current={each === queue ? 'true' : undefined}
              >
                {t(`platform.inbox.queue.${each}`)}
                <span>{counts ? count(counts[each]) : ''}</span>
              </Link>
            </li>
          ))}
        </ul>
        <p className={css['keys']}>{t('platform.inbox.keys')}</p>
      </nav>

      <section className={css['list']} aria-label={t(`platform.inbox.queue.${queue}`)}>
        <div className={css['search']}>
          <Input.Search
            key={words}
            allowClear
            defaultValue={words}
            placeholder={t('platform.inbox.search')}
            aria-label={t('platform.inbox.search')}
            onSearch={(value) => find(value.trim())}
          />
        </div>
        {list.fresh > 0 && (
          <button type="button" className={css['fresh']} onClick={list.adopt}>
            {t('platform.inbox.new', { count: list.fresh })}
          </button>
        )}
        {tasks.error && !tasks.items ? (
          <Trouble error={tasks.error} onRetry={tasks.reload} />
        ) : !tasks.items ? (
          <div className={css['loading']}>
            <Skeleton lines={8} />
          </div>
        ) : list.rows.length === 0 ? (
          <Empty
            title={t(words ? 'platform.inbox.nothing-found' : `platform.inbox.empty.${queue}`)}
            {...(words ? { actions: <Button onClick={() => find('')}>{t('platform.inbox.clear')}</Button> } : {})}
          >
            {t(words ? 'platform.inbox.nothing-found-detail' : `platform.inbox.empty.${queue}-detail`)}
          </Empty>
        ) : (
          <ol className={css['rows']}>
            {list.rows.map(({ row, gone }) => (
              <Row
                key={row.id}
                row={taken.get(row.id) ?? row}
                gone={gone && !taken.has(row.id)}
                open={row.id === open}
                href={address(row.id)}
              />
            ))}
            {tasks.more && (
              <li className={css['more']}>
                <Button loading={tasks.loading} onClick={tasks.loadMore}>
                  {t('platform.list.more')}
                </Button>
              </li>
            )}
          </ol>
        )}
      </section>

      <section className={css['task']} aria-label={t('platform.inbox.task')}>
        {open ? (
          <TaskView key={open} id={open} onDone={() => goOn(open)} back={address(undefined)} />
        ) : (
          <div className={css['unopened']}>{list.rows.length > 0 && <p>{t('platform.inbox.choose')}</p>}</div>
        )}
      </section>
    </div>
  )
}

/** j and k walk the list, Enter opens (the rows are links); letters typed into a field stay letters. */
function useListKeys(within: RefObject<HTMLDivElement | null>, rows: string): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key !== 'j' && event.key !== 'k') return
      const target = event.target as HTMLElement
      if (target.closest('input, textarea, select, [contenteditable], [role=dialog]')) return
      const links = [...(within.current?.querySelectorAll<HTMLAnchorElement>('[data-row]') ?? [])]
      if (links.length === 0) return
      const now = links.findIndex((link) => link === document.activeElement)
      const from = now >= 0 ? now : links.findIndex((link) => link.getAttribute('aria-current') === 'true')
      const to = event.key === 'j' ? Math.min(links.length - 1, from + 1) : Math.max(0, from - 1)
      links[to]?.focus()
      links[to]?.scrollIntoView({ block: 'nearest' })
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [within, rows])
}
