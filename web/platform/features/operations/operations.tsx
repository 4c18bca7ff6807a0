import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { MoreButton } from '../../kernel/list/more-button.tsx'
import { useNow } from '../../kernel/clock/now.ts'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import { Act } from '../../people/people/act.tsx'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { labelsOf, retry, useCauses, useItems, type Cause, type Item, type Outcome } from './data.ts'
import css from './operations.module.css'

const Move = lazy(() => import('./move.tsx'))

/** Kinds with their own texts. */
const kinds = [
  ...['failedJob', 'failedExternalTask', 'drifted', 'mail-not-sent', 'command-not-taken', 'parked-event'],
  ...['job-given-up', 'orphaned-effect', 'mail-to-nobody', 'promise-not-kept'],
  ...['task-nobody-can-see', 'audit-rewritten'],
]

/** Most items in one retry. */
const MAX_AT_ONCE = 100

/** Incidents by cause, with what helps; and the dialog that moves a token. */
export default function Operations({ title }: PageProps) {
  const { t } = useTexts()
  const { data, error, mutate } = useCauses()
  const [moving, setMoving] = useState<string>()
  const [became, setBecame] = useState<readonly Became[]>([])
  const all = data?.items.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className={page.page}>
      <PageHeader
        title={t(title)}
        count={all}
        lead={t('platform.operations-lead')}
        actions={<Button onClick={() => setMoving('')}>{t('platform.operations-move')}</Button>}
      />
      {became.length > 0 && (
        <section className={css.effect} aria-labelledby="became">
          <h2 id="became">{t('platform.operations-became')}</h2>
          <ul>
            {became.map(({ id, label, outcome }) => (
              <li key={id}>
                <strong>{label}</strong> · {t(`platform.operations-outcome.${outcome}`)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {data ? (
        data.items.length > 0 ? (
          <ul className={css.causes}>
            {data.items.map((cause) => (
              <OfCause key={cause.cause} cause={cause} onMove={setMoving} onBecame={setBecame} />
            ))}
          </ul>
        ) : (
          <Empty title={t('platform.operations-none')}>{t('platform.operations-none-detail')}</Empty>
        )
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
      {moving !== undefined && (
        <Suspense>
          <Move reference={moving} onClose={() => setMoving(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

/** The result for one item. A resolved item leaves the list, so its result is shown above it. */
type Became = Outcome & { label: string }

interface OfCauseProps {
  cause: Cause
  onMove(reference: string): void
  onBecame(became: readonly Became[]): void
}

function OfCause({ cause, onMove, onBecame }: OfCauseProps) {
  const { t } = useTexts()
  const { waited } = useFormats()
  const now = useNow()
  const [shown, setShown] = useState(false)
  const [asked, setAsked] = useState<Item | 'all'>()
  const [answers, setAnswers] = useState<readonly Outcome[]>([])
  const { kind, flow, element, count, oldest, message, remedy } = cause
  const name = t(`platform.operations-kind.${kinds.includes(kind) ? kind : 'other'}`)
  const heading = `cause-${cause.cause}`
  const through = answers.filter(({ outcome }) => outcome !== 'failed').length
  return (
    <li className={css.cause} aria-labelledby={heading}>
      <div className={css.head}>
        <h2 id={heading}>
          {name} <span className={css.count}>{count}</span>
        </h2>
        <p className={css.where}>
          {[flow, element, t('platform.operations-since', { waited: waited(oldest, now) })].filter(Boolean).join(' · ')}
        </p>
      </div>
      <p className={css.message}>{message}</p>
      {kind === 'task-nobody-can-see' && <p className={css.where}>{t('platform.operations-by-itself')}</p>}
      <div className={page.acts}>
        <Button aria-expanded={shown} onClick={() => setShown(!shown)}>
          {t(shown ? 'platform.operations-hide' : 'platform.operations-show')}
        </Button>
        {remedy && (
          <Button onClick={() => setAsked('all')}>
            {t(`platform.operations-${remedy}-all`, { count: Math.min(count, MAX_AT_ONCE) })}
          </Button>
        )}
        {count > MAX_AT_ONCE && <span className={css.where}>{t('platform.operations-first-hundred')}</span>}
      </div>
      <output className={css.where}>
        {answers.length > 0 && t('platform.operations-done', { count: through, all: answers.length })}
      </output>
      {shown && <Items cause={cause} answers={answers} onRetry={setAsked} onMove={onMove} />}
      {asked && remedy && (
        <Act
          title={name}
          ok={t(`platform.operations-${remedy}`)}
          onClose={() => setAsked(undefined)}
          send={async ({ reason }) => {
            const labels = await labelsOf(asked === 'all' ? cause.cause : [asked])
            const became = await retry(asked === 'all' ? { cause: cause.cause } : { items: [asked.id] }, reason)
            onBecame(became.map((one) => ({ ...one, label: labels.get(one.id) ?? one.id })))
            setAnswers((before) => [...before.filter(({ id }) => !became.some((one) => one.id === id)), ...became])
            const went = became.filter(({ outcome }) => outcome !== 'failed').length
            return t('platform.operations-done', { count: went, all: became.length })
          }}
        >
          {() => <p>{asked === 'all' ? message : asked.message}</p>}
        </Act>
      )}
    </li>
  )
}

function Items({
  cause,
  answers,
  onRetry,
  onMove,
}: {
  cause: Cause
  answers: readonly Outcome[]
  onRetry(item: Item): void
  onMove(reference: string): void
}) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const { items, error, more, loading, loadMore, reload } = useItems(cause.cause)
  if (!items) return error ? <Trouble error={error} onRetry={reload} /> : <Skeleton lines={3} />
  return (
    <>
      <ul className={css.items}>
        {items.map((item) => {
          const answer = answers.find(({ id }) => id === item.id)
          const reference = item.case?.reference
          return (
            <li key={item.id}>
              <div>
                <strong>{reference ?? item.id}</strong>
                <span className={css.where}>{moment(item.at)}</span>
                <p className={css.message}>{item.message}</p>
                {answer && <p>{t(`platform.operations-outcome.${answer.outcome}`)}</p>}
              </div>
              <div className={css.do}>
                {item.remedy && (
                  <Button size="small" onClick={() => onRetry(item)}>
                    {t(`platform.operations-${item.remedy}`)}
                  </Button>
                )}
                {reference !== undefined && (
                  <Button size="small" onClick={() => onMove(reference)}>
                    {t('platform.operations-move-of', { reference })}
                  </Button>
                )}
              </div>
            </li>
          )
        })}
      </ul>
      <MoreButton list={{ more, loading, loadMore }} />
    </>
  )
}
