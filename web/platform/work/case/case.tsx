import { App, Button } from 'antd'
import { lazy, Suspense } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useCase, useCases, useHistory } from '../../kernel/api/cases.ts'
import { useFlow, useForm } from '../../kernel/api/flows.ts'
import { useTask, useTasks } from '../../kernel/api/tasks.ts'
import type { Case, TaskRow } from '../../kernel/client/types.ts'
import { FileLink } from '../../kernel/files/file-link.tsx'
import { Record } from '../../kernel/record/record.tsx'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { FurtherStatuses, Status } from '../../kernel/status/status.tsx'
import { YourTurn } from './your-turn.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Acts } from './acts.tsx'
import css from './case.module.css'
import { Decided } from './decided.tsx'
import { Documents } from './documents.tsx'
import { Earlier } from './earlier.tsx'
import { Facts } from './facts.tsx'
import { Fold } from '../../kernel/states/fold.tsx'
import { Linked } from './linked.tsx'
import { MailedQuestions } from './mailed.tsx'
import { Questions } from './questions.tsx'
import { saidBefore } from './said.ts'
import { ShownPart, ShownParts } from './shown.tsx'
import { openerOf, requestOf, Stages } from './stages.tsx'
import { Timeline } from './timeline.tsx'
import { Variables } from './variables.tsx'
import { signedInWays } from './ways.ts'
import { Unregistered } from '../../kernel/status/unregistered.tsx'
import { usePageTitle } from '../../kernel/page/title.ts'
import { Withdraw } from './withdraw.tsx'

const Diagram = lazy(() => import('./diagram.tsx'))
const RunOfCase = lazy(() => import('../run/run.tsx'))
const Comments = lazy(() => import('./comments.tsx'))

/**
 * A case: status and assignees, the request, the history; the diagram is folded. A flow's page without an id in its
 * route shows the case of `?id=`, or else the reader's newest.
 */
export default function CasePage({ params, parameters, title }: PageProps) {
  const query = new URLSearchParams(useSearch())
  const named = params['id'] ?? query.get('id')
  const { flow, shows } = parameters
  const part = typeof shows === 'string' ? { name: shows, title } : undefined
  return named === null && typeof flow === 'string' ? (
    <Newest flow={flow} title={title} part={part} />
  ) : (
    <One id={named ?? ''} part={part} />
  )
}

/** The part of `shows` that a page is about, instead of the whole case. */
interface Part {
  name: string
  title: string
}

/** The reader's newest case of a flow. */
function Newest({ flow, title, part }: { flow: string; title: string; part: Part | undefined }) {
  const { t } = useTexts()
  const { items, error, reload } = useCases({ mine: true, flow, limit: 1 })
  const start = useFlow(flow).data?.manifest.startPage ?? `/start/${flow}`
  if (items?.[0]) return <One id={items[0].id} part={part} />
  return (
    <article className={css['case']}>
      {!items && error ? (
        <Trouble error={error} onRetry={reload} />
      ) : !items ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <h1>{t(title)}</h1>
          <Empty
            title={t('platform.cases.no-such')}
            actions={
              <Link href={start} asChild>
                <Button type="primary">{t('platform.front.start')}</Button>
              </Link>
            }
          >
            {t('platform.cases.no-such-detail')}
          </Empty>
        </>
      )}
    </article>
  )
}

function One({ id, part }: { id: string; part: Part | undefined }) {
  const { data, error, mutate } = useCase(id)
  return (
    <article className={css['case']}>
      {data && part ? (
        <OnlyPart of={data} part={part} />
      ) : data ? (
        <Opened of={data} />
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </article>
  )
}

/** One part of a case: its status, what waits for the reader, and the entries shown. */
function OnlyPart({ of, part: { name, title } }: { of: Case; part: Part }) {
  const { t } = useTexts()
  const me = useMe()
  const turns = useAsked(of, of.requester.id === me.id)
  const flow = useFlow(of.flow).data
  const part = of.shows.find((one) => one.name === name)
  return (
    <>
      <header className={css['head']}>
        <p className={css['kind']}>
          <Link href={`/cases/${of.id}`}>{of.title}</Link> · <Reference of={of} />
        </p>
        <h1>{t(title)}</h1>
        <p className={css['line']}>
          <Status of={of} />
        </p>
      </header>
      <Turns turns={turns} />
      {part && part.items !== null && <Facts of={of} names={part.facts} units={flow?.manifest.factUnits} />}
      {part && <ShownPart of={of} part={part} />}
    </>
  )
}

/** The reader's own tasks. */
function Turns({ turns }: { turns: TaskRow[] }) {
  const { t } = useTexts()
  return turns.map((task) => (
    <YourTurn
      key={task.id}
      task={task.id}
      title={t('platform.case.your-turn')}
      what={task.name}
      dueAt={task.dueAt}
      action={t('platform.case.your-turn-open')}
    />
  ))
}

function Opened({ of }: { of: Case }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const me = useMe()
  const mine = of.requester.id === me.id
  const fresh = new URLSearchParams(useSearch()).has('sent')
  const request = requestOf(of)
  const opener = openerOf(of)
  const asked = useForm(request?.formHash).data
  const flow = useFlow(of.flow).data
  const history = useHistory(of.id)
  const turns = useAsked(of, mine)

  usePageTitle(of.reference)

  return (
    <>
      <header className={css['head']}>
        <p className={css['kind']}>
          {of.flowTitle} · <Reference of={of} />
        </p>
        <h1>{of.title}</h1>
        <p className={css['line']}>
          <Status of={of} />
          <FurtherStatuses of={of} />
          <span>
            {opener
              ? t('platform.case.opened-by', { name: opener.name, moment: moment(of.createdAt) })
              : of.sentBy
                ? t('platform.case.sent-for', {
                    name: of.sentBy.name,
                    requester: of.requester.name,
                    moment: moment(of.createdAt),
                  })
                : mine
                  ? t('platform.case.sent-by-you', { moment: moment(of.createdAt) })
                  : t('platform.case.sent-by', { name: of.requester.name, moment: moment(of.createdAt) })}
            {!mine && <Unregistered is={of.requester} />}
          </span>
        </p>
        {fresh && of.state !== 'ended' && (
          <p className={css['fresh']}>{t('platform.case.received', { reference: of.reference })}</p>
        )}
      </header>

      <Turns turns={turns} />
      <Questions questions={of.questions} answer={mine ? signedInWays(of.id).answer : undefined} />
      <MailedQuestions of={of} />
      <Stages of={of} history={history.data?.items ?? []} asked={turns.map(({ id }) => id)} />
      <Next of={of} mine={mine} />

      <Linked of={of} />
      <ShownParts of={of} />
      <Documents of={of} ways={signedInWays(of.id)} />
      <Facts of={of} names={flow?.manifest.facts ?? []} units={flow?.manifest.factUnits} />
      <Decided of={of} withWordsOnly />
      <section className={css['part']}>
        <h2>{t('platform.case.request')}</h2>
        {asked && request ? (
          <Record schema={asked.schema} data={of.data} before={saidBefore(of)} files={of.files} />
        ) : (
          <Skeleton lines={4} />
        )}
      </section>
      {flow?.manifest.run && (
        <Suspense fallback={<Skeleton lines={6} />}>
          <RunOfCase caseId={of.id} />
        </Suspense>
      )}
      {flow && <Earlier of={of} flow={flow} />}

      <div className={css['folds']}>
        {!mine && (
          <Fold title={t('platform.comment.list')}>
            <Suspense fallback={<Skeleton lines={3} />}>
              <Comments caseId={of.id} />
            </Suspense>
          </Fold>
        )}
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
  const ways = signedInWays(of.id)
  const waiting = useTask(mine ? undefined : of.waitsWith[0]?.taskId).data
  const task = waiting?.blockedBy === null ? waiting.task : undefined
  if (!task && !of.withdrawable && of.acts.length === 0) return null
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
      <Acts of={of} ways={ways} />
      {of.withdrawable && <Withdraw of={of} ways={ways} />}
    </p>
  )
}

/** The requester's own tasks: a correction, a payment slip. */
function useAsked(of: Case, mine: boolean): TaskRow[] {
  const waits = mine && of.waitsWith.length > 0
  const open = useTasks(waits ? { queue: 'open', search: of.reference } : undefined).items ?? []
  const held = useTasks(waits ? { queue: 'mine', search: of.reference } : undefined).items ?? []
  return [...open, ...held].filter(({ caseId }) => caseId === of.id)
}

/** The case number with a copy button. */
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
