import { Alert, Button } from 'antd'
import { useRef, useState } from 'react'
import { answerQuestion, type AskedQuestion } from '../../kernel/api/answers.ts'
import type { FormSchema } from '../../kernel/client/types.ts'
import { startingValue, type FormValue } from '../../kernel/form/conditions.ts'
import { useSending } from '../../kernel/form/sending.ts'
import { SchemaForm, type FormHandle } from '../../kernel/form/schema-form.tsx'
import { inWords } from '../../kernel/states/trouble.tsx'
import { lastSecond, useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { deskOf, partOf, refuses, type Outcome } from '../../work/case/outcomes.ts'
import css from './answer.module.css'

interface QuestionProps {
  of: AskedQuestion
  token: string
  /** It is answered; `outcome` in words. */
  onDone(outcome: string): void
  /** It was answered or closed meanwhile. */
  onClosed(problem: unknown): void
}

/** The question, what it is about, and the answers. */
export function Question(props: QuestionProps) {
  const { flowTitle, question, name, shown, closesAt } = props.of
  const { t } = useTexts()
  const { moment } = useFormats()
  const [chosen, setChosen] = useState<Outcome>()
  return (
    <article className={css['page']}>
      <p className={css['kind']}>{flowTitle}</p>
      <h1>{question}</h1>
      <p className={css['line']}>
        <span>{t('platform.answer.for', { name })}</span>
        <strong>{t('platform.answer.until', { day: moment(lastSecond(closesAt)) })}</strong>
      </p>
      <dl className={css['facts']}>
        {shown.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <section className={css['answer']} aria-label={t('platform.answer.label')}>
        {chosen ? (
          <Confirmation {...props} chosen={chosen} onBack={() => setChosen(undefined)} />
        ) : (
          <Choices of={props.of} onChoose={setChosen} />
        )}
      </section>
    </article>
  )
}

function Choices({ of, onChoose }: { of: AskedQuestion; onChoose(outcome: Outcome): void }) {
  const { t } = useTexts()
  return (
    <div className={css['buttons']}>
      {deskOf(of.form.schema as FormSchema).outcomes.map((outcome, at) => (
        <Button
          key={outcome.value}
          size="large"
          type={at === 0 ? 'primary' : 'default'}
          onClick={() => onChoose(outcome)}
        >
          {t(outcome.title)}
        </Button>
      ))}
    </div>
  )
}

/** One answer with its fields, to be confirmed. */
function Confirmation({
  of,
  token,
  chosen,
  onBack,
  onDone,
  onClosed,
}: QuestionProps & { chosen: Outcome; onBack(): void }) {
  const { t } = useTexts()
  const schema = of.form.schema as FormSchema
  const [value, setValue] = useState<FormValue>(() => startingValue(schema))
  const form = useRef<FormHandle>(null)
  const { busy, problem, send: sendForm } = useSending(form, onClosed)
  const shown = [...deskOf(schema).always, ...chosen.asks]
  const send = () =>
    sendForm(async () => {
      await answerQuestion(token, { ...form.current?.data(), outcome: chosen.value })
      onDone(t(chosen.title))
    })

  const words = problem === undefined ? undefined : inWords(problem, t)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {words && (
        <Alert className={css['alert']} type="error" role="alert" title={words.title} description={words.detail} />
      )}
      <h2>{t(chosen.title)}</h2>
      <p>{t('platform.answer.confirm')}</p>
      {shown.length > 0 && (
        <SchemaForm
          ref={form}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has just asked for these fields
          autoFocus
          form={{ ...of.form, schema: partOf(schema, shown, []) }}
          value={{ ...value, outcome: chosen.value }}
          onChange={setValue}
        />
      )}
      <div className={css['buttons']}>
        <Button type="primary" size="large" htmlType="submit" danger={refuses(chosen.value)} loading={busy}>
          {t(chosen.title)}
        </Button>
        <Button type="text" size="large" disabled={busy} onClick={onBack}>
          {t('platform.answer.back')}
        </Button>
      </div>
    </form>
  )
}
