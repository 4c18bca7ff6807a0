import { Alert, App, Button } from 'antd'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Problem } from '../../kernel/client/client.ts'
import { discardDraft, saveDraft } from '../../kernel/api/drafts.ts'
import { completeTask, useBeside } from '../../kernel/api/tasks.ts'
import type { Case, FormRef, FormSchema, Task } from '../../kernel/client/types.ts'
import { startingValue, type FormValue } from '../../kernel/form/conditions.ts'
import { prefilled } from '../../kernel/form/prefill.ts'
import { SchemaForm, type FormHandle } from '../../kernel/form/schema-form.tsx'
import { useShortcuts } from '../../kernel/keyboard/shortcuts.ts'
import { useMe } from '../../kernel/session/session.ts'
import { inWords } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { DraftLine } from './draft-line.tsx'
import { useTyping, type DraftPlace, type Typing } from './draft.ts'
import { deskOf, partOf, refuses, withoutDots, type Outcome } from '../case/outcomes.ts'
import { TypedBefore } from './typed-before.tsx'
import css from './task.module.css'

const ActDialogs = lazy(() => import('./act-dialogs.tsx'))

interface DecisionProps {
  of: Task
  /** If the desk corrects the request itself: the fields of the request that must not change. */
  fixed: string[] | undefined
  /** The outcome selected at first. */
  outcome?: string | undefined
  onDone(): void
  reload(): void
  /** Called on each key press in the form, with the time. */
  onType(at: number): void
}

/** Where drafts of a task's form are saved. */
const draftOf = (task: string): DraftPlace => ({
  key: task,
  save: (value, version, options) => saveDraft(task, value, version, options),
  discard: () => discardDraft(task),
})

/** The decision bar: a button for each outcome, and the fields of the selected one. */
export function Decision({ of, fixed, outcome, onDone, reload, onType }: DecisionProps) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const me = useMe()
  const { task, form, blockedBy, draft } = of
  const [faster, setFaster] = useState<string>()
  const closed = form ? (blockedBy ?? closedBy(task, me.id)) : 'platform.task.no-form'
  const typing = useTyping(draftOf(task.id), draft, form !== null && !closed, reload)
  const { lastKey } = typing
  useEffect(() => {
    if (lastKey > 0) onType(lastKey)
  }, [lastKey, onType])
  if (form && !closed)
    return (
      <Bar
        of={of}
        form={form}
        fixed={fixed}
        outcome={outcome}
        typing={typing}
        onDone={onDone}
        reload={reload}
        onFaster={setFaster}
      />
    )
  const { decidedBy, decidedAt, assignee } = task
  const byOther = decidedBy && decidedBy.id !== me.id && decidedAt
  return (
    <section className={css['decision']} aria-live="polite">
      {/* The API's answer, or the task itself, names who decided first and when. */}
      <p className={css['over']}>
        {faster ??
          (byOther
            ? t('platform.task-decided', { name: decidedBy.name, at: moment(decidedAt) })
            : t(closed ?? 'platform.task.over.done', { name: assignee?.name }))}
      </p>
      {form && typing.typed && <TypedBefore form={form} of={of} typing={typing} />}
      <div className={css['buttons']}>
        {of.may.resolve && <GiveOpinion of={of} />}
        <Button onClick={onDone}>{t('platform.task.next')}</Button>
      </div>
    </section>
  )
}

/** People who are asked for an opinion do not decide; they return the task with it. */
function GiveOpinion({ of }: { of: Task }) {
  const { t } = useTexts()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button type="primary" onClick={() => setOpen(true)}>
        {t('platform.task.resolve')}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <ActDialogs dialog="resolve" of={of} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Why nobody, or this person, can decide the task now, as a text key. */
function closedBy({ state, assignee }: Task['task'], me: string): string | undefined {
  if (state === 'done' || state === 'void' || state === 'accepted') return `platform.task.over.${state}`
  return assignee && assignee.id !== me ? 'platform.task.taken-by' : undefined
}

interface BarProps extends Pick<DecisionProps, 'of' | 'fixed' | 'outcome' | 'onDone' | 'reload'> {
  form: FormRef
  typing: Typing
  onFaster(words: string): void
}

/** Whether no desk has sent anything yet: the case was opened for its requester, who fills in the form. */
const isFirst = ({ submissions }: Case) => submissions.every(({ taskId }) => taskId === null)

/** A correction has no outcome: it is sent. */
const sendingOf = (of: Case): Outcome => ({
  value: '',
  title: isFirst(of) ? 'platform.start.send' : 'platform.task.send-again',
  ...{ asks: [], demands: [] },
})

/** Text key of the heading above the decision's fields. */
function headingOf(of: Case, corrects: boolean): string {
  if (!corrects) return 'platform.task.to-record'
  return isFirst(of) ? 'platform.task.to-fill-in' : 'platform.task.to-correct'
}

const withFixed = (schema: FormSchema, fixed: string[]): FormSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [
      name,
      fixed.includes(name) ? { ...field, readOnly: true } : field,
    ]),
  ),
})

/** The initial value of the desk's form. */
const beginningOf = (form: FormRef, of: Case, fixed: string[] | undefined): FormValue =>
  fixed ? of.data : { ...startingValue(form.schema), ...prefilled(form.schema, of) }

/** The answer to send: the fields of the desk and of the outcome, and the outcome itself. */
function answerOf(outcome: Outcome, always: readonly string[], filled: FormValue): FormValue {
  const shown = [...always, ...outcome.asks].filter((name) => filled[name] !== undefined)
  return { ...Object.fromEntries(shown.map((name) => [name, filled[name]])), outcome: outcome.value }
}

function Bar({
  of: { task, case: of, draft, earlierDesks, unavailable },
  form,
  fixed,
  outcome: first,
  typing,
  onDone,
  reload,
  onFaster,
}: BarProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const desk = useMemo(() => deskOf(form.schema), [form.schema])
  const outcomes = fixed ? [sendingOf(of)] : desk.outcomes
  const [beginning] = useState(() => beginningOf(form, of, fixed))
  const value = typing.typed ?? beginning
  const about = { of: { ...of, earlierDesks }, unavailable, beside: useBeside(task.id, form.schema) }
  const asksFor = (outcome: unknown) => outcomes.find((each) => each.value === outcome && each.asks.length > 0)
  const [chosen, setChosen] = useState(() => asksFor(typing.typed?.['outcome'] ?? first))
  const [sending, setSending] = useState<string>()
  const [problem, setProblem] = useState<unknown>()
  const recorded = useRef<FormHandle>(null)
  const asked = useRef<FormHandle>(null)

  const send = async (outcome: Outcome) => {
    const fits = [recorded.current?.check() ?? true, asked.current?.check() ?? true].every(Boolean)
    if (!fits) return
    const filled = { ...recorded.current?.data(), ...asked.current?.data() }
    setSending(outcome.value)
    setProblem(undefined)
    try {
      const answer = fixed ? filled : answerOf(outcome, desk.always, filled)
      const words = withoutDots(t(outcome.title))
      await typing.answers()
      const { undoUntil } = await completeTask(task, answer, fixed ? undefined : { key: outcome.value, text: words })
      typing.sent()
      // The toast of an undoable decision already says that it was sent.
      if (!undoUntil) void message.success(t('platform.task.sent', { outcome: words, reference: of.reference }), 5)
      onDone()
    } catch (error) {
      typing.stays()
      setSending(undefined)
      setProblem(error)
      if (error instanceof Problem) {
        recorded.current?.show(error.errors)
        asked.current?.show(error.errors)
        if (error.status === 409 && error.detail) onFaster(error.detail)
      }
      // Reload to see whether somebody else decided first, or an answer got lost.
      reload()
    }
  }

  const press = (outcome: Outcome) => {
    if (outcome.asks.length === 0) return void send(outcome)
    setChosen(outcome)
    setProblem(undefined)
  }
  const unchoose = () => {
    setChosen(undefined)
    if (!typing.typed) return
    const { outcome: _outcome, ...rest } = typing.typed
    typing.type(rest)
  }

  const idle = !chosen && sending === undefined
  const onward = outcomes.find((each) => !refuses(each.value))
  const refusal = outcomes.find((each) => refuses(each.value))
  useShortcuts('platform.task.keys', [
    { key: 'a', title: 'platform.inbox.key.approve', run: () => onward && press(onward), when: idle && !fixed },
    { key: 'r', title: 'platform.inbox.key.reject', run: () => refusal && press(refusal), when: idle && !!refusal },
  ])

  return (
    <>
      {desk.always.length > 0 && (
        <section className={css['recorded']}>
          <h2>{t(headingOf(of, fixed !== undefined))}</h2>
          <SchemaForm
            ref={recorded}
            {...about}
            form={{ ...form, schema: fixed ? withFixed(form.schema, fixed) : partOf(form.schema, desk.always, []) }}
            value={value}
            onChange={typing.type}
          />
        </section>
      )}
      <section className={css['decision']} aria-label={t('platform.task.decision')}>
        {problem !== undefined && <Problems problem={problem} />}
        <DraftLine
          typing={typing}
          draft={draft}
          onChoose={(data) => setChosen(asksFor(data['outcome']))}
          onDiscard={() => setChosen(undefined)}
        />
        {chosen && (
          <div className={css['asked']}>
            <SchemaForm
              ref={asked}
              {...about}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has just asked for these fields
              autoFocus
              form={{ ...form, schema: partOf(form.schema, chosen.asks, chosen.demands) }}
              value={{ ...value, outcome: chosen.value }}
              onChange={typing.type}
            />
          </div>
        )}
        {task.for && <p className={css['inStead']}>{t('platform.task.in-stead', { name: task.for.name })}</p>}
        <Buttons
          outcomes={outcomes}
          chosen={chosen}
          sending={sending}
          onPress={press}
          onSend={(outcome) => void send(outcome)}
          onUnchoose={unchoose}
        />
      </section>
    </>
  )
}

/** Why the answer was refused, or that its result is unknown. */
function Problems({ problem }: { problem: unknown }) {
  const { t } = useTexts()
  const doubtful = problem instanceof Problem && (problem.status === 0 || problem.status >= 500)
  const { title, detail } = inWords(problem, t)
  // What is wrong with the outcome itself is at no field that the reader sees.
  const ofOutcome = problem instanceof Problem ? problem.errors.filter(({ field }) => field === '/outcome') : []
  const why = ofOutcome.map(({ message }) => message).join('. ') || detail
  return (
    <Alert
      className={css['problem']}
      type="error"
      role="alert"
      title={title}
      description={doubtful ? t('platform.task.doubtful') : why}
    />
  )
}

interface ButtonsProps {
  outcomes: readonly Outcome[]
  /** The selected outcome, whose fields are being filled in. */
  chosen: Outcome | undefined
  /** The outcome being sent. */
  sending: string | undefined
  onPress(outcome: Outcome): void
  onSend(outcome: Outcome): void
  onUnchoose(): void
}

/** A button for each outcome; once one is selected, buttons to send it or to go back. */
function Buttons({ outcomes, chosen, sending, onPress, onSend, onUnchoose }: ButtonsProps) {
  const { t } = useTexts()
  return (
    <div className={css['buttons']}>
      {chosen ? (
        <>
          <Button
            type="primary"
            danger={refuses(chosen.value)}
            loading={sending === chosen.value}
            onClick={() => onSend(chosen)}
          >
            {withoutDots(t(chosen.title))}
          </Button>
          <Button type="text" disabled={sending !== undefined} onClick={onUnchoose}>
            {t('platform.cancel')}
          </Button>
        </>
      ) : (
        outcomes.map((outcome, at) => (
          <Button
            key={outcome.value}
            type={at === 0 ? 'primary' : 'default'}
            danger={at > 0 && refuses(outcome.value)}
            loading={sending === outcome.value}
            disabled={sending !== undefined && sending !== outcome.value}
            onClick={() => onPress(outcome)}
          >
            {t(outcome.title)}
          </Button>
        ))
      )}
    </div>
  )
}
