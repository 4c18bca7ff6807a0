import { Button, Checkbox } from 'antd'
import { Fragment, type ReactNode } from 'react'
import type { ModelProblem, Vocabulary } from '../../../kernel/api/studio.ts'
import { useTexts, type Translate } from '../../../kernel/texts/texts.ts'
import type { CommandStack, Drawing, Drawn } from '../canvas/parts.ts'
import {
  candidatesOf,
  conditionOf,
  definitionOf,
  elementsOf,
  fourEyesOf,
  inputsOf,
  kindOf,
  partOf,
  propertiesOf,
  sendsMail,
  textOf,
  timerOf,
  topicOf,
  toRequester,
  writtenCandidates,
  type Element,
} from '../model/element.ts'
import { camelCase } from '../model/meaning.ts'
import { promiseProblem, promises, templateOf } from '../model/promise.ts'
import { timeInWords, titleOf } from '../model/naming.ts'
import css from '../studio.module.css'
import {
  withCondition,
  withInput,
  withProperties,
  withProperty,
  withReference,
  withTimer,
  type Editing,
} from './edit.ts'
import { Choice, Choices, SpanField, TextField, type Option } from './field.tsx'
import { promiseTimersOf } from './promise-timers.ts'

interface PanelProps {
  drawing: Drawing
  /** What is chosen on the canvas; the process where nothing is. */
  chosen: Drawn
  vocabulary: Vocabulary
  readOnly: boolean
  /** What is wrong with it. */
  problems: readonly ModelProblem[]
}

interface Part {
  drawn: Drawn
  element: Element
  editing: Editing
  commands: CommandStack
  vocabulary: Vocabulary
  disabled: boolean
  t: Translate
  /** Every element of the document, by id. */
  all: ReadonlyMap<string, Element>
}

/** What a flow may say of the element that is chosen, each thing chosen from what there is. */
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

/** What is wrong with it; all those who could decide here and may not are told, and named, at once: it may be a dozen. */
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

/** For how many years what a case did is kept: as few as the gate asks for, up to as many as it lets. */
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

/** A desk: whose it is, what it fills in, by when, and who may not act at it. */
function Desk(part: Part) {
  const { drawn, element, editing, vocabulary, disabled, t, all } = part
  const { modeling } = editing
  const form = vocabulary.forms.find(({ key }) => key === textOf(element, 'camunda:formKey'))
  const desks = [...all.values()].filter((one) => kindOf(one) === 'UserTask' && one.id !== element.id)
  const write = (name: string) => (value: string | undefined) =>
    modeling.updateProperties(drawn, { [`camunda:${name}`]: value })
  return (
    <>
      <Offered {...part} />
      <Choice
        label={t('platform.studio-fact.form')}
        help={
          form &&
          form.outcomes.length > 0 &&
          t('platform.studio.outcomes', { outcomes: form.outcomes.map(({ title }) => title).join(', ') })
        }
        value={textOf(element, 'camunda:formKey')}
        options={vocabulary.forms.map(({ key, title }) => ({ value: key, label: `${title} (${key})` }))}
        disabled={disabled}
        onChange={write('formKey')}
      />
      <Choice
        label={t('platform.studio-fact.due')}
        value={textOf(element, 'camunda:dueDate')}
        options={moments(part, textOf(element, 'camunda:dueDate'))}
        disabled={disabled}
        onChange={write('dueDate')}
      />
      <Promises {...part} />
      <Choices
        label={t('platform.studio-fact.four-eyes')}
        help={t('platform.studio.four-eyes-help')}
        value={fourEyesOf(element)}
        options={[
          { value: 'requester', label: t('platform.studio.requester') },
          ...desks.map((desk) => ({ value: desk.id, label: titleOf(desk, t) })),
        ]}
        disabled={disabled}
        onChange={(chosen) => withProperty(editing, drawn, 'fourEyes', chosen.join(','))}
      />
    </>
  )
}

/** When the person who has the task is reminded, and when those above are told. */
function Promises({ drawn, element, editing, commands, vocabulary, disabled, t }: Part) {
  const said = propertiesOf(element)
  const timers = promiseTimersOf(drawn)
  const mails =
    timers && Object.values(timers.mails).map((key) => vocabulary.mails.find((mail) => mail.key === key)?.title ?? key)
  return (
    <>
      {promises.map((which) => (
        <Fragment key={`${element.id} ${which}`}>
          <SpanField
            label={t(`platform.studio-fact.${which}`)}
            value={said[which]}
            problem={promiseProblem(which, said, t)}
            disabled={disabled}
            onChange={(value) =>
              // Nothing names the mail of a promise that is not made.
              withProperties(editing, drawn, { [which]: value, ...(!value && { [templateOf[which]]: undefined }) })
            }
          />
          {said[which] && (
            <Choice
              label={t(`platform.studio-fact.${which}-mail`)}
              help={!said[templateOf[which]] && t('platform.studio-promise.usual-mail')}
              value={said[templateOf[which]]}
              options={mailOptions(vocabulary)}
              disabled={disabled}
              onChange={(template) => withProperty(editing, drawn, templateOf[which], template)}
            />
          )}
        </Fragment>
      ))}
      {timers && (
        <div>
          <Button
            size="small"
            disabled={disabled}
            onClick={() => commands.execute('studio.turn-timers', { desk: drawn, timers })}
          >
            {t('platform.studio.turn-timers')}
          </Button>
          <p className={css['help']}>{t('platform.studio.turn-timers-help', { mails: mails?.join(', ') ?? '' })}</p>
        </div>
      )}
    </>
  )
}

/** Roles, each with the unit of the case that it must be held for. */
function Offered({ drawn, element, editing, vocabulary, disabled, t }: Part) {
  const candidates = candidatesOf(element)
  const options = [
    { value: toRequester, label: t('platform.studio.requester') },
    ...vocabulary.roles.flatMap(({ role, scopes }) => [
      { value: role, label: t('platform.studio.role-anywhere', { role }) },
      ...scopes.map(({ kind, variable }) => ({
        value: writtenCandidates([{ role, kind, variable }]),
        label: t('platform.studio.role-of', { role, kind }),
      })),
    ]),
  ]
  return (
    <Choices
      label={t('platform.studio-fact.offered')}
      value={candidates.map((one) => writtenCandidates([one]))}
      options={options}
      disabled={disabled}
      onChange={(chosen) =>
        editing.modeling.updateProperties(drawn, { 'camunda:candidateGroups': chosen.join(',') || undefined })
      }
    />
  )
}

/** The moments and lengths of time that a deadline or a timer may have, and the one that it has. */
function moments({ vocabulary, t }: Part, present: string | undefined): Option[] {
  const variables = vocabulary.variables.filter(
    ({ name, from }) => from === 'manifest' || /(At|Ends|Date|On)$/.test(name),
  )
  const values = [
    ...[
      '${workday1}',
      '${workday3}',
      'PT4H',
      'P1D',
      'P2D',
      'P3D',
      'P5D',
      'P7D',
      'P14D',
      'P21D',
      'P30D',
      'P60D',
      'P90D',
    ],
    ...variables.map(({ name }) => `\${${name}}`),
    ...(present === undefined ? [] : [present]),
  ]
  return [...new Set(values)].map((value) => ({ value, label: timeInWords(value, t) }))
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

/** A step that a worker does: which, and what it is given. */
function Step(part: Part) {
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
  /** The flow sets a variable of that name by itself. */
  known: boolean
  options: readonly Option[]
  disabled: boolean
  onChange(value: string | undefined): void
}

/** What a step is given: a variable of the flow, or words. */
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

const mailOptions = ({ mails }: Vocabulary): Option[] =>
  mails.map(({ key, title }) => ({ value: key, label: `${title} (${key})` }))

/** A mail: to whom, and which. */
function Mail({ drawn, element, editing, vocabulary, disabled, t, all }: Part) {
  const inputs = inputsOf(element)
  const desks = [...all.values()].filter((one) => kindOf(one) === 'UserTask')
  const recipients = [
    { value: 'requester', label: t('platform.studio.requester') },
    ...(['desk', 'above'] as const).flatMap((how) =>
      desks.map((desk) => ({
        value: `${how}:${desk.id}`,
        label: t(`platform.studio.to-${how}`, { desk: titleOf(desk, t) }),
      })),
    ),
  ]
  return (
    <>
      <Choice
        label={t('platform.studio-fact.to')}
        value={inputs['to']}
        options={recipients}
        disabled={disabled}
        clears={false}
        onChange={(to) => withInput(editing, drawn, 'to', to)}
      />
      <Choice
        label={t('platform.studio-fact.mail')}
        value={inputs['template']}
        options={mailOptions(vocabulary)}
        disabled={disabled}
        clears={false}
        onChange={(template) => withInput(editing, drawn, 'template', template)}
      />
      <Checkbox
        checked={inputs['calendar'] === 'true'}
        disabled={disabled}
        onChange={({ target }) => withInput(editing, drawn, 'calendar', target.checked ? 'true' : undefined)}
      >
        {t('platform.studio.with-calendar')}
      </Checkbox>
    </>
  )
}

/** When a timer fires, and whether what it stands on goes on. */
function Timing(part: Part) {
  const { drawn, element, editing, disabled, t } = part
  const timer = timerOf(element)
  const attached = partOf(element, 'attachedToRef')
  return (
    <>
      <Choice
        label={t('platform.studio-fact.timer')}
        value={timer?.value}
        options={moments(part, timer?.value)}
        disabled={disabled}
        clears={false}
        onChange={(value) => {
          if (value) withTimer(editing, drawn, { kind: value.startsWith('P') ? 'timeDuration' : 'timeDate', value })
        }}
      />
      {attached && (
        <p className={css['help']}>
          {textOf(element, 'cancelActivity') === 'false' ? t('platform.studio.goes-on') : t('platform.studio.stops')}
        </p>
      )}
    </>
  )
}

/** A message that is waited for, or an error that is caught or thrown. */
function Referred({ drawn, element, editing, vocabulary, disabled, t, kind }: Part & { kind: 'Message' | 'Error' }) {
  const definition = definitionOf(element, kind)
  const root = definition && partOf(definition, kind === 'Message' ? 'messageRef' : 'errorRef')
  const known = kind === 'Message' ? vocabulary.messages : vocabulary.errors
  return (
    <Choice
      label={kind === 'Message' ? t('platform.studio-fact.message') : t('platform.studio-fact.error')}
      value={root && (kind === 'Message' ? root.name : textOf(root, 'errorCode'))}
      options={known.map((value) => ({ value, label: value }))}
      disabled={disabled}
      clears={false}
      onChange={(value) => {
        if (value) withReference(editing, drawn, kind, value, camelCase(value.replace(/^.*\./, '')))
      }}
    />
  )
}

function Decision({ drawn, element, editing, vocabulary, disabled, t }: Part) {
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

function Call({ drawn, element, editing, vocabulary, disabled, t }: Part) {
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

/** A way out of a gateway: the answer of a desk, chosen, or a condition in FEEL. */
function Way({ drawn, element, editing, vocabulary, disabled, t, all }: Part) {
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

/** Which way is taken where no condition holds. */
function Otherwise({ drawn, element, editing, disabled, t }: Part) {
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
