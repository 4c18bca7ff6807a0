import type { Case, HistoryEntry } from '../../kernel/client/types.ts'
import { useForm } from '../../kernel/api/flows.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { outcomeText, refuses, returns } from './outcomes.ts'
import { meaningOf, statusWords } from '../../kernel/status/status.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './case.module.css'
import { useLastSteps } from './last-steps.tsx'

type Submission = Case['submissions'][number]
/** What the stages show. */
export type Staged = Pick<
  Case,
  | 'createdAt'
  | 'endedAt'
  | 'endReason'
  | 'requester'
  | 'sentBy'
  | 'state'
  | 'status'
  | 'statuses'
  | 'submissions'
  | 'waitsWith'
>
type Passed = { at: string; decision: Submission } | { at: string; words: string }

/** More than these do not fit side by side. */
const beside = 4

/** The submission that started the case. */
export const requestOf = ({ submissions }: Pick<Case, 'submissions'>) =>
  submissions.find(({ taskId, act, effect }) => taskId === null && act === null && effect !== 'void')

/** Who opened the case for its requester, who then sends the form at a desk of their own. */
export const openerOf = (of: Pick<Case, 'requester' | 'sentBy' | 'submissions'>) => {
  const by = requestOf(of)?.by
  return of.sentBy === null && by && by.id !== of.requester.id ? by : undefined
}

/**
 * The stages of a case: sent, decisions and the resulting statuses, who has it now and until when, how it ended. The
 * statuses come from the history, which reads them from the diagram.
 */
export function Stages({
  of,
  history,
  asked = [],
}: {
  of: Staged
  history: readonly HistoryEntry[]
  /** The requester's own waiting tasks. */
  asked?: readonly string[]
}) {
  const { t } = useTexts()
  const { moment, due } = useFormats()
  const now = useNow()
  const request = requestOf(of)
  const decisions = of.submissions.filter((each) => each.effect !== 'void' && each.id !== request?.id)
  const opener = openerOf(of)
  const corrects = (each: Submission) => each.formKey === request?.formKey
  const first = opener && decisions.find(corrects)
  // The last stage shows the present status.
  const said = new Set(of.state === 'ended' || of.waitsWith.length === 0 ? [of.status.text] : [])
  const became = history.filter(({ kind, status }) => kind === 'status' && status && !said.has(status))
  const passed: Passed[] = [
    ...decisions.map((decision) => ({ at: decision.at, decision })),
    ...became.map(({ at, status = '' }) => ({ at, words: status })),
  ].sort((a, b) => a.at.localeCompare(b.at))
  const { shown, before } = useLastSteps(passed)
  return (
    <ol
      className={css['stages']}
      data-many={passed.length + Math.max(1, of.waitsWith.length) >= beside || undefined}
      aria-label={t('platform.case.stages')}
    >
      <li data-stage="done">
        <strong>{t(opener ? 'platform.stage.opened' : 'platform.stage.sent')}</strong>
        <span>{moment(of.createdAt)}</span>
      </li>
      {before}
      {shown.map((each) =>
        'decision' in each ? (
          <Decision
            key={each.decision.id}
            decision={each.decision}
            sends={
              each.decision === first
                ? 'platform.stage.sent'
                : corrects(each.decision)
                  ? 'platform.stage.corrected'
                  : undefined
            }
          />
        ) : (
          <li key={`${each.at} ${each.words}`} data-stage="done">
            <strong>{each.words}</strong>
            <span>{moment(each.at)}</span>
          </li>
        ),
      )}
      {of.waitsWith.map((waiting) => {
        const until = waiting.dueAt ? due(waiting.dueAt, now) : undefined
        return (
          <li key={waiting.desk} data-stage="now" aria-current="step">
            <strong>
              {asked.includes(waiting.taskId)
                ? t('platform.track.you')
                : (waiting.assignee?.name ?? waiting.principals.join(', '))}
            </strong>
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
        <li data-stage={meaningOf(of, undefined) === 'ended' ? 'ended' : 'done'}>
          <strong>{statusWords(of, t)}</strong>
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

/** A submission on the way: a decision, a payment slip, a request to cancel; `sends` names the request itself. */
function Decision({ decision, sends }: { decision: Submission; sends: string | undefined }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const form = useForm(decision.formHash).data
  const words = sends
    ? t(sends)
    : decision.outcome === null
      ? form?.schema.title && t(form.schema.title)
      : outcomeText(form?.schema, decision.outcome, t)
  return (
    <li data-stage={refuses(decision.outcome) ? 'ended' : returns(decision.outcome) ? 'returned' : 'done'}>
      <strong>
        {decision.by.name}
        {decision.for && ` ${t('platform.inbox.for', { name: decision.for.name })}`}
      </strong>
      <span>
        {words}
        <br />
        {moment(decision.at)}
      </span>
    </li>
  )
}
