import { Button, Slider } from 'antd'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { caseFile, useCaseThen, useMoments, type CaseThen, type Moment } from '../../kernel/api/audit.ts'
import { withQuery } from '../../kernel/client/client.ts'
import { useShortcuts } from '../../kernel/keyboard/shortcuts.ts'
import { BackLink } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './audit.module.css'
import { Who } from './entry-table.tsx'
import { Keep } from '../../kernel/list/keep.tsx'
import { usePageTitle } from '../../kernel/page/title.ts'
import { Then } from './then.tsx'

const PathDiagram = lazy(() =>
  import('../../work/case/diagram.tsx').then((module) => ({ default: module.PathDiagram })),
)

/** A case at any moment in its past, one act at a time. */
export default function AuditedCase({ params }: PageProps) {
  const id = params['id'] ?? ''
  const { data, error, mutate } = useMoments(id)
  if (!data)
    return (
      <div className={page.page}>
        {error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton lines={10} />}
      </div>
    )
  return <Replay id={id} moments={data.items} />
}

function Replay({ id, moments }: { id: string; moments: readonly Moment[] }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const [path, navigate] = useLocation()
  const query = new URLSearchParams(useSearch())
  const last = moments.length - 1
  const step = Math.min(stepOf(query, moments), last)
  const here = moments[step]
  const go = (to: number) => navigate(withQuery(path, { step: Math.max(0, Math.min(last, to)) }), { replace: true })
  useShortcuts('platform.audit-keys', [
    { key: 'ArrowLeft', title: 'platform.audit-step.back', run: () => go(step - 1), when: step > 0, repeats: true },
    { key: 'ArrowRight', title: 'platform.audit-step.on', run: () => go(step + 1), when: step < last, repeats: true },
    { key: 'Home', title: 'platform.audit-step.first', run: () => go(0), when: step > 0 },
    { key: 'End', title: 'platform.audit-step.last', run: () => go(last), when: step < last },
  ])
  const { data: read, error, mutate } = useCaseThen(id, here?.at)
  // Keeps the last result until the next step has loaded.
  const [shown, setShown] = useState(read)
  if (read && read !== shown) setShown(read)
  const then = read ?? shown

  usePageTitle(then && then.reference)

  if (!then)
    return (
      <div className={page.page}>
        {error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton lines={10} />}
      </div>
    )
  return (
    <article className={page.page}>
      <BackLink href="/audit_trail?show=cases" title={t('platform.audit-back')} />
      <p className={css.kind}>
        {then.flow.text} · {then.reference}
      </p>
      <div className={css.head}>
        <h1>{then.title}</h1>
        <Keep
          formats={['pdf', 'csv', 'json']}
          label={(format) => t(`platform.audit-format.${format}`)}
          read={(format) => caseFile(id, format)}
        />
      </div>

      <section className={css.replay} aria-label={t('platform.audit-replay')}>
        <div className={css.controls}>
          <Button disabled={step === 0} aria-keyshortcuts="ArrowLeft" onClick={() => go(step - 1)}>
            {t('platform.audit-step.back')}
          </Button>
          <Slider
            className={css.slider ?? ''}
            min={0}
            max={last}
            value={step}
            onChange={go}
            tooltip={{ open: false }}
            ariaLabelForHandle={t('platform.audit-step.slider')}
            ariaValueTextFormatterForHandle={(value) => moments[value]?.text ?? ''}
          />
          <Button disabled={step === last} aria-keyshortcuts="ArrowRight" onClick={() => go(step + 1)}>
            {t('platform.audit-step.on')}
          </Button>
        </div>
        {here && (
          <p className={css.now} aria-live="polite">
            <span className={css.soft}>
              {t('platform.audit-step.of', { step: step + 1, count: moments.length, at: moment(here.at) })}
            </span>
            <strong>{here.text}</strong>
            {here.reason && <q className={css.reason}>{here.reason}</q>}
            {here.by && <Who by={here.by} authority={here.authority} for={here.for} />}
          </p>
        )}
      </section>

      <div className={css.columns}>
        <Steps moments={moments} step={step} onGo={go} />
        <div>
          <Drawn then={then} />
          <Then then={then} />
        </div>
      </div>
    </article>
  )
}

/** The step that the address names: by number, or the last one up to a moment. */
function stepOf(query: URLSearchParams, moments: readonly Moment[]): number {
  const step = Number(query.get('step') ?? Number.NaN)
  if (Number.isInteger(step) && step >= 0) return step
  const at = query.get('at')
  const found = at === null ? -1 : moments.findLastIndex((one) => one.at <= at)
  return found === -1 ? moments.length - 1 : found
}

function Steps({ moments, step, onGo }: { moments: readonly Moment[]; step: number; onGo(to: number): void }) {
  const { t } = useTexts()
  const { dateTime } = useFormats()
  const present = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // Scrolls the list only, never the page.
    const list = present.current?.parentElement
    if (list && present.current) list.scrollTop = present.current.offsetTop - list.clientHeight / 2
  }, [step])
  return (
    <nav aria-label={t('platform.audit-steps')}>
      <ol className={css.steps}>
        {moments.map((one, at) => (
          <li key={at} ref={at === step ? present : undefined} data-later={at > step || undefined}>
            <button type="button" aria-current={at === step ? 'step' : undefined} onClick={() => onGo(at)}>
              <time dateTime={one.at}>{dateTime(one.at)}</time>
              <span>{one.text}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** The diagram with the path up to this moment, and how long each part took so far. */
function Drawn({ then }: { then: CaseThen }) {
  const { t } = useTexts()
  const { duration } = useFormats()
  const notes = useMemo(
    () =>
      new Map(
        then.elements
          .filter(({ milliseconds, passes }) => milliseconds >= 60_000 || passes > 1)
          .map(({ element, milliseconds, passes }) => [
            element,
            [
              ...(milliseconds >= 60_000 ? [duration(milliseconds)] : []),
              ...(passes > 1 ? [t('platform.audit-passes', { count: passes })] : []),
            ].join(' · '),
          ]),
      ),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- words change with the language, which reloads the page
    [then],
  )
  return (
    <Suspense fallback={<Skeleton lines={6} />}>
      <PathDiagram path={then.path} notes={notes} />
    </Suspense>
  )
}
