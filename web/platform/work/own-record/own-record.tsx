import { Alert, App, Button } from 'antd'
import { useRef, useState, type ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import {
  discardOwnStepDraft,
  ownRecordChanged,
  ownStepState,
  saveOwnStep,
  useOwnRecord,
  type OwnRecord,
  type OwnStep,
} from '../../kernel/api/own-records.ts'
import { startingValue, type FormValue } from '../../kernel/form/conditions.ts'
import { SchemaForm, type FormHandle } from '../../kernel/form/schema-form.tsx'
import { useSending } from '../../kernel/form/send.ts'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { hasText, useTexts } from '../../kernel/texts/texts.ts'
import { DraftLine } from '../task/draft-line.tsx'
import { useTyping } from '../task/draft.ts'
import css from './own-record.module.css'

/** A record that its owner fills in step by step, over many sittings and on any device. */
export default function OwnRecordPage({ parameters, title }: PageProps) {
  const { t } = useTexts()
  const key = String(parameters['record'])
  const { data, error, mutate } = useOwnRecord(key)
  return (
    <article className={page.page}>
      <PageHeader title={t(title)} lead={t('platform.steps.lead')} />
      {data ? (
        <Steps record={key} of={data} next={typeof parameters['next'] === 'string' ? parameters['next'] : undefined} />
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </article>
  )
}

/** On a phone the steps are one line, of which a part is seen. */
const intoView = (link: HTMLAnchorElement | null) => link?.scrollIntoView({ block: 'nearest', inline: 'center' })

/** Where one reads on after the former step has gone. */
const focus = (heading: HTMLElement | null) => heading?.focus({ preventScroll: true })

interface StepsProps {
  record: string
  of: OwnRecord
  /** Where to go once all steps are done. */
  next: string | undefined
}

function Steps({ record, of: { steps }, next }: StepsProps) {
  const { t } = useTexts()
  const [path, navigate] = useLocation()
  const asked = new URLSearchParams(useSearch()).get('step')
  const ready = steps.every((step) => ['done', 'empty'].includes(ownStepState(step)))
  const first = steps.find((step) => ownStepState(step) === 'to-correct' || ownStepState(step) === 'open')
  const found = steps.findIndex(({ name }) => name === (asked ?? first?.name ?? steps[0]?.name))
  const at = Math.max(found, 0)
  const step = steps[at]
  const [moved, setMoved] = useState(false)
  const addressOf = (name: string) => `${path}?step=${name}`
  const go = (by: number) => {
    const to = steps[at + by]
    if (to) navigate(addressOf(to.name))
    setMoved(true)
    window.scrollTo({ top: 0 })
  }
  if (!step) return null
  return (
    <div className={css['record']}>
      <nav aria-label={t('platform.steps.steps')}>
        <p className={css['progress']}>{t('platform.steps.progress', { at: at + 1, count: steps.length })}</p>
        <ol>
          {steps.map((one) => (
            <li key={one.name} data-state={ownStepState(one)}>
              <Link
                ref={one === step ? intoView : undefined}
                href={addressOf(one.name)}
                aria-current={one === step ? 'step' : undefined}
              >
                {t(one.title)}
                <small>{t(`platform.steps.state.${ownStepState(one)}`)}</small>
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <div>
        {ready && next && (
          <Alert
            className={css['ready']}
            type="success"
            title={t('platform.steps.ready')}
            action={
              <Link href={next} asChild>
                <Button type="primary">{t('platform.steps.go-on')}</Button>
              </Link>
            }
          />
        )}
        <StepForm
          key={step.name}
          record={record}
          step={step}
          focused={moved}
          onSaved={() => go(1)}
          previous={
            at > 0 && (
              <Button size="large" onClick={() => go(-1)}>
                {t('platform.steps.previous')}
              </Button>
            )
          }
        />
      </div>
    </div>
  )
}

interface StepFormProps {
  record: string
  step: OwnStep
  /** Begins at its heading, after another step. */
  focused: boolean
  previous: ReactNode
  onSaved(): void
}

/** One step: what is typed is saved as a draft by itself, and counts once it is saved as complete. */
function StepForm({ record, step, focused, previous, onSaved }: StepFormProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const form = useRef<FormHandle>(null)
  const { busy, words, send } = useSending(form)
  const { name, title, version, savedAt } = step
  const kept =
    version === null || savedAt === null
      ? null
      : { data: step.draft ?? step.data ?? {}, version, savedAt, conflict: null }
  const reload = () => void ownRecordChanged(record)
  const typing = useTyping(
    {
      key: `${record}.${name}`,
      keptIn: 'browser',
      save: (data, base, options) => saveOwnStep(record, name, { data, version: base, complete: false }, options),
      discard: () => discardOwnStepDraft(record, name),
    },
    kept,
    true,
    reload,
  )
  const beginning: FormValue = { ...startingValue(step.form.schema), ...step.initial }
  const value = typing.typed ?? beginning

  const save = () =>
    send(
      async (data) => {
        await saveOwnStep(record, name, { data, version: await typing.answers(), complete: true })
        typing.sent()
        await ownRecordChanged(record)
        void message.success(t(hasText(`${title}.saved`) ? `${title}.saved` : 'platform.steps.saved'), 3)
        onSaved()
      },
      () => {
        typing.stays()
        reload()
      },
    )

  return (
    <form
      noValidate
      aria-label={t(title)}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <h2 ref={focused ? focus : undefined} tabIndex={-1}>
        {t(title)}
      </h2>
      {step.state === 'to-correct' && (
        <Alert className={css['problem']} type="warning" title={t('platform.steps.to-correct')} />
      )}
      <SchemaForm ref={form} form={step.form} value={value} onChange={typing.type} />
      {(typing.saveState !== 'kept' || typing.lastKey > 0 || step.draft !== null) && (
        <DraftLine typing={typing} draft={kept} form={step.form} onChoose={() => undefined} onDiscard={reload} />
      )}
      {words && (
        <Alert className={css['problem']} type="error" role="alert" title={words.title} description={words.detail} />
      )}
      <div className={css['buttons']}>
        {previous}
        <Button type="primary" htmlType="submit" size="large" loading={busy}>
          {t('platform.steps.save')}
        </Button>
      </div>
    </form>
  )
}
