import { Alert, Button, Input, InputNumber, Modal, Radio, Select } from 'antd'
import { useId, useState, type ReactNode } from 'react'
import { useParts, type Parts, type Scenario } from '../../../kernel/api/scenarios.ts'
import type { FormSchema } from '../../../kernel/client/types.ts'
import type { FormValue } from '../../../kernel/form/conditions.ts'
import { PlainSelect } from '../../../kernel/form/plain-select.tsx'
import { SchemaForm } from '../../../kernel/form/schema-form.tsx'
import { useAct } from '../../../kernel/states/act.ts'
import { Skeleton } from '../../../kernel/states/skeleton.tsx'
import { Trouble } from '../../../kernel/states/trouble.tsx'
import { useTexts } from '../../../kernel/texts/texts.ts'
import { asDuration, durationOf, unitNames, type Unit } from '../model/duration.ts'
import css from './panel.module.css'
import {
  asLists,
  besides,
  distinct,
  firstOf,
  kindOf,
  valuesOf,
  type Answer,
  type Step,
  type StepKind,
  type Values,
} from './shape.ts'

interface EditorProps {
  process: string
  /** Whether it is about the open draft, and not the version that runs. */
  draft: boolean
  scenario: Scenario
  onSave: (scenario: Scenario) => Promise<void>
  onCancel: () => void
}

/** A story of a case filled in: what it begins with, what each desk answers in its own form, and how it should go. */
export function ScenarioEditor({ process, draft, scenario, onSave, onCancel }: EditorProps) {
  const { t } = useTexts()
  const { data: parts, error, mutate } = useParts(process, draft)
  const [edited, setEdited] = useState(scenario)
  const act = useAct()
  const change = (part: Partial<Scenario>) => setEdited({ ...edited, ...part })
  return (
    <Modal
      open
      title={t('platform.studio-scenarios.scenario')}
      okText={t('platform.studio-scenarios.save')}
      cancelText={t('platform.cancel')}
      okButtonProps={{ disabled: !parts || edited.name.trim() === '', loading: act.busy }}
      onOk={() => void act.run(() => onSave({ ...edited, name: edited.name.trim() }))}
      onCancel={onCancel}
      width={760}
    >
      <div className={css['editor']}>
        <label className={css['field']}>
          {t('platform.studio-scenarios.name')}
          <Input value={edited.name} maxLength={200} onChange={({ target }) => change({ name: target.value })} />
        </label>
        {parts ? (
          <Filled parts={parts} scenario={edited} onChange={change} />
        ) : error ? (
          <Trouble error={error} onRetry={() => void mutate()} />
        ) : (
          <Skeleton lines={8} />
        )}
        {act.refusal && <Alert type="error" showIcon role="alert" title={act.refusal} />}
      </div>
    </Modal>
  )
}

interface FilledProps {
  parts: Parts
  scenario: Scenario
  onChange(part: Partial<Scenario>): void
}

function Filled({ parts, scenario, onChange }: FilledProps) {
  const { t } = useTexts()
  const { start = {}, steps, topics = {}, expect } = scenario
  return (
    <>
      <Part title={t('platform.studio-scenarios.begins')} help={t('platform.studio-scenarios.begins-help')}>
        <Given
          schema={parts.start as FormSchema}
          moments={parts.moments}
          values={start}
          after={(name) => t('platform.studio-scenarios.moment', { name })}
          onChange={(values) => onChange({ start: values })}
        />
      </Part>
      <Part title={t('platform.studio-scenarios.happens')}>
        <Steps parts={parts} steps={steps} onChange={(changed) => onChange({ steps: changed })} />
      </Part>
      {parts.topics.length > 0 && (
        <Part title={t('platform.studio-scenarios.answers')} help={t('platform.studio-scenarios.answers-help')}>
          {parts.topics.map((topic) => (
            <Topic
              key={topic.id}
              topic={topic}
              answers={[topics[topic.id] ?? []].flat()}
              onChange={(answers) => {
                const { [topic.id]: _before, ...others } = topics
                onChange({ topics: answers.length > 0 ? { ...others, [topic.id]: answers } : others })
              }}
            />
          ))}
        </Part>
      )}
      <Part title={t('platform.studio-scenarios.expected')}>
        <Expected parts={parts} expect={expect} onChange={(changed) => onChange({ expect: changed })} />
      </Part>
    </>
  )
}

function Part({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  return (
    <fieldset className={css['part']}>
      <legend>{title}</legend>
      {help && <p className={css['help']}>{help}</p>}
      {children}
    </fieldset>
  )
}

interface GivenProps {
  schema: FormSchema
  moments: readonly Named[]
  values: Values
  /** What a moment is called as a length of time. */
  after(name: string): string
  onChange(values: Values): void
}

/** Values of variables: the fields of a form, moments as lengths of time, and whatever was recorded besides. */
function Given({ schema, moments, values, after, onChange }: GivenProps) {
  const set = (name: string, value?: string) => onChange(valuesOf({ ...values, [name]: value }))
  const known = moments.map(({ id }) => id)
  return (
    <>
      <Fields schema={schema} values={values} onChange={onChange} />
      {moments.map(({ id, name }) => (
        <Moment key={id} label={after(name)} value={values[id]} onChange={(value) => set(id, value)} />
      ))}
      <Besides names={besides(values, schema, known)} values={values} onDrop={set} />
    </>
  )
}

/** What of a form steers the way, as the form itself asks for it. */
function Fields({ schema, values, onChange }: { schema: FormSchema; values: Values; onChange(values: Values): void }) {
  if (Object.keys(schema.properties ?? {}).length === 0) return null
  return (
    <div className={css['fields']}>
      <SchemaForm
        form={{ key: 'scenario', schema: asLists(schema, values) }}
        value={values}
        onChange={(value: FormValue) => onChange(valuesOf(value))}
      />
    </div>
  )
}

/** Values that no field asks for: kept as they were recorded, until they are dropped. */
function Besides({ names, values, onDrop }: { names: string[]; values: Values; onDrop(name: string): void }) {
  const { t } = useTexts()
  if (names.length === 0) return null
  return (
    <details className={css['besides']}>
      <summary>{t('platform.studio-scenarios.besides', { count: names.length })}</summary>
      <ul>
        {names.map((name) => (
          <li key={name}>
            {name}: {String(values[name])}{' '}
            <Button
              size="small"
              type="text"
              aria-label={t('platform.studio-scenarios.drop', { name })}
              onClick={() => onDrop(name)}
            >
              ×
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** So long after the case begins, or after the step. */
function Moment({ label, value, onChange }: { label: string; value: unknown; onChange(value?: string): void }) {
  const { t } = useTexts()
  const relative = typeof value === 'string' && value.startsWith('+P') ? value.slice(1) : undefined
  return (
    <div className={css['field']}>
      <span>{label}</span>
      {typeof value === 'string' && relative === undefined ? (
        <span>
          {value}{' '}
          <Button size="small" onClick={() => onChange('+P1D')}>
            {t('platform.studio-scenarios.set-anew')}
          </Button>
        </span>
      ) : (
        <Duration label={label} value={relative} onChange={(duration) => onChange(duration && `+${duration}`)} />
      )}
    </div>
  )
}

interface DurationProps {
  label: string
  value: string | undefined
  onChange(value?: string): void
}

function Duration({ label, value, onChange }: DurationProps) {
  const { t } = useTexts()
  const { count, unit } = value === undefined ? { count: null, unit: 'days' as Unit } : durationOf(value)
  return (
    <span className={css['duration']}>
      <InputNumber
        min={0}
        max={100_000}
        precision={0}
        value={count}
        aria-label={label}
        onChange={(changed) => onChange(changed === null ? undefined : asDuration(changed, unit))}
      />
      <PlainSelect
        value={unit}
        aria-label={t('platform.studio-scenarios.unit')}
        onChange={({ target }) => onChange(asDuration(count ?? 1, target.value as Unit))}
      >
        {unitNames.map((one) => (
          <option key={one} value={one}>
            {t(`platform.studio-scenarios.unit.${one}`)}
          </option>
        ))}
      </PlainSelect>
    </span>
  )
}

interface Named {
  id: string
  name: string
}

interface OneOfProps {
  label: string
  of: readonly Named[]
  value: string | undefined
  /** Said where nothing is chosen. */
  open?: string
  onChange(id: string): void
}

/** A choice among what the diagram has; what it no longer has is still named. */
function OneOf({ label, of, value, open, onChange }: OneOfProps) {
  const known = distinct(of)
  const gone = value !== undefined && !known.some(({ id }) => id === value)
  return (
    <PlainSelect value={value ?? ''} aria-label={label} onChange={({ target }) => onChange(target.value)}>
      {open !== undefined && <option value="">{open}</option>}
      {gone && <option value={value}>{value}</option>}
      {known.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </PlainSelect>
  )
}

const stepKinds: readonly StepKind[] = ['desk', 'passes', 'fires', 'message']

function Steps({ parts, steps, onChange }: { parts: Parts; steps: Step[]; onChange(steps: Step[]): void }) {
  const { t } = useTexts()
  const moved = (from: number, to: number) => {
    const others = steps.toSpliced(from, 1)
    onChange(others.toSpliced(to, 0, steps[from]!))
  }
  return (
    <>
      <ol className={css['steps']}>
        {steps.map((step, at) => (
          // A step has nothing by which it could be known but its place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${at}-${kindOf(step)}`} className={css['step']}>
            <div>
              <OneStep parts={parts} step={step} onChange={(changed) => onChange(steps.with(at, changed))} />
              <span className={css['rowActs']}>
                <Button
                  size="small"
                  type="text"
                  disabled={at === 0}
                  aria-label={t('platform.studio-scenarios.earlier', { step: at + 1 })}
                  onClick={() => moved(at, at - 1)}
                >
                  ↑
                </Button>
                <Button
                  size="small"
                  type="text"
                  disabled={at === steps.length - 1}
                  aria-label={t('platform.studio-scenarios.later', { step: at + 1 })}
                  onClick={() => moved(at, at + 1)}
                >
                  ↓
                </Button>
                <Button
                  size="small"
                  type="text"
                  aria-label={t('platform.studio-scenarios.remove', { step: at + 1 })}
                  onClick={() => onChange(steps.toSpliced(at, 1))}
                >
                  ×
                </Button>
              </span>
            </div>
          </li>
        ))}
      </ol>
      <div className={css['rowActs']}>
        {stepKinds.map((kind) => {
          const added = firstOf(kind, parts)
          return (
            added && (
              <Button key={kind} size="small" onClick={() => onChange([...steps, added])}>
                {t(`platform.studio-scenarios.add.${kind}`)}
              </Button>
            )
          )
        })}
      </div>
    </>
  )
}

function OneStep({ parts, step, onChange }: { parts: Parts; step: Step; onChange(step: Step): void }) {
  const { t } = useTexts()
  const label = t(`platform.studio-scenarios.step.${kindOf(step)}`)
  if ('passes' in step)
    return (
      <div className={css['body']}>
        <div className={css['what']}>
          <span>{label}</span>
          <Duration label={label} value={step.passes} onChange={(passes) => onChange({ passes: passes ?? 'P0D' })} />
        </div>
      </div>
    )
  if ('fires' in step)
    return (
      <div className={css['body']}>
        <div className={css['what']}>
          <span>{label}</span>
          <OneOf label={label} of={parts.timers} value={step.fires} onChange={(fires) => onChange({ fires })} />
        </div>
      </div>
    )
  const isDesk = 'desk' in step
  const chosen = isDesk ? step.desk : step.message
  const all = isDesk ? parts.desks : parts.messages
  const schema = (all.find(({ id }) => id === chosen)?.form ?? {}) as FormSchema
  const { variables = {} } = step
  const values: Values = { ...variables, ...(isDesk && step.outcome !== undefined && { outcome: step.outcome }) }
  const change = ({ outcome, ...others }: Values) => {
    const given = Object.keys(others).length > 0 && { variables: others }
    if (!isDesk) return onChange({ message: step.message, ...given })
    onChange({ desk: step.desk, ...(typeof outcome === 'string' && { outcome }), ...given })
  }
  return (
    <div className={css['body']}>
      <div className={css['what']}>
        <span>{label}</span>
        <OneOf
          label={label}
          of={all}
          value={chosen}
          onChange={(id) => onChange(isDesk ? { desk: id } : { message: id })}
        />
      </div>
      <Fields schema={schema} values={values} onChange={change} />
      <Besides
        names={besides(variables, schema)}
        values={variables}
        onDrop={(name) => change(valuesOf({ ...values, [name]: undefined }))}
      />
    </div>
  )
}

interface TopicProps {
  topic: Parts['topics'][number]
  answers: Answer[]
  onChange(answers: Answer[]): void
}

/** What the worker of a topic answers, the first time and each time after it. */
function Topic({ topic: { name, form, moments, raises }, answers, onChange }: TopicProps) {
  const { t } = useTexts()
  const outcomes = raises.map((code) => ({ id: code, name: t('platform.studio-scenarios.raises', { code }) }))
  return (
    <fieldset className={css['part']}>
      <legend>{name}</legend>
      <ol className={css['steps']}>
        {answers.map((answer, at) => (
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at} className={css['step']}>
            <div>
              <div className={css['body']}>
                {outcomes.length > 0 && (
                  <OneOf
                    label={name}
                    of={outcomes}
                    value={answer.raises}
                    open={t('platform.studio-scenarios.goes-well')}
                    onChange={(code) => onChange(answers.with(at, code === '' ? {} : { raises: code }))}
                  />
                )}
                {answer.raises === undefined && (
                  <Given
                    schema={form as FormSchema}
                    moments={moments}
                    values={answer.gives ?? {}}
                    after={(moment) => t('platform.studio-scenarios.moment-after', { name: moment })}
                    onChange={(gives) => onChange(answers.with(at, { gives }))}
                  />
                )}
              </div>
              <Button
                size="small"
                type="text"
                aria-label={t('platform.studio-scenarios.drop', { name })}
                onClick={() => onChange(answers.toSpliced(at, 1))}
              >
                ×
              </Button>
            </div>
          </li>
        ))}
      </ol>
      <Button size="small" onClick={() => onChange([...answers, {}])}>
        {t(answers.length === 0 ? 'platform.studio-scenarios.answer' : 'platform.studio-scenarios.next-answer')}
      </Button>
    </fieldset>
  )
}

interface ExpectedProps {
  parts: Parts
  expect: Scenario['expect']
  onChange(expect: Scenario['expect']): void
}

/** The statuses in their order, and where the case is in the end. */
function Expected({ parts, expect, onChange }: ExpectedProps) {
  const { t } = useTexts()
  const id = useId()
  const { statuses, end, at } = expect
  const [choice, setChoice] = useState(end !== undefined ? 'end' : at !== undefined ? 'at' : 'any')
  const given = statuses && { statuses }
  return (
    <>
      {parts.statusLists.map((list) => (
        <Statuses
          key={list.id}
          list={list}
          states={statuses?.[list.id]}
          onChange={(states) => {
            const { [list.id]: _before, ...others } = statuses ?? {}
            const { statuses: _all, ...rest } = expect
            const next = states === undefined ? others : { ...others, [list.id]: states }
            onChange({ ...rest, ...(Object.keys(next).length > 0 && { statuses: next }) })
          }}
        />
      ))}
      <p id={id} className={css['label']}>
        {t('platform.studio-scenarios.in-the-end')}
      </p>
      <Radio.Group
        aria-labelledby={id}
        value={choice}
        onChange={({ target }) => {
          setChoice(target.value as string)
          onChange({
            ...given,
            ...(target.value === 'at' && { at: [] }),
            ...(target.value === 'end' && parts.ends[0] && { end: parts.ends[0].id }),
          })
        }}
      >
        {['end', 'at', 'any'].map((one) => (
          <Radio key={one} value={one}>
            {t(`platform.studio-scenarios.expect.${one}`)}
          </Radio>
        ))}
      </Radio.Group>
      {choice === 'end' && (
        <OneOf
          label={t('platform.studio-scenarios.expect.end')}
          of={parts.ends}
          value={end}
          onChange={(chosen) => onChange({ ...given, end: chosen })}
        />
      )}
      {choice === 'at' && (
        <Select
          mode="multiple"
          value={at ?? []}
          aria-label={t('platform.studio-scenarios.expect.at')}
          placeholder={t('platform.studio-scenarios.no-desk')}
          options={distinct(parts.desks).map(({ id: value, name: label }) => ({ value, label }))}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={(chosen) => onChange({ ...given, at: chosen })}
        />
      )}
    </>
  )
}

interface StatusesProps {
  list: Parts['statusLists'][number]
  /** Undefined where it does not matter. */
  states: string[] | undefined
  onChange(states: string[] | undefined): void
}

function Statuses({ list, states, onChange }: StatusesProps) {
  const { t } = useTexts()
  const { name } = list
  return (
    <fieldset className={css['statuses']}>
      <legend>{t('platform.studio-scenarios.statuses', { name })}</legend>
      <ol className={css['way']}>
        {(states ?? []).map((state, at) => (
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>
            <OneOf
              label={t('platform.studio-scenarios.status', { name, place: at + 1 })}
              of={list.states}
              value={state}
              onChange={(chosen) => onChange((states ?? []).with(at, chosen))}
            />
            <Button
              size="small"
              type="text"
              aria-label={t('platform.studio-scenarios.drop', {
                name: list.states.find(({ id }) => id === state)?.name ?? state,
              })}
              onClick={() => {
                const left = (states ?? []).toSpliced(at, 1)
                onChange(left.length > 0 ? left : undefined)
              }}
            >
              ×
            </Button>
          </li>
        ))}
      </ol>
      <Button
        size="small"
        onClick={() => {
          const next = states === undefined ? (list.first ?? list.states[0]?.id) : list.states[0]?.id
          if (next !== undefined) onChange([...(states ?? []), next])
        }}
      >
        {t(
          states === undefined ? 'platform.studio-scenarios.expect-statuses' : 'platform.studio-scenarios.next-status',
        )}
      </Button>
    </fieldset>
  )
}
