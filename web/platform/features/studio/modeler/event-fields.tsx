import { Checkbox } from 'antd'
import { definitionOf, inputsOf, kindOf, partOf, textOf, timerOf } from '../model/element.ts'
import { camelCase } from '../model/meaning.ts'
import { titleOf } from '../model/naming.ts'
import css from './fields.module.css'
import { withInput, withReference, withTimer } from './edit.ts'
import { Choice } from './field.tsx'
import type { Part } from './part.ts'
import { moments, mailOptions } from './options.ts'

/** An email: recipient and template. */
export function Mail({ drawn, element, editing, vocabulary, disabled, t, all }: Part) {
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

/** When a timer fires, and whether it interrupts its activity. */
export function Timing(part: Part) {
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

/** The message that an event waits for, or the error that it catches or throws. */
export function Referred({
  drawn,
  element,
  editing,
  vocabulary,
  disabled,
  t,
  kind,
}: Part & { kind: 'Message' | 'Error' }) {
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
