import type { ReactNode } from 'react'
import type { CaseThen } from '../../kernel/api/audit.ts'
import table from '../../people/people/people.module.css'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './audit.module.css'
import { Who } from './entry-table.tsx'
import { HowEnded } from './how-ended.tsx'
import { Part, Rows } from './then-rows.tsx'
import { Compared } from './then-compared.tsx'

const MINUTE_MS = 60_000

/** Everything known about a case at a moment. */
export function Then({ then }: { then: CaseThen }) {
  const { t } = useTexts()
  const { dateTime } = useFormats()
  // Gateways and automatic steps fill most of a diagram and matter little to an auditor.
  const long = then.elements.filter(isNoteworthy)
  const mark: Mark = (part, id) => {
    const found = then.unlike.find((one) => one.part === part && one.id === id)
    return found && <strong className={css.missing}>{t(`platform.audit-unlike.mark.${found.how}`)}</strong>
  }
  const passing = then.elements.filter((one) => !isNoteworthy(one))
  return (
    <>
      <Compared unlike={then.unlike} />
      <dl className={`${table.facts} ${css.about}`}>
        <dt>{t('platform.audit-head.status')}</dt>
        <dd>
          {then.statuses.map(({ status }) => status.text).join(', ')}
          <HowEnded {...then} />
        </dd>
        <dt>{t('platform.audit-head.requester')}</dt>
        <dd>
          <Who by={then.requester} authority={null} for={null} />
        </dd>
        <dt>{t('platform.audit-head.with')}</dt>
        <dd>
          <With tasks={then.tasks} ended={then.endedAt !== null} />
        </dd>
      </dl>

      <Part title="data" empty={then.data.length === 0}>
        <dl className={table.facts}>
          {then.data.map(({ field, label, value, sensitive }) => (
            <div key={field} className={css.pair}>
              <dt>
                {label}
                {sensitive && <small className={css.soft}>{t('platform.audit-sensitive')}</small>}
              </dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Part>

      <Changes submissions={then.submissions} />

      <Sent submissions={then.submissions} mark={mark} />

      <Tasks tasks={then.tasks} mark={mark} />

      <Decisions decisions={then.decisions} />

      <Part title="times" empty={then.elements.length === 0}>
        {long.length > 0 && <Times of={long} mark={mark} />}
        {passing.length > 0 && (
          <details>
            <summary>{t('platform.audit-then.passing', { count: passing.length })}</summary>
            <Times of={passing} mark={mark} />
          </details>
        )}
      </Part>

      <Part title="mails" empty={then.mails.length === 0}>
        <Rows
          columns={['at', 'recipient', 'subject', 'sent']}
          rows={then.mails.map((one, n) => [
            String(n),
            dateTime(one.at),
            one.recipient,
            one.subject,
            one.sentAt === null ? t('platform.audit-not-sent') : dateTime(one.sentAt),
          ])}
        />
      </Part>

      <Part title="documents" empty={then.documents.length === 0}>
        <Rows
          columns={['at', 'number', 'kind']}
          rows={then.documents.map((one) => [
            one.number,
            dateTime(one.issuedAt),
            one.number,
            one.ended ? t('platform.audit-ended', { kind: one.kind }) : one.kind,
          ])}
        />
      </Part>

      <Part title="readers" empty={then.readers.length === 0}>
        <Rows
          columns={['at', 'who', 'fields']}
          rows={then.readers.map((one, n) => [
            String(n),
            dateTime(one.at),
            <Who key="who" by={one.by} authority={one.authority} for={null} />,
            one.fields.join(', '),
          ])}
        />
      </Part>

      <Versions versions={then.versions} />
    </>
  )
}

/** Corrections of submitted values, one by one. */
function Changes({ submissions }: Pick<CaseThen, 'submissions'>) {
  const { dateTime } = useFormats()
  const changes = submissions.flatMap(({ changes: some, at, id }) =>
    (some ?? []).map((one) => ({ ...one, at, key: `${id}${one.field}` })),
  )
  return (
    <Part title="changes" empty={changes.length === 0}>
      <Rows
        columns={['at', 'field', 'before', 'after']}
        rows={changes.map((one) => [
          one.key,
          dateTime(one.at),
          one.label,
          one.before === null ? '–' : <del key="before">{one.before}</del>,
          one.after === null ? '–' : <ins key="after">{one.after}</ins>,
        ])}
      />
    </Part>
  )
}

/** What was sent at which step, and who sent it. */
function Sent({ submissions, mark }: Pick<CaseThen, 'submissions'> & { mark: Mark }) {
  const { t } = useTexts()
  const { dateTime } = useFormats()
  return (
    <Part title="sent" empty={submissions.length === 0}>
      <Rows
        columns={['at', 'form', 'who', 'said']}
        rows={submissions.map((one) => [
          one.id,
          dateTime(one.at),
          <span key="title">
            {one.title}
            {mark('sent', one.id)}
            {one.void && <small className={css.soft}>{t('platform.audit-void', { reason: one.void })}</small>}
          </span>,
          <Who key="who" {...one} />,
          <details key="said">
            <summary>{t('platform.audit-fields', { count: one.fields.length })}</summary>
            {one.fields.map(({ field, label, value }) => (
              <p key={field}>
                <span className={css.soft}>{label}</span> {value}
              </p>
            ))}
          </details>,
        ])}
      />
    </Part>
  )
}

/** Where the case waited, and who for. */
function Tasks({ tasks, mark }: Pick<CaseThen, 'tasks'> & { mark: Mark }) {
  const { t } = useTexts()
  const { dateTime } = useFormats()
  return (
    <Part title="tasks" empty={tasks.length === 0}>
      <Rows
        columns={['desk', 'roles', 'since', 'state']}
        rows={tasks.map((one) => [
          one.id,
          <span key="name">
            {one.name}
            {mark('tasks', one.id) ?? mark('titles', one.id)}
          </span>,
          one.roles.join(', '),
          dateTime(one.since),
          one.state === 'decided'
            ? t('platform.audit-task.decided', {
                name: one.decidedBy,
                outcome: one.outcome ?? t('platform.history.done'),
                at: dateTime(one.decidedAt ?? one.since),
              })
            : t(`platform.audit-task.${one.state}`, { name: one.holder }),
        ])}
      />
    </Part>
  )
}

/** The decision tables that were evaluated: inputs and results. */
function Decisions({ decisions }: Pick<CaseThen, 'decisions'>) {
  const { dateTime } = useFormats()
  return (
    <Part
      title="decisions"
      none={decisions === null ? 'platform.audit-decisions-away' : undefined}
      empty={!decisions?.length}
    >
      <Rows
        columns={['at', 'table', 'asked', 'answered']}
        rows={(decisions ?? []).flatMap((one) =>
          one.rows.map((row, n) => [
            `${one.at}${n}`,
            dateTime(one.at),
            <span key="table">
              {one.name}
              {row.rule && <small className={css.soft}>{row.rule}</small>}
            </span>,
            row.inputs.map(({ name, value }) => `${name}: ${value}`).join(', '),
            row.outputs.map(({ name, value }) => `${name}: ${value}`).join(', '),
          ]),
        )}
      />
    </Part>
  )
}

/** The versions of model and forms that the case used. */
function Versions({ versions }: Pick<CaseThen, 'versions'>) {
  const { t } = useTexts()
  const { dateTime } = useFormats()
  return (
    <Part title="versions" empty={false}>
      <p>
        {t('platform.audit-version', {
          version: versions.model.version,
          at: dateTime(versions.model.deployedAt),
          hash: versions.model.hash.slice(0, 16),
        })}
      </p>
      <details>
        <summary>{t('platform.audit-then.forms')}</summary>
        <Rows
          columns={['form', 'hash']}
          rows={versions.forms.map(({ key, title, hash }) => [key, title, <code key="hash">{hash.slice(0, 16)}</code>])}
        />
      </details>
    </Part>
  )
}

/** Marks what differs from what was sealed, or was never sealed. */
type Mark = (part: CaseThen['unlike'][number]['part'], id: string) => ReactNode

/** Whether a step took time, or was passed more than once. */
function isNoteworthy({ milliseconds, passes }: CaseThen['elements'][number]): boolean {
  return milliseconds >= MINUTE_MS || passes > 1
}

function Times({ of, mark }: { of: CaseThen['elements']; mark: Mark }) {
  const { t } = useTexts()
  const { duration } = useFormats()
  return (
    <Rows
      columns={['element', 'passes', 'took']}
      rows={of.map((one) => [
        one.element,
        <span key="name">
          {one.name}
          {mark('times', one.element)}
        </span>,
        String(one.passes),
        one.milliseconds < MINUTE_MS ? t('platform.audit-at-once') : duration(one.milliseconds),
      ])}
    />
  )
}

/** The people or roles that the case waited for. */
function With({ tasks, ended }: { tasks: CaseThen['tasks']; ended: boolean }) {
  const { t } = useTexts()
  const waiting = tasks.filter(({ state }) => state === 'open' || state === 'held')
  if (waiting.length === 0) return t(ended ? 'platform.audit-nobody-any-more' : 'platform.audit-nobody')
  return waiting.map(({ id, name, holder, roles }) => (
    <div key={id}>
      {holder ?? roles.join(', ')}
      <small className={css.soft}>{name}</small>
    </div>
  ))
}
