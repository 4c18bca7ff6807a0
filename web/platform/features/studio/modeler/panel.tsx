import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { ModelProblem, Vocabulary } from '../../../kernel/api/studio.ts'
import { useTexts } from '../../../kernel/texts/texts.ts'
import type { Drawing, Drawn } from '../canvas/parts.ts'
import { definitionOf, elementsOf, fourEyesOf, kindOf, propertiesOf, sendsMail, textOf } from '../model/element.ts'
import { timeInWords, titleOf } from '../model/naming.ts'
import css from './fields.module.css'
import { withProperty } from './edit.ts'
import { Choice, TextField } from './field.tsx'
import type { Part } from './part.ts'
import { Desk } from './desk-fields.tsx'
import { Step, Decision, Call } from './step-fields.tsx'
import { Mail, Timing, Referred } from './event-fields.tsx'
import { Way, Otherwise } from './path-fields.tsx'

interface PanelProps {
  drawing: Drawing
  /** The selected element, else the process. */
  chosen: Drawn
  vocabulary: Vocabulary
  readOnly: boolean
  /** The element's problems. */
  problems: readonly ModelProblem[]
}

/** The properties of the selected element, each chosen from what the flow offers. */
export function Panel({ drawing, chosen, vocabulary, readOnly, problems }: PanelProps) {
  const { t } = useTexts()
  const element = chosen.businessObject
  const kind = kindOf(element)
  const part: Part = {
    drawn: chosen,
    element,
    editing: { modeling: drawing.get('modeling'), factory: drawing.get('bpmnFactory') },
    commands: drawing.get('commandStack'),
    vocabulary,
    disabled: readOnly,
    t,
    all: elementsOf(drawing.getDefinitions()),
  }
  return (
    <section aria-label={t('platform.studio.panel')} className={css['fields']}>
      <header>
        <p className={css['kind']}>{t(`platform.studio-kind.${kind}`)}</p>
        <h2>{titleOf(element, t)}</h2>
        <code className={css['id']}>{element.id}</code>
      </header>
      <Wrong problems={problems} part={part} />
      <TextField
        key={element.id}
        label={t('platform.studio-fact.name')}
        value={element.name ?? ''}
        disabled={readOnly}
        lines
        onChange={(name) => part.editing.modeling.updateProperties(chosen, { name: name.trim() || undefined })}
      />
      {sectionsOf(kind, part)}
    </section>
  )
}

/** The element's problems. Missing four-eyes exclusions are listed in one sentence, as there may be a dozen. */
function Wrong({ problems, part }: { problems: readonly ModelProblem[]; part: Part }) {
  const { drawn, element, editing, disabled, t, all } = part
  if (problems.length === 0) return null
  const missing = problems.flatMap(({ apartFrom }) => apartFrom ?? [])
  const names = missing.map((one) => {
    const desk = all.get(one)
    return desk ? titleOf(desk, t) : t('platform.studio.requester')
  })
  const keepApart = () =>
    withProperty(editing, drawn, 'fourEyes', [...new Set([...fourEyesOf(element), ...missing])].join(','))
  return (
    <div className={css['wrong']}>
      <ul>
        {problems.map(({ reason, apartFrom }) => apartFrom === undefined && <li key={reason}>{reason}</li>)}
        {missing.length > 0 && <li>{t('platform.studio.not-apart', { names: names.join(', ') })}</li>}
      </ul>
      {missing.length > 0 && (
        <Button size="small" disabled={disabled} onClick={keepApart}>
          {t('platform.studio.keep-apart', { count: missing.length })}
        </Button>
      )}
    </div>
  )
}

function sectionsOf(kind: string, part: Part): ReactNode {
  const { element } = part
  if (kind === 'UserTask')
    return (
      <>
        <Desk {...part} />
        <Statuses {...part} />
      </>
    )
  if (kind === 'Process') return <History {...part} />
  if (kind === 'ServiceTask') return <Step {...part} />
  if (kind === 'BusinessRuleTask') return <Decision {...part} />
  if (kind === 'CallActivity') return <Call {...part} />
  if (kind === 'SequenceFlow') return <Way {...part} />
  if (kind === 'ExclusiveGateway') return <Otherwise {...part} />
  return (
    <>
      {sendsMail(element) && <Mail {...part} />}
      {definitionOf(element, 'Timer') && <Timing {...part} />}
      {!sendsMail(element) && definitionOf(element, 'Message') && <Referred {...part} kind="Message" />}
      {definitionOf(element, 'Error') && <Referred {...part} kind="Error" />}
      {/^(Intermediate(Throw|Catch)|End)Event$/.test(kind) && <Statuses {...part} />}
    </>
  )
}

/** How many years the history of a case is kept, within the gate's limits. */
function History({ drawn, element, editing, disabled, t }: Part) {
  return (
    <Choice
      label={t('platform.studio-fact.history')}
      value={textOf(element, 'camunda:historyTimeToLive')}
      options={[5, 6, 7, 8, 9, 10].map((count) => {
        const value = `P${365 * count}D`
        return { value, label: timeInWords(value, t) }
      })}
      disabled={disabled}
      clears={false}
      onChange={(value) => editing.modeling.updateProperties(drawn, { 'camunda:historyTimeToLive': value })}
    />
  )
}

function Statuses({ drawn, element, editing, vocabulary, disabled, t }: Part) {
  const properties = propertiesOf(element)
  return vocabulary.statusLists.map(({ property, states }) => (
    <Choice
      key={property}
      label={
        property === 'status'
          ? t('platform.studio-fact.status')
          : t('platform.studio.status-of', { list: property.slice('status.'.length) })
      }
      help={t('platform.studio.status-help')}
      value={properties[property]}
      options={states.map(({ state, title }) => ({ value: state, label: title }))}
      disabled={disabled}
      onChange={(state) => withProperty(editing, drawn, property, state)}
    />
  ))
}
