import { App, Button } from 'antd'
import { lazy, Suspense, useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useCase } from '../api/cases.ts'
import { useFlow, useForm } from '../api/flows.ts'
import { useTask } from '../api/tasks.ts'
import type { Case } from '../api/types.ts'
import { FileLink } from '../files/file-link.tsx'
import { Record } from '../record/record.tsx'
import type { PageProps } from '../router/page.ts'
import { useMe } from '../session/session.ts'
import { Skeleton } from '../states/skeleton.tsx'
import { Trouble } from '../states/trouble.tsx'
import { Status } from '../status/status.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import css from './case.module.css'
import { Decided } from './decided.tsx'
import { Facts } from './facts.tsx'
import { Fold } from './fold.tsx'
import { Stages } from './stages.tsx'
import { Timeline } from './timeline.tsx'
import { Variables } from './variables.tsx'
import { Withdraw } from './withdraw.tsx'

const Diagram = lazy(() => import('./diagram.tsx'))

/** A case: where it stands and who has it, what was asked, what happened; the diagram one step deeper. */
export default function CasePage({ params }: PageProps) {
  const { data, error, mutate } = useCase(params['id'] ?? '')
  return (
    <article className={css['case']}>
      {data ? (
        <Opened of={data} />
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </article>
  )
}

function Opened({ of }: { of: Case }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const me = useMe()
  const mine = of.requester.id === me.id
  const fresh = new URLSearchParams(useSearch()).has('sent')
  const request = of.submissions.find(({ taskId, effect }) => taskId === null && effect !== 'void')
  const asked = useForm(request?.formHash).data
  const flow = useFlow(of.flow).data

  useEffect(() => {
    document.title = t('platform.page-title', { title: of.reference })
  }, [t, of.reference])

  return (
    <>
      <header className={css['head']}>
        <p className={css['kind']}>
          {of.flowTitle} · <Reference of={of} />
        </p>
        <h1>{of.title}</h1>
        <p className={css['line']}>
          <Status of={of} />
          {Object.entries(of.statuses)
            .filter(([list]) => list !== 'status')
            .map(([list, status]) => (
              <span key={list}>{status.text}</span>
            ))}
          <span>
            {mine
              ? t('platform.case.sent-by-you', { moment: moment(of.createdAt) })
              : t('platform.case.sent-by', { name: of.requester.name, moment: moment(of.createdAt) })}
          </span>
        </p>
        {fresh && of.state !== 'ended' && (
          <p className={css['fresh']}>{t('platform.case.received', { reference: of.reference })}</p>
        )}
      </header>

      <Stages of={of} />
      <Next of={of} mine={mine} />

      <Facts of={of} names={flow?.manifest.facts ?? []} />
      <Decided of={of} withWordsOnly />
      <section className={css['part']}>
        <h2>{t('platform.case.request')}</h2>
        {asked && request ? <Record schema={asked.schema} data={request.data} /> : <Skeleton lines={4} />}
      </section>

      <div className={css['folds']}>
        {of.files.length > 0 && (
          <Fold title={t('platform.case.files', { count: of.files.length })}>
            <ul>
              {of.files.map((file) => (
                <li key={file.id}>
                  <FileLink {...file} />
                </li>
              ))}
            </ul>
          </Fold>
        )}
        <Fold title={t('platform.case.timeline')} open>
          <Timeline caseId={of.id} />
        </Fold>
        <Fold title={t('platform.case.diagram')} open={!mine && me.seesAll} wide>
          <Suspense fallback={<Skeleton lines={4} />}>
            <Diagram caseId={of.id} />
          </Suspense>
        </Fold>
        {!mine && (
          <Fold title={t('platform.case.variables')}>
            <Variables caseId={of.id} />
          </Fold>
        )}
      </div>
    </>
  )
}

/** What the reader can do with the case now. */
function Next({ of, mine }: { of: Case; mine: boolean }) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const waiting = useTask(mine ? undefined : of.waitsWith[0]?.taskId).data
  const task = waiting?.blockedBy === null ? waiting.task : undefined
  if (!task && !of.withdrawable) return null
  return (
    <p className={`${css['next']} no-print`}>
      {task && (
        <Button
          type="primary"
          href={`/tasks/${task.id}`}
          onClick={(event) => (event.preventDefault(), navigate(`/tasks/${task.id}`))}
        >
          {t('platform.case.decide')}
        </Button>
      )}
      {of.withdrawable && mine && <Withdraw of={of} />}
    </p>
  )
}

/** The reference, to be copied with one press. */
function Reference({ of }: { of: Case }) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) return of.reference
  const copy = async () => {
    await clipboard.writeText(of.reference)
    message.success(t('platform.case.copied', { reference: of.reference }))
  }
  return (
    <button type="button" className={css['reference']} title={t('platform.case.copy')} onClick={() => void copy()}>
      {of.reference}
    </button>
  )
}
