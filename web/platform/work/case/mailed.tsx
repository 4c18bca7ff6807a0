import { useForm } from '../../kernel/api/flows.ts'
import type { Case } from '../../kernel/client/types.ts'
import { Record } from '../../kernel/record/record.tsx'
import { lastSecond, useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './questions.module.css'

/** Questions that went by mail to people without an account, and their answers. */
export function MailedQuestions({ of }: { of: Case }) {
  const { t } = useTexts()
  if (of.mailed.length === 0) return null
  return (
    <section className={css['part']}>
      <h2>{t('platform.mailed.list')}</h2>
      <ul className={css['list']}>
        {of.mailed.map((one) => (
          <Asked key={one.name} of={one} running={of.state !== 'ended'} />
        ))}
      </ul>
    </section>
  )
}

function Asked({ of, running }: { of: Case['mailed'][number]; running: boolean }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const form = useForm(of.data ? of.formHash : undefined).data
  return (
    <li>
      <p className={css['when']}>{t('platform.mailed.asked', { moment: moment(of.askedAt) })}</p>
      <p className={css['question']}>{of.question}</p>
      {of.outcome && of.answeredAt ? (
        <div className={css['answer']}>
          <p>{of.outcome.text}</p>
          {form && of.data && <Record schema={form.schema} data={of.data} only={({ name }) => name !== 'outcome'} />}
          <p className={css['when']}>
            {t(of.void ? 'platform.mailed.void' : 'platform.mailed.answered', { moment: moment(of.answeredAt) })}
          </p>
        </div>
      ) : (
        <p className={css['waits']}>
          {t(running ? 'platform.mailed.waits' : 'platform.mailed.none', { moment: moment(lastSecond(of.closesAt)) })}
        </p>
      )}
    </li>
  )
}
