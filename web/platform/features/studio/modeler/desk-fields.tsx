import { Button } from 'antd'
import { Fragment } from 'react'
import {
  candidatesOf,
  fourEyesOf,
  kindOf,
  propertiesOf,
  textOf,
  toRequester,
  writtenCandidates,
} from '../model/element.ts'
import { promiseProblem, promises, templateOf } from '../model/promise.ts'
import { titleOf } from '../model/naming.ts'
import css from './fields.module.css'
import { withProperties, withProperty } from './edit.ts'
import { Choice, Choices, SpanField } from './field.tsx'
import { promiseTimersOf } from './promise-timers.ts'
import type { Part } from './part.ts'
import { moments, mailOptions } from './options.ts'

/** A desk: candidates, form, due time, and who may not act at it. */
export function Desk(part: Part) {
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

/** When the assignee is reminded, and when the task escalates. */
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
              // Without a reminder or escalation its template property goes too.
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

/** Candidate roles, each with the unit of the case for which they must be held. */
function Offered({ drawn, element, editing, vocabulary, disabled, t }: Part) {
  const candidates = candidatesOf(element)
  const options = [
    { value: toRequester, label: t('platform.studio.requester') },
    ...vocabulary.people.map(({ candidate, title }) => ({ value: candidate, label: title })),
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
