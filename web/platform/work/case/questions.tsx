import { Alert, Button, Input } from 'antd'
import { useId, type ReactNode } from 'react'
import { useKept } from '../../kernel/form/kept.ts'
import { useAct } from '../../kernel/states/act.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './questions.module.css'

/** A question of a desk to the requester. */
export interface AskedQuestion {
  id: string
  question: string
  askedAt: string
  answer: string | null
  answeredAt: string | null
  askedBy?: { name: string }
}

interface QuestionsProps {
  questions: (AskedQuestion & { open: boolean })[]
  /** Answers a question; only the requester may. */
  answer?: ((id: string, words: string) => Promise<void>) | undefined
}

/** A desk's questions to the requester: an open one with a field for the answer, the others with their answers. */
export function Questions({ questions, answer }: QuestionsProps) {
  const { t } = useTexts()
  const open = answer ? questions.filter((each) => each.open) : []
  const others = questions.filter((each) => !open.includes(each) && (each.open || each.answer !== null))
  return (
    <>
      {answer && open.map((each) => <ToAnswer key={each.id} of={each} answer={answer} />)}
      {others.length > 0 && (
        <section className={css['part']}>
          <h2>{t('platform.question.list')}</h2>
          <QuestionList questions={others} />
        </section>
      )}
    </>
  )
}

/** Questions with their answers; `below` renders the part below an open one. */
export function QuestionList({ questions, below }: { questions: AskedQuestion[]; below?: ReactNode }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  return (
    <ul className={css['list']}>
      {questions.map(({ id, question, askedAt, askedBy, answer, answeredAt }) => (
        <li key={id}>
          <p className={css['when']}>
            {askedBy
              ? t('platform.question.asked-by', { name: askedBy.name, moment: moment(askedAt) })
              : t('platform.question.asked', { moment: moment(askedAt) })}
          </p>
          <p className={css['question']}>{question}</p>
          {answer === null ? (
            <>
              <p className={css['waits']}>{t('platform.question.waits')}</p>
              {below}
            </>
          ) : (
            <div className={css['answer']}>
              <p>{answer}</p>
              {answeredAt && (
                <p className={css['when']}>{t('platform.question.answered', { moment: moment(answeredAt) })}</p>
              )}
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

function ToAnswer({ of, answer }: { of: AskedQuestion; answer(id: string, words: string): Promise<void> }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const id = useId()
  const { typed, keep, forget } = useKept(`question.${of.id}`)
  const { busy, refusal, run } = useAct()
  const words = typeof typed?.['answer'] === 'string' ? typed['answer'] : ''
  const send = () =>
    run(async () => {
      await answer(of.id, words.trim())
      forget()
    })
  return (
    <section className={`${css['turn']} no-print`} aria-labelledby={`${id}title`}>
      <h2 id={`${id}title`}>{t('platform.question.for-you')}</h2>
      <p className={css['question']} id={`${id}question`}>
        {of.question}
      </p>
      <p className={css['when']}>
        {of.askedBy
          ? t('platform.question.asked-by', { name: of.askedBy.name, moment: moment(of.askedAt) })
          : t('platform.question.asked', { moment: moment(of.askedAt) })}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (words.trim()) void send()
        }}
      >
        <label htmlFor={`${id}answer`}>{t('platform.question.answer')}</label>
        <Input.TextArea
          id={`${id}answer`}
          aria-describedby={`${id}question`}
          value={words}
          autoSize={{ minRows: 3, maxRows: 12 }}
          maxLength={4000}
          onChange={(event) => keep({ answer: event.target.value })}
        />
        {refusal && <Alert type="error" role="alert" title={refusal} />}
        <Button type="primary" htmlType="submit" loading={busy} disabled={words.trim() === ''}>
          {t('platform.question.send')}
        </Button>
      </form>
    </section>
  )
}
