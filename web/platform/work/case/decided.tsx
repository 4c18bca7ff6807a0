import type { Case, FormSchema } from '../../kernel/client/types.ts'
import { useForm } from '../../kernel/api/flows.ts'
import { outcomeText } from './outcomes.ts'
import { fieldsOf } from '../../kernel/record/fields.ts'
import { Record } from '../../kernel/record/record.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './case.module.css'
import { requestOf } from './stages.tsx'

interface DecidedProps {
  of: Case
  /** Only entries with comments or figures, if stages show the rest. */
  withWordsOnly?: boolean
  /** Only the last one, for the person it goes to. */
  lastOnly?: boolean
}

/** The decisions so far: who, what, when, and their comments. A correction is shown by the request's present values. */
export function Decided({ of, withWordsOnly = false, lastOnly = false }: DecidedProps) {
  const { t } = useTexts()
  const request = requestOf(of)
  const told = of.submissions.filter(
    ({ taskId, formKey, data, voidReason }) =>
      taskId !== null &&
      formKey !== request?.formKey &&
      voidReason !== 'undone' &&
      (!withWordsOnly || Object.keys(data).some((name) => name !== 'outcome')),
  )
  const decisions = lastOnly ? told.slice(-1) : told
  if (decisions.length === 0) return null
  return (
    <section className={css['decided']}>
      <h2>{t('platform.case.decisions')}</h2>
      <ol>
        {decisions.map((decision) => (
          <DecisionLine key={decision.id} decision={decision} of={of} />
        ))}
      </ol>
    </section>
  )
}

function DecisionLine({ decision, of }: { decision: Case['submissions'][number]; of: Case }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const form = useForm(decision.formHash).data
  const absent = decision.for ? ` ${t('platform.inbox.for', { name: decision.for.name })}` : ''
  return (
    <li>
      <p>
        <strong>{outcomeText(form?.schema, decision.outcome, t)}</strong>{' '}
        {`${decision.by.name}${absent} · ${moment(decision.at)}`}
        {decision.effect === 'void' && <em> {t('platform.case.void')}</em>}
      </p>
      {form && (
        <Record
          schema={form.schema}
          data={withPeople(form.schema, decision.data, of)}
          files={of.files}
          only={({ name }) => name !== 'outcome'}
        />
      )}
    </li>
  )
}

/** Names the person at the desk that a case was returned to: the requester, or who had decided there. */
function withPeople(schema: FormSchema, data: Case['data'], { requester, submissions }: Case): Case['data'] {
  const desks = fieldsOf(schema).filter(({ schema: field }) => field['x-desk'] !== undefined)
  const people = desks.flatMap(({ name }) => {
    const id = data[name]
    const there = id === 'requester' ? requester : submissions.findLast(({ desk }) => desk === id)?.by
    return there ? [[name, there.name]] : []
  })
  return { ...data, ...Object.fromEntries(people) }
}
