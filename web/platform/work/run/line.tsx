import { Button, Checkbox } from 'antd'
import type { LineAct, Run, RunLine } from '../../kernel/api/runs.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './run.module.css'

interface LineProps {
  line: RunLine
  run: Run
  /** Whether it is selected for signing; undefined if it cannot be. */
  marked: boolean | undefined
  onMark(on: boolean): void
  onAct(act: LineAct): void
  onHistory(): void
}

/** One student: amount, state, and the reader's acts. */
export function Line({ line, run, marked, onMark, onAct, onHistory }: LineProps) {
  const { t } = useTexts()
  const { money } = useFormats()
  const { name, code, bank, branch, account, cheque } = line
  return (
    <li>
      <span>
        {marked !== undefined && (
          <Checkbox
            className={css['mark'] ?? ''}
            checked={marked}
            aria-label={t('platform.run.mark', { name })}
            onChange={({ target }) => onMark(target.checked)}
          />
        )}
        {name} <small>{code}</small>
      </span>
      <span className={css['amount']}>
        {money(line.total)}
        {line.arrears > 0 && <small> {t('platform.run.with-arrears', { amount: money(line.arrears) })}</small>}
        <OwedMonths of={line.owed} />
      </span>
      <small>
        {[bank, branch, account, cheque && t('platform.run.cheque', { number: cheque })].filter(Boolean).join(' · ')}
      </small>
      <span>
        <LineStateText line={line} run={run} />
      </span>
      <span className="no-print">
        {line.hasHistory && (
          <Button
            size="small"
            type="text"
            aria-label={t('platform.run.act-on', { act: t('platform.run.history'), name })}
            onClick={onHistory}
          >
            {t('platform.run.history')}
          </Button>
        )}
        {actsOf(line, run).map((act) => (
          <Button
            key={act}
            size="small"
            type="text"
            aria-label={t('platform.run.act-on', { act: t(`platform.run.act.${act}`), name })}
            onClick={() => onAct(act)}
          >
            {t(`platform.run.act.${act}`)}
          </Button>
        ))}
      </span>
    </li>
  )
}

/** What a line pays of former months, and why it was not paid then. */
export function OwedMonths({ of }: { of: RunLine['owed'] }) {
  const { t } = useTexts()
  const { money, month: inWords } = useFormats()
  return of.map(({ month, state, reason, amount }) => (
    <small key={month} className={css['owed']}>
      {t('platform.run.owed-of', { amount: money(amount), month: inWords(month) })}:{' '}
      {[
        t(`platform.run.state.${state}`),
        reason === null ? '' : state === 'left-out' ? t(`platform.run.left-out.${reason}`) : reason,
      ]
        .filter(Boolean)
        .join(' · ')}
    </small>
  ))
}

/** The state of a line, the reason, and the desks that agreed before it changed. */
function LineStateText({ line, run }: { line: RunLine; run: Run }) {
  const { t } = useTexts()
  const { state, reason, questionOpen, signature, changedSince, sharedWith, owedAfterAll } = line
  const why = reason === null ? '' : state === 'left-out' ? t(`platform.run.left-out.${reason}`) : reason
  const signed = run.signing && state !== 'left-out' && state !== 'struck'
  const words = [
    t(`platform.run.state.${state}`),
    why,
    owedAfterAll ? t('platform.run.owed-after-all') : '',
    signed ? t(`platform.run.signature.${signature}`) : '',
    sharedWith.length > 0 ? t('platform.run.shared-with', { codes: sharedWith.join(', ') }) : '',
    questionOpen ? t('platform.run.question-open') : '',
  ]
  const others = changedSince.filter(({ you }) => !you).map(({ name }) => name)
  const since = [
    ...(others.length < changedSince.length ? [t('platform.run.changed-since-you')] : []),
    ...(others.length > 0 ? [t('platform.run.changed-since', { desk: others.join(', ') })] : []),
  ]
  return (
    <>
      {words.filter(Boolean).join(' · ')}
      {since.length > 0 && <strong className={css['changed']}> {since.join(' · ')}</strong>}
    </>
  )
}

/** The reader's present acts on a line. */
function actsOf({ state, questionOpen, questionDesk, own, mayBeOwed }: RunLine, { may }: Run): LineAct[] {
  if (own) return []
  if (may.owe && mayBeOwed) return ['owe']
  if (may.giveBack) return state === 'paid' ? ['return'] : state === 'returned' ? ['settle'] : []
  const answer: LineAct[] = questionOpen && may.answer ? ['answer'] : []
  if (!may.act) return answer
  const asks: LineAct[] = questionOpen ? [] : ['question']
  if (questionOpen && questionDesk === may.desk) answer.push('withdraw')
  if (state === 'included') return [...answer, ...asks, 'hold', 'strike']
  return state === 'held' ? [...answer, ...asks, 'release', 'strike'] : answer
}
