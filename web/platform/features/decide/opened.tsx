import { Alert, Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useForm } from '../../kernel/api/flows.ts'
import { decideByTaskLink, type LinkedDecision } from '../../kernel/api/task-links.ts'
import type { FormSchema } from '../../kernel/client/types.ts'
import { Facts } from '../../work/case/facts.tsx'
import { useNow } from '../../kernel/clock/now.ts'
import { startingValue, type FormValue } from '../../kernel/form/conditions.ts'
import { prefilled } from '../../kernel/form/prefill.ts'
import { useSending } from '../../kernel/form/sending.ts'
import { SchemaForm, type FormHandle } from '../../kernel/form/schema-form.tsx'
import { fieldsOf } from '../../kernel/record/fields.ts'
import { Record } from '../../kernel/record/record.tsx'
import { inWords } from '../../kernel/states/trouble.tsx'
import { deskOf, partOf, refuses, withoutDots, type Outcome } from '../../work/case/outcomes.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './decide.module.css'
import { Unregistered } from '../../kernel/status/unregistered.tsx'
import { SignIn } from './word.tsx'

interface OpenedProps {
  of: LinkedDecision
  token: string
  /** The decision is made; `outcome` in words. */
  onDone(outcome: string): void
  /** Somebody else decided first, or the link is no longer valid. */
  onClosed(problem: unknown): void
}

/** Fields that need a sign-in: register entries and files. */
const needsSignIn = (schema: FormSchema): boolean =>
  schema['x-register'] !== undefined ||
  schema['x-entry-of'] !== undefined ||
  schema['x-widget'] === 'file' ||
  (schema.items !== undefined && needsSignIn(schema.items)) ||
  Object.values(schema.properties ?? {}).some(needsSignIn)

/** What there is to decide, the facts, and the decision with one confirmation. */
export default function Opened({ of, token, onDone, onClosed }: OpenedProps) {
  const { t } = useTexts()
  const { moment, due, waited } = useFormats()
  const now = useNow()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const asked = useForm(of.startForm.hash).data
  const schema = of.form.schema as FormSchema
  // Corrections of the request, and forms that need look-ups, need the full page.
  if (of.form.key === of.startForm.key || needsSignIn(schema)) return <SignIn task={of.task} />
  const until = of.dueAt ? due(of.dueAt, now) : undefined
  return (
    <article className={css['page']}>
      <p className={css['kind']}>
        {of.flowTitle} · {of.reference}
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {of.question ?? of.title}
      </h1>
      <p className={css['line']}>
        <span>{of.status.text}</span>
        <span>
          {t('platform.decide.asked-by', { name: of.requester.name })}
          <Unregistered is={of.requester} />
        </span>
        <span>{t('platform.decide.since', { duration: waited(of.createdAt, now) })}</span>
        {until && (
          <span className={until.late ? css['late'] : undefined}>
            {t(until.late ? 'platform.decide.late' : 'platform.decide.due', { due: until.text })}
          </span>
        )}
      </p>
      <Facts of={of} names={of.shownFacts} units={of.factUnits} />
      {of.decisions.length > 0 && (
        <section>
          <h2>{t('platform.decide.before')}</h2>
          <ul className={css['before']}>
            {of.decisions.map(({ task, outcome, reason, by, at }) => (
              <li key={`${task} ${at}`}>
                <strong>{withoutDots(outcome.text)}</strong> {`${by.name}, ${task} · ${moment(at)}`}
                {reason && <q>{reason}</q>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {asked && (
        <section>
          <h2>{t('platform.decide.request')}</h2>
          <Record schema={asked.schema} data={of.data} only={({ schema: field }) => !needsSignIn(field)} />
        </section>
      )}
      <Decision of={of} schema={schema} token={token} onDone={onDone} onClosed={onClosed} />
    </article>
  )
}

/** Choosing one outcome, with its fields and a confirmation. */
function Decision({ of, schema, token, onDone, onClosed }: OpenedProps & { schema: FormSchema }) {
  const { t } = useTexts()
  const desk = deskOf(schema)
  const [value, setValue] = useState<FormValue>(() => ({ ...startingValue(schema), ...prefilled(schema, of) }))
  const [chosen, setChosen] = useState<Outcome>()
  const form = useRef<FormHandle>(null)
  const { busy, problem, again, send } = useSending(form, onClosed)
  const shown = [...desk.always, ...(chosen?.asks ?? [])]

  const choose = (outcome: Outcome | undefined) => {
    setChosen(outcome)
    again()
  }
  const confirm = (outcome: Outcome) =>
    send(async () => {
      const filled = form.current?.data() ?? {}
      const given = fieldsOf(schema).filter(({ name }) => shown.includes(name) && filled[name] !== undefined)
      await decideByTaskLink(token, {
        ...Object.fromEntries(given.map(({ name }) => [name, filled[name]])),
        outcome: outcome.value,
      })
      onDone(withoutDots(t(outcome.title)))
    })

  const words = problem === undefined ? undefined : inWords(problem, t)
  return (
    <section className={css['decision']} aria-label={t('platform.decide.decision')}>
      <p className={css['reader']}>
        {of.for
          ? t('platform.decide.as-for', { name: of.reader.name, absent: of.for.name })
          : t('platform.decide.as', { name: of.reader.name })}
      </p>
      {words && (
        <Alert className={css['alert']} type="error" role="alert" title={words.title} description={words.detail} />
      )}
      {chosen ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void confirm(chosen)
          }}
        >
          <h2>{withoutDots(t(chosen.title))}</h2>
          <p>{t('platform.decide.confirm')}</p>
          {shown.length > 0 && (
            <SchemaForm
              ref={form}
              of={of}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has just asked for these fields
              autoFocus
              form={{ ...of.form, schema: partOf(schema, shown, chosen.demands) }}
              value={{ ...value, outcome: chosen.value }}
              onChange={setValue}
            />
          )}
          <div className={css['buttons']}>
            <Button type="primary" size="large" htmlType="submit" danger={refuses(chosen.value)} loading={busy}>
              {withoutDots(t(chosen.title))}
            </Button>
            <Button type="text" size="large" disabled={busy} onClick={() => choose(undefined)}>
              {t('platform.decide.back')}
            </Button>
          </div>
        </form>
      ) : (
        <div className={css['buttons']}>
          {desk.outcomes.map((outcome, at) => (
            <Button
              key={outcome.value}
              size="large"
              type={at === 0 ? 'primary' : 'default'}
              danger={at > 0 && refuses(outcome.value)}
              onClick={() => choose(outcome)}
            >
              {t(outcome.title)}
            </Button>
          ))}
        </div>
      )}
    </section>
  )
}
