import { Alert, App, Button } from 'antd'
import { useEffect, useMemo, useRef } from 'react'
import { useForm } from '../../kernel/api/flows.ts'
import {
  isOver,
  trackedWays,
  useTracked,
  type TrackedCase,
  type TrackedTask,
  type Tracking,
} from '../../kernel/api/tracking.ts'
import type { FormSchema } from '../../kernel/client/types.ts'
import { Acts } from '../../work/case/acts.tsx'
import stages from '../../work/case/case.module.css'
import { Documents } from '../../work/case/documents.tsx'
import { Facts } from '../../work/case/facts.tsx'
import { useLastSteps } from '../../work/case/last-steps.tsx'
import { Questions } from '../../work/case/questions.tsx'
import { Withdraw } from '../../work/case/withdraw.tsx'
import { useNow } from '../../kernel/clock/now.ts'
import { startingValue } from '../../kernel/form/conditions.ts'
import { useKept } from '../../kernel/form/kept.ts'
import { prefilled } from '../../kernel/form/prefill.ts'
import { SchemaForm, type FormHandle } from '../../kernel/form/schema-form.tsx'
import { useSending } from '../../kernel/form/send.ts'
import { optionsOf } from '../../kernel/form/widget.ts'
import { fieldsOf } from '../../kernel/record/fields.ts'
import { Record } from '../../kernel/record/record.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { FurtherStatuses, meaningOf, Status, statusWords } from '../../kernel/status/status.tsx'
import { refuses, returns, withoutDots } from '../../work/case/outcomes.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { hasText, useTexts } from '../../kernel/texts/texts.ts'
import css from './tracking.module.css'

type TrackedWays = ReturnType<typeof trackedWays>

/** One case followed without an account: its status, what the requester is asked, and what they may do. */
export default function Tracked({ tracking, leave }: { tracking: Tracking; leave(late: boolean): void }) {
  const { data, error, mutate } = useTracked(tracking)
  const late = isOver(error)
  useEffect(() => {
    if (late) leave(true)
  }, [late, leave])
  const ways = useMemo(() => trackedWays(tracking), [tracking])
  return (
    <article className={css['page']}>
      {data ? (
        <Opened of={data} ways={ways} leave={() => leave(false)} />
      ) : error && !late ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </article>
  )
}

function Opened({ of, ways, leave }: { of: TrackedCase; ways: TrackedWays; leave(): void }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const [area] = of.flow.split('/')
  const facts = Object.keys(of.facts).filter((name) => hasText(`${area}.fact.${name}`))
  return (
    <>
      <header>
        <p className={stages['kind']}>
          {of.flowTitle} · {of.reference}
        </p>
        <h1 ref={heading} tabIndex={-1}>
          {of.title}
        </h1>
        <p className={stages['line']}>
          <Status of={{ ...of, waitsWith: [] }} />
          <FurtherStatuses of={of} />
        </p>
        {of.confirmUntil && of.state !== 'ended' && (
          <p className={css['confirm']} role="status">
            {t('platform.track.confirm-until', { moment: moment(of.confirmUntil) })}
          </p>
        )}
      </header>
      {of.tasks.map((task) => (
        <Turn key={task.id} task={task} of={of} ways={ways} />
      ))}
      <Questions questions={of.questions} answer={ways.answer} />
      <Way of={of} />
      {(of.withdrawable || of.acts.length > 0) && (
        <p className={stages['next']}>
          <Acts of={of} ways={ways} />
          {of.withdrawable && <Withdraw of={of} ways={ways} />}
        </p>
      )}
      <Documents of={of} ways={ways} />
      <Facts of={of} names={facts} />
      <Asked of={of} />
      <p className={css['leave']}>
        <Button onClick={leave}>{t('platform.track.leave')}</Button>
      </p>
    </>
  )
}

/** The stages of a case: sent, decisions and statuses, who has it now and until when, how it ended. */
function Way({ of }: { of: TrackedCase }) {
  const { t } = useTexts()
  const { moment, due } = useFormats()
  const now = useNow()
  const unconfirmed = of.confirmUntil !== null && of.state !== 'ended'
  const settled = of.state === 'ended' || of.waitsWith.length === 0
  const passed = [
    ...of.decisions.map(({ task, outcome, reason, at }) => ({
      at,
      title: task,
      text: outcome.text,
      reason,
      stage: refuses(outcome.key) ? 'ended' : returns(outcome.key) ? 'returned' : 'done',
    })),
    ...of.history
      .filter(({ text }) => !(settled && text === of.status.text))
      .map(({ at, text }) => ({ at, title: text, text: undefined, reason: null, stage: 'done' })),
  ].sort((a, b) => a.at.localeCompare(b.at))
  const { shown, before } = useLastSteps(passed)
  return (
    <ol className={stages['stages']} data-many aria-label={t('platform.case.stages')}>
      <li data-stage="done">
        <strong>{t('platform.stage.sent')}</strong>
        <span>{moment(of.createdAt)}</span>
      </li>
      {before}
      {shown.map(({ at, title, text, reason, stage }) => (
        <li key={`${at} ${title}`} data-stage={stage}>
          <strong>{title}</strong>
          <span>
            {text && `${withoutDots(text)} · `}
            {moment(at)}
            {reason && <q>{reason}</q>}
          </span>
        </li>
      ))}
      {of.waitsWith.map(({ name, principals, since, dueAt }) => {
        const until = dueAt ? due(dueAt, now) : undefined
        return (
          <li key={`${name} ${since}`} data-stage="now" aria-current="step">
            <strong>{principals.length > 0 ? principals.join(', ') : t('platform.track.you')}</strong>
            <span>
              {name}
              <br />
              {dueAt && until && !until.late
                ? t('platform.stage.expected', { moment: moment(dueAt) })
                : until
                  ? t('platform.stage.late', { due: until.text })
                  : t('platform.stage.since', { moment: moment(since) })}
            </span>
          </li>
        )
      })}
      {settled && (
        <li
          data-stage={
            of.state === 'ended'
              ? meaningOf({ ...of, waitsWith: [] }, undefined) === 'ended'
                ? 'ended'
                : 'done'
              : 'now'
          }
          aria-current={of.state === 'ended' ? undefined : 'step'}
        >
          <strong>{unconfirmed ? t('platform.track.you') : statusWords(of, t)}</strong>
          {of.endedAt && <span>{moment(of.endedAt)}</span>}
          {unconfirmed && <span>{t('platform.track.confirm', { moment: moment(of.confirmUntil ?? '') })}</span>}
        </li>
      )}
    </ol>
  )
}

/** Fields that need a sign-in, because they look into registers; they stay as sent. */
const needsSignIn = (schema: FormSchema): boolean =>
  schema['x-register'] !== undefined ||
  Object.values(schema.items?.properties ?? {}).some((field) => field['x-entry-of'] !== undefined)

/** A task for the requester: a correction, or a payment slip. */
function Turn({ task, of, ways }: { task: TrackedTask; of: TrackedCase; ways: TrackedWays }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const { message } = App.useApp()
  const read = useForm(task.form?.hash)
  const form = useRef<FormHandle>(null)
  const { typed, keep, forget } = useKept(task.id)
  const { busy, words, send } = useSending(form)
  if (!read.data)
    return read.error ? <Trouble error={read.error} onRetry={() => void read.mutate()} /> : <Skeleton lines={4} />

  const { schema } = read.data
  const outcomes = optionsOf(schema.properties?.['outcome'] ?? {}) ?? []
  const [only] = outcomes.length === 1 ? outcomes : []
  const shown = fieldsOf(schema).filter(
    ({ name, schema: field }) => !needsSignIn(field) && !(only && name === 'outcome'),
  )
  const names = new Set(shown.map(({ name }) => name))
  // A correction starts with what was sent; another form with values of the case.
  const isCorrection = task.form?.key === of.form.key
  const start = isCorrection ? of.data : { ...startingValue(schema), ...prefilled(schema, of) }
  const value = typed ?? start
  const kept = Object.fromEntries(Object.entries(start).filter(([name]) => !names.has(name)))

  const answer = () =>
    send(async (data) => {
      await ways.complete(task.id, { ...kept, ...data, ...(only ? { outcome: only.value } : {}) })
      forget()
      void message.success(t('platform.track.turn-sent'))
    })

  const last = of.decisions.findLast(({ reason }) => reason !== null)
  return (
    <section className={css['turn']} aria-labelledby={`turn-${task.id}`}>
      <h2 id={`turn-${task.id}`}>
        {t('platform.case.your-turn')}: {task.name}
      </h2>
      {task.dueAt && <p>{t('platform.track.turn-until', { moment: moment(task.dueAt) })}</p>}
      {isCorrection && last?.reason && <blockquote>{last.reason}</blockquote>}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void answer()
        }}
      >
        <SchemaForm
          ref={form}
          form={{
            ...read.data,
            schema: {
              ...schema,
              properties: Object.fromEntries(shown.map(({ name, schema: field }) => [name, field])),
              required: (schema.required ?? []).filter((name) => names.has(name)),
            },
          }}
          value={value}
          onChange={keep}
          upload={ways.upload}
        />
        {words && (
          <Alert className={css['alert']} type="error" role="alert" title={words.title} description={words.detail} />
        )}
        <Button type="primary" htmlType="submit" loading={busy}>
          {only ? withoutDots(t(only.title)) : t('platform.track.turn-send')}
        </Button>
      </form>
    </section>
  )
}

/** The current values of the case. */
function Asked({ of }: { of: TrackedCase }) {
  const { t } = useTexts()
  const form = useForm(of.form.hash).data
  if (!form) return null
  return (
    <section className={stages['part']}>
      <h2>{t('platform.case.request')}</h2>
      <Record schema={form.schema} data={of.data} only={({ schema }) => !needsSignIn(schema)} />
    </section>
  )
}
