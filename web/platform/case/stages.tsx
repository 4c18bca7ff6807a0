import type { Case } from '../api/types.ts'
import { useForm } from '../api/flows.ts'
import { useNow } from '../clock/now.ts'
import { outcomeText, refuses } from '../task/outcomes.ts'
import { meaningOf } from '../status/status.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import css from './case.module.css'

/** The way of a case in plain words: sent, what each desk said, who has it now and until when, how it ended. */
export function Stages({ of }: { of: Case }) {
  const { t } = useTexts()
  const { moment, due } = useFormats()
  const now = useNow()
  const decisions = of.submissions.filter(({ taskId, effect }) => taskId !== null && effect !== 'void')
  const refused = /reject|cancel|expired|withdrawn|lapsed/i.test(`${of.status.key} ${of.endReason ?? ''}`)
  return (
    <ol className={css['stages']} aria-label={t('platform.case.stages')}>
      <li data-stage="done">
        <strong>{t('platform.stage.sent')}</strong>
        <span>{moment(of.createdAt)}</span>
      </li>
      {decisions.map((decision) => (
        <Decision key={decision.id} decision={decision} />
      ))}
      {of.waitsWith.map((waiting) => {
        const until = waiting.dueAt ? due(waiting.dueAt, now) : undefined
        return (
          <li key={waiting.desk} data-stage="now" aria-current="step">
            <strong>{waiting.assignee?.name ?? waiting.principals.join(', ')}</strong>
            <span>
              {waiting.name}
              <br />
              {waiting.dueAt && until && !until.late
                ? t('platform.stage.expected', { moment: moment(waiting.dueAt) })
                : until
                  ? t('platform.stage.late', { due: until.text })
                  : t('platform.stage.since', { moment: moment(waiting.since) })}
            </span>
          </li>
        )
      })}
      {of.state === 'ended' && of.endedAt ? (
        <li data-stage={refused ? 'ended' : 'done'}>
          <strong>{of.endReason === 'withdrawn' ? t('platform.end.withdrawn') : of.status.text}</strong>
          <span>{moment(of.endedAt)}</span>
        </li>
      ) : of.state === 'failed' ? (
        <li data-stage="ended">
          <strong>{t('platform.stage.failed')}</strong>
          <span>{t('platform.stage.failed-detail')}</span>
        </li>
      ) : of.waitsWith.length > 0 ? null : meaningOf(of, undefined) === 'done' ? (
        <li data-stage="done" aria-current="step">
          <strong>{of.status.text}</strong>
        </li>
      ) : (
        <li data-stage="now" aria-current="step">
          <strong>{t('platform.stage.moving')}</strong>
          <span>{of.status.text}</span>
        </li>
      )}
    </ol>
  )
}

function Decision({ decision }: { decision: Case['submissions'][number] }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const form = useForm(decision.formHash).data
  return (
    <li data-stage={refuses(decision.outcome) ? 'ended' : 'done'}>
      <strong>{decision.by.name}</strong>
      <span>
        {outcomeText(form?.schema, decision.outcome, t)}
        <br />
        {moment(decision.at)}
      </span>
    </li>
  )
}
