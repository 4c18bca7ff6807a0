import { Input } from 'antd'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { mayOpen } from '../../../../forms/platform/may-open.ts'
import { withQuery } from '../../kernel/client/client.ts'
import { useCases } from '../../kernel/api/cases.ts'
import { useDemo } from '../../kernel/api/demo.ts'
import { useFlows } from '../../kernel/api/flows.ts'
import { useNews } from '../../kernel/api/news.ts'
import { useTasks } from '../../kernel/api/tasks.ts'
import type { CaseRow, Me } from '../../kernel/client/types.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { useMe } from '../../kernel/session/session.ts'
import { entriesFor, hasWords, menuOf } from '../../kernel/screens/menu.ts'
import { screens } from '../../kernel/screens/screens.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { Status } from '../../kernel/status/status.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { ConfirmFirst } from '../../people/session/confirm-first.tsx'
import css from './front.module.css'
import { Parts } from './parts.tsx'

const shown = 5

/** Whether somebody may get other people's tasks: everybody but students and applicants. */
const hasDesk = ({ grants }: Me) => grants.some(({ role }) => !/student$/i.test(role) && role !== 'Temporary Employee')

/** The dashboard: waiting tasks, the reader's own cases, and flows to start. */
export default function Front() {
  const { t } = useTexts()
  const { day } = useFormats()
  const me = useMe()
  const now = useNow()
  return (
    <div className={css['front']}>
      <header>
        <p>{day(now)}</p>
        <h1>{t('platform.front.greeting', { name: me.name })}</h1>
      </header>
      {!me.emailConfirmed && <ConfirmFirst email={me.email} />}
      <div className={css['columns']}>
        <div>
          <WaitsForMe />
          <Parts />
          <News />
          <Mine />
          <Linked />
        </div>
        <StartSomething />
      </div>
    </div>
  )
}

function WaitsForMe() {
  const { t } = useTexts()
  const me = useMe()
  const { waited, due, count } = useFormats()
  const now = useNow()
  const mine = useTasks({ queue: 'mine' })
  const open = useTasks({ queue: 'open' })
  const rows = mine.items && open.items ? [...mine.items, ...open.items] : undefined
  const total = {
    value: (mine.count?.value ?? 0) + (open.count?.value ?? 0),
    more: Boolean(mine.count?.more || open.count?.more),
  }
  const error = mine.error ?? open.error
  // For everybody else only returned requests show up, and those come first.
  if (!hasDesk(me) && !rows?.length && !error) return null
  return (
    <section className={css['part']}>
      <h2>
        {t('platform.front.for-me')} {total.value > 0 && <span>{count(total)}</span>}
      </h2>
      {error && !rows ? (
        <Trouble error={error} onRetry={() => (mine.reload(), open.reload())} />
      ) : !rows ? (
        <Skeleton lines={3} />
      ) : rows.length === 0 ? (
        <p className={css['nothing']}>{t('platform.front.nothing-for-me')}</p>
      ) : (
        <ul>
          {rows.slice(0, shown).map((task) => {
            const dueAt = task.dueAt ? due(task.dueAt, now) : undefined
            return (
              <li key={task.id}>
                <Link href={withQuery('/inbox', { queue: task.assignee ? 'mine' : null, task: task.id })}>
                  <strong>{task.title}</strong>
                  <span>
                    {task.requester.name} · {task.name}
                  </span>
                  <em className={dueAt?.late ? css['late'] : undefined}>
                    {dueAt
                      ? dueAt.late
                        ? dueAt.text
                        : t('platform.inbox.due', { due: dueAt.text })
                      : t('platform.inbox.waited', { duration: waited(task.createdAt, now) })}
                  </em>
                </Link>
              </li>
            )
          })}
        </ul>
      )}
      {total.value > shown && (
        <p className={css['all']}>
          <Link href="/inbox">{t('platform.front.all-for-me')}</Link>
        </p>
      )}
    </section>
  )
}

/** What is news today; nothing if there is none, since nobody waits for it. */
function News() {
  const { t } = useTexts()
  const { day } = useFormats()
  const { data } = useNews()
  if (!data?.items.length) return null
  return (
    <section className={css['part']}>
      <h2>{t('platform.front.news')}</h2>
      <ul>
        {data.items.map(({ register, id, title, text, createdAt }) => (
          <li key={id}>
            <Link href={`/registers/${register}/${encodeURIComponent(id)}`}>
              <strong>{title}</strong>
              <span className={css['text']}>{text}</span>
              <em>{day(createdAt)}</em>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** When the subject of a case begins, if it has such a time. */
const beginning = ({ subject }: CaseRow) => (typeof subject['from'] === 'string' ? subject['from'] : undefined)

/** The first cases of a list, each with a detail and its status. */
function OwnCases({ of, detail }: { of: readonly CaseRow[]; detail(of: CaseRow): ReactNode }) {
  return (
    <ul>
      {of.slice(0, shown).map((each) => (
        <li key={each.id}>
          <Link href={`/cases/${each.id}`}>
            <strong>{each.title}</strong>
            {detail(each)}
            <em>
              <Status of={each} />
            </em>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The reader's own cases: those in progress, and settled ones that lie ahead. */
function Mine() {
  const { t } = useTexts()
  const desk = hasDesk(useMe())
  const { moment } = useFormats()
  const now = useNow()
  const cases = useCases({ mine: true, running: true, limit: 50 })
  const any = useCases({ mine: true, limit: 1 }).items
  const open = cases.items
  const ahead = open
    ?.filter(
      (each) => each.state === 'running' && each.waitsWith.length === 0 && Date.parse(beginning(each) ?? '') > now,
    )
    .toSorted((a, b) => Date.parse(beginning(a) ?? '') - Date.parse(beginning(b) ?? ''))
  const waiting = open?.filter((each) => !ahead?.includes(each))
  return (
    <>
      <section className={css['part']}>
        <h2>{t(desk ? 'platform.front.i-wait' : 'platform.front.mine')}</h2>
        {cases.error && !waiting ? (
          <Trouble error={cases.error} onRetry={cases.reload} />
        ) : !waiting ? (
          <Skeleton lines={3} />
        ) : waiting.length === 0 ? (
          <p className={css['nothing']}>
            {desk
              ? t('platform.front.i-wait-for-nothing')
              : any?.length === 0
                ? t('platform.front.mine-none', { start: t('platform.front.start') })
                : t('platform.front.mine-settled', { all: t('platform.front.all-mine') })}
          </p>
        ) : (
          <OwnCases of={waiting} detail={(each) => <WhoHasIt of={each} />} />
        )}
      </section>
      {ahead && ahead.length > 0 && (
        <section className={css['part']}>
          <h2>{t('platform.front.coming')}</h2>
          <OwnCases of={ahead} detail={(each) => <span>{moment(beginning(each) ?? '')}</span>} />
        </section>
      )}
      {any && any.length > 0 && (
        <p className={css['all']}>
          <Link href="/cases">{t('platform.front.all-mine')}</Link>
        </p>
      )}
    </>
  )
}

/** The pages that the start page links to for those who may open them. */
function Linked() {
  const { t } = useTexts()
  const me = useMe()
  return screens
    .filter((screen) => screen.front === true && screen.built && mayOpen(me, screen))
    .map(({ route, title }) => (
      <p key={route} className={css['all']}>
        <Link href={route}>{t(title)}</Link>
      </p>
    ))
}

function WhoHasIt({ of }: { of: CaseRow }) {
  const { t } = useTexts()
  const { waited } = useFormats()
  const now = useNow()
  const waiting = of.waitsWith[0]
  if (!waiting) return <span>{of.flowTitle}</span>
  return (
    <span>
      {t('platform.front.has-it', {
        who: waiting.assignee?.name ?? waiting.principals.join(', '),
        duration: waited(waiting.since, now),
      })}
    </span>
  )
}

/** Flows to start, found by their words; a search also finds pages of the menu. */
function StartSomething() {
  const { t } = useTexts()
  const me = useMe()
  const demo = useDemo()
  const { data, error, mutate } = useFlows()
  const [words, setWords] = useState('')
  const wanted = words.trim()
  const found = data?.items.filter(({ search }) => hasWords(wanted, search))
  const pages = wanted ? entriesFor(menuOf(me, demo !== undefined), wanted, t) : []
  return (
    <section className={css['start']}>
      <h2>{t('platform.front.start')}</h2>
      <Input
        type="search"
        value={words}
        onChange={({ target }) => setWords(target.value)}
        placeholder={t('platform.front.search')}
        aria-label={t('platform.front.search')}
      />
      {error && !data ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : !found ? (
        <Skeleton lines={3} />
      ) : found.length + pages.length === 0 ? (
        <p className={css['nothing']}>{t('platform.front.nothing-found')}</p>
      ) : (
        <ul>
          {found.map(({ flow, title, description, startPage }) => (
            <li key={flow}>
              <Link href={startPage}>
                <strong>{t(title)}</strong>
                {description && <span>{t(description)}</span>}
              </Link>
            </li>
          ))}
          {pages.map(({ route, title }) => (
            <li key={route}>
              <Link href={route}>
                <strong>{t(title)}</strong>
                <span>{t('platform.front.page')}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
