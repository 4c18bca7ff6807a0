import { useTexts } from '../../../kernel/texts/texts.ts'
import { inputsOf, textOf, topicOf } from '../model/element.ts'
import css from './fields.module.css'
import { withInput } from './edit.ts'
import { Choice, TextField, type Option } from './field.tsx'
import type { Part } from './part.ts'

/** A service task: its topic and inputs. */
export function Step(part: Part) {
  const { drawn, element, editing, vocabulary, disabled, t } = part
  const topic = vocabulary.topics.find((one) => one.topic === topicOf(element))
  const inputs = inputsOf(element)
  const names = [...new Set([...Object.keys(inputs), ...(topic?.needs ?? [])])]
  const variables = vocabulary.variables.map(({ name }) => ({
    value: `\${${name}}`,
    label: t('platform.studio.value-of', { name }),
  }))
  return (
    <>
      <Choice
        label={t('platform.studio-fact.topic')}
        value={topicOf(element)}
        clears={false}
        options={vocabulary.topics
          .filter((one) => one.topic !== 'platform.send-mail')
          .map((one) => ({ value: one.topic, label: `${one.title} (${one.topic})` }))}
        disabled={disabled}
        onChange={(value) =>
          editing.modeling.updateProperties(drawn, { 'camunda:type': 'external', 'camunda:topic': value })
        }
      />
      {topic && topic.raises.length > 0 && (
        <p className={css['help']}>{t('platform.studio.raises', { errors: topic.raises.join(', ') })}</p>
      )}
      {names.map((name) => (
        <Given
          key={name}
          label={t('platform.studio.input', { name })}
          value={inputs[name]}
          known={vocabulary.variables.some((one) => one.name === name)}
          options={variables}
          disabled={disabled}
          onChange={(value) => withInput(editing, drawn, name, value)}
        />
      ))}
    </>
  )
}

interface GivenProps {
  label: string
  value: string | undefined
  /** The flow sets a variable of that name itself. */
  known: boolean
  options: readonly Option[]
  disabled: boolean
  onChange(value: string | undefined): void
}

/** An input of a step: a variable of the flow, or a text. */
function Given({ label, value, known, options, disabled, onChange }: GivenProps) {
  const { t } = useTexts()
  const words = value !== undefined && !value.startsWith('${')
  return (
    <>
      <Choice
        label={label}
        help={known && value === undefined && t('platform.studio.input-known')}
        value={words ? 'words' : value}
        options={[{ value: 'words', label: t('platform.studio.input-words') }, ...options]}
        disabled={disabled}
        onChange={(chosen) => onChange(chosen === 'words' ? t('platform.studio.input-words') : chosen)}
      />
      {words && (
        <TextField
          label={t('platform.studio.input-text', { label })}
          value={value}
          disabled={disabled}
          onChange={onChange}
        />
      )}
    </>
  )
}

export function Decision({ drawn, element, editing, vocabulary, disabled, t }: Part) {
  const chosen = textOf(element, 'camunda:decisionRef')
  const decision = vocabulary.decisions.find(({ id }) => id === chosen)
  return (
    <>
      <Choice
        label={t('platform.studio-fact.decision')}
        help={decision && t('platform.studio.reads', { names: decision.reads.join(', ') })}
        value={chosen}
        options={vocabulary.decisions.map(({ id, name }) => ({ value: id, label: name }))}
        disabled={disabled}
        clears={false}
        onChange={(id) =>
          editing.modeling.updateProperties(drawn, {
            'camunda:decisionRef': id,
            'camunda:decisionRefBinding': 'deployment',
            'camunda:mapDecisionResult': 'singleEntry',
          })
        }
      />
      <TextField
        label={t('platform.studio-fact.result')}
        value={textOf(element, 'camunda:resultVariable') ?? ''}
        disabled={disabled}
        onChange={(name) => editing.modeling.updateProperties(drawn, { 'camunda:resultVariable': name || undefined })}
      />
    </>
  )
}

export function Call({ drawn, element, editing, vocabulary, disabled, t }: Part) {
  return (
    <Choice
      label={t('platform.studio-fact.called')}
      value={textOf(element, 'calledElement')}
      options={vocabulary.calls.map((process) => ({ value: process, label: process }))}
      disabled={disabled}
      clears={false}
      onChange={(process) => editing.modeling.updateProperties(drawn, { calledElement: process })}
    />
  )
}
