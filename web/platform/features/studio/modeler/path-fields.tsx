import { conditionOf, kindOf, partOf, textOf } from '../model/element.ts'
import { titleOf } from '../model/naming.ts'
import css from './fields.module.css'
import { withCondition } from './edit.ts'
import { Choice, TextField } from './field.tsx'
import type { Part } from './part.ts'

/** A path out of a gateway: a desk's outcome, or a FEEL condition. */
export function Way({ drawn, element, editing, vocabulary, disabled, t, all }: Part) {
  const source = partOf(element, 'sourceRef')
  const condition = conditionOf(element)
  if (!source || kindOf(source) !== 'ExclusiveGateway') return null
  if (partOf(source, 'default')?.id === element.id)
    return <p className={css['help']}>{t('platform.studio.is-default')}</p>
  const desks = [...all.values()].filter((one) => kindOf(one) === 'UserTask')
  const outcomes = desks.flatMap((desk) => {
    const form = vocabulary.forms.find(({ key }) => key === textOf(desk, 'camunda:formKey'))
    return (form?.outcomes ?? []).map(({ value, title }) => ({
      value: `(${desk.id}_outcome = "${value}") = true`,
      label: t('platform.studio.outcome-is', { desk: titleOf(desk, t), outcome: title }),
    }))
  })
  return (
    <>
      <Choice
        label={t('platform.studio.answer')}
        value={outcomes.some(({ value }) => value === condition) ? condition : undefined}
        options={outcomes}
        disabled={disabled}
        onChange={(feel) => withCondition(editing, drawn, feel)}
      />
      <TextField
        label={t('platform.studio-fact.condition')}
        help={t('platform.studio.condition-help')}
        value={condition ?? ''}
        disabled={disabled}
        lines
        onChange={(feel) => withCondition(editing, drawn, feel.trim())}
      />
    </>
  )
}

/** The default path of a gateway. */
export function Otherwise({ drawn, element, editing, disabled, t }: Part) {
  const ways = drawn.outgoing.filter(({ type }) => type === 'bpmn:SequenceFlow')
  if (ways.length < 2) return null
  return (
    <>
      <Choice
        label={t('platform.studio-fact.default')}
        value={partOf(element, 'default')?.id}
        options={ways.map((way) => ({
          value: way.id,
          label: way.businessObject.name ?? (way.target ? titleOf(way.target.businessObject, t) : way.id),
        }))}
        disabled={disabled}
        onChange={(id) =>
          editing.modeling.updateProperties(drawn, { default: ways.find((way) => way.id === id)?.businessObject })
        }
      />
      <ul className={css['ways']}>
        {ways.map((way) => (
          <li key={way.id}>
            <strong>{way.businessObject.name ?? t('platform.studio.unlabelled')}</strong>{' '}
            {way.target && titleOf(way.target.businessObject, t)}
          </li>
        ))}
      </ul>
    </>
  )
}
