import { Alert, Button, Input, Modal } from 'antd'
import { useState, type ReactNode } from 'react'
import { useParts, type Parts, type Scenario } from '../../../kernel/api/scenarios.ts'
import type { FormSchema } from '../../../kernel/client/types.ts'
import { useAct } from '../../../kernel/states/act.ts'
import { Skeleton } from '../../../kernel/states/skeleton.tsx'
import { Trouble } from '../../../kernel/states/trouble.tsx'
import { useTexts } from '../../../kernel/texts/texts.ts'
import css from './panel.module.css'
import type { Answer } from './shape.ts'
import { Given, OneOf } from './values.tsx'
import { Steps } from './steps.tsx'
import { Expected } from './expected.tsx'

interface EditorProps {
  process: string
  /** Whether it is about the open draft, not the deployed version. */
  draft: boolean
  scenario: Scenario
  onSave: (scenario: Scenario) => Promise<void>
  onCancel: () => void
}

/** Edits a scenario: its start values, each desk's answers in the desk's own form, and the expected course. */
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
          // oxlint-disable-next-line react/no-array-index-key -- an answer has no id
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
