import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { withdrawQuestion } from '../../kernel/api/task-acts.ts'
import { useTask } from '../../kernel/api/tasks.ts'
import { useFlow, useForm } from '../../kernel/api/flows.ts'
import type { Flow, Task } from '../../kernel/client/types.ts'
import { Decided } from '../case/decided.tsx'
import { Documents } from '../case/documents.tsx'
import { Earlier } from '../case/earlier.tsx'
import { Facts } from '../case/facts.tsx'
import { Fold } from '../../kernel/states/fold.tsx'
import { QuestionList } from '../case/questions.tsx'
import { saidBefore } from '../case/said.ts'
import { requestOf } from '../case/stages.tsx'
import { Timeline } from '../case/timeline.tsx'
import { signedInWays } from '../case/ways.ts'
import { FilePreview } from '../../kernel/files/file-preview.tsx'
import { useNow } from '../../kernel/clock/now.ts'
import { Record } from '../../kernel/record/record.tsx'
import { useMe } from '../../kernel/session/session.ts'
import { useAction } from '../../kernel/states/act.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { Status } from '../../kernel/status/status.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Decision } from './decision.tsx'
import { Hold } from './hold.tsx'
import { Looking, usePresence } from './presence.tsx'
import { Wanted } from './wanted.tsx'
import { WhyIsThisWithMe } from './why.tsx'
import { Unregistered } from '../../kernel/status/unregistered.tsx'
import css from './task.module.css'

const AnswersFor = lazy(() => import('./answers-for.tsx'))
const RunOfCase = lazy(() => import('../run/run.tsx'))
const Comments = lazy(() => import('../case/comments.tsx'))

interface TaskViewProps {
  id: string
  /** The task is decided; the page decides what comes next. For the reader's own request, `own` is its address. */
  onDone(own?: string): void
  /** The link back on a small screen. */
  back: string
  page?: boolean
  /** The outcome selected at first. */
  outcome?: string
}

/** A task to decide: the question, the facts, and the decision below; the rest is folded. */
export function TaskView({ id, onDone, back, page = false, outcome }: TaskViewProps) {
  const { t } = useTexts()
  const me = useMe()
  const { data, error, mutate } = useTask(id)
  // Desks exclude the requester (four eyes), so a task on the reader's own request is addressed to them.
  const own = data?.case.requester.id === me.id ? `/cases/${data.case.id}` : undefined
  return (
    <article className={css['view']} data-page={page || undefined}>
      {own ? (
        <Link href={own} className={css['back']}>
          {t('platform.task.back-own')}
        </Link>
      ) : (
        <Link href={back} className={css['back']}>
          {t('platform.task.back')}
        </Link>
      )}
      {data ? (
        <Opened
          key={data.task.id}
          of={data}
          own={own !== undefined}
          outcome={outcome}
          onDone={() => onDone(own)}
          reload={() => void mutate()}
        />
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <div className={css['body']}>
          <Skeleton lines={7} />
        </div>
      )}
    </article>
  )
}

function Opened({
  of: view,
  own,
  outcome,
  onDone,
  reload,
}: {
  of: Task
  /** The task is addressed to the reader, about their own request. */
  own: boolean
  outcome: string | undefined
  onDone(): void
  reload(): void
}) {
  const { t } = useTexts()
  const { task, case: of, form, question, may, questions } = view
  const request = requestOf(of)
  const asked = useForm(request?.formHash).data
  const flow = useFlow(of.flow).data
  const corrects = form !== null && form.key === flow?.form.key
  const onType = usePresence(task.id, may.talk)

  return (
    <>
      <div className={css['body']}>
        <p className={css['kind']}>
          {of.flowTitle} · <Link href={`/cases/${of.id}`}>{of.reference}</Link>
        </p>
        <h1>{question ?? task.title}</h1>
        <TaskStateLine of={view} own={own} />
        {!own && <Hold of={view} />}
        {!own && <Looking at={view.looking} />}

        <Wanted of={of} />
        <Facts of={of} names={flow?.manifest.facts ?? []} units={flow?.manifest.factUnits} />
        {!own && asked && form?.schema['x-shows'] && (
          <Suspense fallback={<Skeleton lines={3} />}>
            <AnswersFor of={of} asked={asked.schema} shows={form.schema['x-shows']} />
          </Suspense>
        )}
        <Documents of={of} ways={signedInWays(of.id)} />
        <Decided of={of} withWordsOnly={own} lastOnly={own} />
        {!own && questions.length > 0 && <Questions of={view} />}
        {!own && (
          <section className={css['part']}>
            <h2>{t('platform.task.request')}</h2>
            {asked && request ? (
              <Record schema={asked.schema} data={of.data} before={saidBefore(of, task.desk)} files={of.files} />
            ) : (
              <Skeleton lines={4} />
            )}
          </section>
        )}
        {flow?.manifest.run && (
          <Suspense fallback={<Skeleton lines={6} />}>
            <RunOfCase caseId={of.id} />
          </Suspense>
        )}
        {!own && flow && <Earlier of={of} flow={flow} />}

        {of.files.length > 0 && <Files files={of.files} />}
        {may.talk && (
          <Fold
            title={
              view.comments > 0 ? t('platform.comment.list-of', { count: view.comments }) : t('platform.comment.list')
            }
            open={view.comments > 0}
          >
            <Suspense fallback={<Skeleton lines={3} />}>
              <Comments caseId={of.id} taskId={task.id} />
            </Suspense>
          </Fold>
        )}
        {!own && <WhyIsThisWithMe task={task} />}
        <Fold title={t('platform.case.timeline')}>
          <Timeline caseId={of.id} />
        </Fold>
      </div>
      {flow && (
        <Decision
          of={view}
          fixed={corrects ? fixedOf(flow.manifest) : undefined}
          outcome={outcome}
          onDone={onDone}
          reload={reload}
          onType={onType}
        />
      )}
    </>
  )
}

/** Status and requester of the case, and since and until when the task waits here. */
function TaskStateLine({ of: { task, case: of }, own }: { of: Task; own: boolean }) {
  const { t } = useTexts()
  const { due, waited } = useFormats()
  const now = useNow()
  const dueAt = task.dueAt ? due(task.dueAt, now) : undefined
  return (
    <p className={css['line']}>
      <Status of={of} />
      {!own && (
        <>
          <span>
            {t('platform.task.asked-by', { name: of.requester.name })}
            <Unregistered is={of.requester} />
          </span>
          <span>{t('platform.task.here-since', { duration: waited(task.createdAt, now) })}</span>
        </>
      )}
      {dueAt && (
        <span className={dueAt.late ? css['late'] : undefined}>
          {t(dueAt.late ? 'platform.task.late' : 'platform.task.due', { due: dueAt.text })}
        </span>
      )}
    </p>
  )
}

/** The questions to the requester, with the answers. */
function Questions({ of: { task, case: of, questions, may } }: { of: Task }) {
  const { t } = useTexts()
  const attempt = useAction()
  return (
    <section className={css['part']}>
      <h2>{t('platform.question.to', { name: of.requester.name })}</h2>
      <QuestionList
        questions={questions}
        below={
          may.question && (
            <Button size="small" onClick={() => void attempt(() => withdrawQuestion(task.id))}>
              {t('platform.question.withdraw')}
            </Button>
          )
        }
      />
    </section>
  )
}

function Files({ files }: { files: Task['case']['files'] }) {
  const { t } = useTexts()
  return (
    <Fold title={t('platform.case.files', { count: files.length })} open={files.length <= 3}>
      <ul className={css['files']}>
        {files.map((file) => (
          <li key={file.id}>
            <FilePreview {...file} />
          </li>
        ))}
      </ul>
    </Fold>
  )
}

/** The fields that decide who a case belongs to, such as its item, and those that allow only one case. */
const fixedOf = ({ scope = {}, once, run }: Flow['manifest']): string[] => [
  ...new Set(
    [
      ...Object.values(scope).flat(),
      ...(once?.per === undefined ? [] : [once.per]),
      ...(run ? [run.scheme, run.month] : []),
    ].map((pointer) => pointer.split('#')[0]?.split('/')[1] ?? ''),
  ),
]
