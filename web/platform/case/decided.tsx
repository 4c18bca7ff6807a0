import type { Case } from '../api/types.ts'
import { useForm } from '../api/flows.ts'
import { outcomeText } from '../task/outcomes.ts'
import { Record } from '../record/record.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import css from './case.module.css'

/** What the desks have decided so far: who, what, when, and what they wrote; where stages tell the rest, only what they wrote. */
export function Decided({ of, withWordsOnly = false }: { of: Case; withWordsOnly?: boolean }) {
  const { t } = useTexts()
  const decisions = of.submissions.filter(
    ({ taskId, data, voidReason }) =>
      taskId !== null &&
      voidReason !== 'undone' &&
      (!withWordsOnly || Object.keys(data).some((name) => name !== 'outcome')),
  )
  if (decisions.length === 0) return null
  return (
    <section className={css['decided']}>
      <h2>{t('platform.case.decisions')}</h2>
      <ol>
        {decisions.map((decision) => (
          <DecisionLine key={decision.id} decision={decision} />
        ))}
      </ol>
    </section>
  )
}

function DecisionLine({ decision }: { decision: Case['submissions'][number] }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const form = useForm(decision.formHash).data
  return (
    <li>
      <p>
        <strong>{outcomeText(form?.schema, decision.outcome, t)}</strong>{' '}
        {`${decision.by.name} · ${moment(decision.at)}`}
        {decision.effect === 'void' && <em> {t('platform.case.void')}</em>}
      </p>
      {form && <Record schema={form.schema} data={decision.data} only={({ name }) => name !== 'outcome'} />}
    </li>
  )
}
