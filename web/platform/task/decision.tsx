import { Alert, App, Button } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Problem } from '../api/client.ts'
import { completeTask, undoTask } from '../api/tasks.ts'
import type { Case, FormRef, FormSchema, Task, TaskRow } from '../api/types.ts'
import { startingValue, type FormValue } from '../form/conditions.ts'
import { useKept } from '../form/kept.ts'
import { prefilled } from '../form/prefill.ts'
import { SchemaForm, type FormHandle } from '../form/schema-form.tsx'
import { useMe } from '../session/session.ts'
import { inWords } from '../states/trouble.tsx'
import { useTexts } from '../texts/texts.ts'
import { deskOf, partOf, refuses, withoutDots, type Outcome } from './outcomes.ts'
import css from './task.module.css'

interface DecisionProps {
  task: TaskRow
  of: Case
  earlierDesks: Task['earlierDesks']
  /** Where the desk corrects the request itself: the fields of the request that must stay as they are. */
  fixed: string[] | undefined
  /** A desk without a form is not decided here. */
  form: FormRef | null
  /** Text key of why this person may not decide here. */
  blockedBy: string | null
  onDone(): void
  reload(): void
}

/** The decision bar: a button for each outcome, and the fields that the chosen one asks for. */
export function Decision({ task, form, blockedBy, onDone, ...rest }: DecisionProps) {
  const { t } = useTexts()
  const me = useMe()
  const [faster, setFaster] = useState<string>()
  const closed = form ? (blockedBy ?? closedBy(task, me.id)) : 'platform.task.no-form'
  if (form && !closed) return <Bar task={task} form={form} onDone={onDone} onFaster={setFaster} {...rest} />
  return (
    <section className={css['decision']} aria-live="polite">
      {/* The API's answer names who was faster and when; without one, what the task itself shows is said. */}
      <p className={css['over']}>{faster ?? t(closed ?? 'platform.task.over.done', { name: task.assignee?.name })}</p>
      <Button onClick={onDone}>{t('platform.task.next')}</Button>
    </section>
  )
}

/** Why nobody, or this person, can decide the task now, as a text key. */
function closedBy({ state, assignee }: TaskRow, me: string): string | undefined {
  if (state === 'done' || state === 'void' || state === 'accepted') return `platform.task.over.${state}`
  return assignee && assignee.id !== me ? 'platform.task.taken-by' : undefined
}

interface BarProps extends Pick<DecisionProps, 'task' | 'of' | 'earlierDesks' | 'fixed' | 'onDone' | 'reload'> {
  form: FormRef
  onFaster(words: string): void
}

/** A correction has no outcome: it is sent. */
const sendingAgain: Outcome = { value: '', title: 'platform.task.send-again', asks: [] }

const withFixed = (schema: FormSchema, fixed: string[]): FormSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [
      name,
      fixed.includes(name) ? { ...field, readOnly: true } : field,
    ]),
  ),
})

function Bar({ task, of, earlierDesks, fixed, form, onDone, reload, onFaster }: BarProps) {
  const { t } = useTexts()
  const decided = useDecided()
  const desk = useMemo(() => deskOf(form.schema), [form.schema])
  const outcomes = fixed ? [sendingAgain] : desk.outcomes
  const me = useMe()
  const [beginning] = useState<FormValue>(() =>
    fixed ? of.data : { ...startingValue(form.schema), ...prefilled(form.schema, of) },
  )
  // A desk decides at once; the requester may have to look for what is asked of them.
  const { typed, keep: setValue, forget } = useKept(of.requester.id === me.id ? task.id : undefined)
  const value = typed ?? beginning
  const about = { ...of, earlierDesks }
  const [chosen, setChosen] = useState<Outcome>()
  const [sending, setSending] = useState<string>()
  const [problem, setProblem] = useState<unknown>()
  const recorded = useRef<FormHandle>(null)
  const asked = useRef<FormHandle>(null)

  const send = async (outcome: Outcome) => {
    const fits = [recorded.current?.check() ?? true, asked.current?.check() ?? true].every(Boolean)
    if (!fits) return
    const filled = { ...recorded.current?.data(), ...asked.current?.data() }
    const shown = [...desk.always, ...outcome.asks].filter((name) => filled[name] !== undefined)
    setSending(outcome.value)
    setProblem(undefined)
    try {
      const answer = fixed
        ? filled
        : { ...Object.fromEntries(shown.map((name) => [name, filled[name]])), outcome: outcome.value }
      const { state, caseId } = await completeTask(task.id, answer)
      const undoable = state === 'accepted' && !fixed
      if (!undoable) forget()
      decided({ id: task.id, caseId, words: withoutDots(t(outcome.title)), reference: of.reference, undoable })
      onDone()
    } catch (error) {
      setSending(undefined)
      setProblem(error)
      if (error instanceof Problem) {
        recorded.current?.show(error.errors)
        asked.current?.show(error.errors)
        if (error.status === 409 && error.detail) onFaster(error.detail)
      }
      // Whether someone was faster, or an answer got lost on its way: the task itself tells.
      reload()
    }
  }

  const press = (outcome: Outcome) => {
    if (outcome.asks.length === 0) return void send(outcome)
    setChosen(outcome)
    setProblem(undefined)
  }

  const doubtful = problem instanceof Problem && (problem.status === 0 || problem.status >= 500)
  const words = problem === undefined ? undefined : inWords(problem, t)
  return (
    <>
      {desk.always.length > 0 && (
        <section className={css['recorded']}>
          <h2>{t(fixed ? 'platform.task.to-correct' : 'platform.task.to-record')}</h2>
          <SchemaForm
            ref={recorded}
            of={about}
            form={{
              ...form,
              schema: fixed ? withFixed(form.schema, fixed) : partOf(form.schema, desk.always, []),
            }}
            value={value}
            onChange={setValue}
          />
        </section>
      )}
      <section className={css['decision']} aria-label={t('platform.task.decision')}>
        {words && (
          <Alert
            className={css['problem']}
            type="error"
            role="alert"
            title={words.title}
            description={doubtful ? t('platform.task.doubtful') : words.detail}
          />
        )}
        {chosen && (
          <div className={css['asked']}>
            <SchemaForm
              ref={asked}
              of={about}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has just asked for these fields
              autoFocus
              form={{ ...form, schema: partOf(form.schema, chosen.asks, chosen.asks) }}
              value={{ ...value, outcome: chosen.value }}
              onChange={setValue}
            />
          </div>
        )}
        <div className={css['buttons']}>
          {chosen ? (
            <>
              <Button
                type="primary"
                danger={refuses(chosen.value)}
                loading={sending === chosen.value}
                onClick={() => void send(chosen)}
              >
                {withoutDots(t(chosen.title))}
              </Button>
              <Button type="text" disabled={sending !== undefined} onClick={() => setChosen(undefined)}>
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
                onClick={() => press(outcome)}
              >
                {t(outcome.title)}
              </Button>
            ))
          )}
        </div>
      </section>
    </>
  )
}

interface Made {
  id: string
  caseId: string
  words: string
  reference: string
  undoable: boolean
}

/** Says that a decision is made, and lets it be taken back as long as that is possible. */
function useDecided() {
  const { t } = useTexts()
  const { notification, message } = App.useApp()
  const [, navigate] = useLocation()
  return ({ id, caseId, words, reference, undoable }: Made) => {
    const key = `decided ${id}`
    const undo = async () => {
      notification.destroy(key)
      try {
        await undoTask(id)
        navigate(`/tasks/${encodeURIComponent(id)}`)
      } catch (error) {
        message.error(inWords(error, t).detail)
      }
    }
    notification.success({
      key,
      duration: 8,
      // Where the next task has its buttons, it would lie over them.
      placement: matchMedia('(max-width: 767px)').matches ? 'top' : 'bottomRight',
      title: t('platform.task.sent', { outcome: words, reference }),
      description: <Link href={`/cases/${caseId}`}>{t('platform.task.sent-case')}</Link>,
      actions: undoable && (
        <Button size="small" onClick={() => void undo()}>
          {t('platform.task.undo')}
        </Button>
      ),
    })
  }
}
