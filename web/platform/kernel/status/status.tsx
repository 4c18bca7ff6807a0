import type { CaseRow } from '../client/types.ts'
import { useSession } from '../session/session.ts'
import { useTexts, type Translate } from '../texts/texts.ts'
import css from './status.module.css'

/** The meaning of a status to the reader; colours follow this, never a flow's own names. */
export type Meaning = 'waiting' | 'with-you' | 'done' | 'returned' | 'ended'

/** A status with its mark; marks differ in shape as well as in colour. */
export function Status({ of }: { of: Pick<CaseRow, 'status' | 'state' | 'endReason' | 'waitsWith'> }) {
  const session = useSession()
  const { t } = useTexts()
  const me = session.state === 'in' ? session.me.id : undefined
  return (
    <span className={css['status']} data-meaning={meaningOf(of, me)}>
      {statusWords(of, t)}
    </span>
  )
}

/** The name of a status; withdrawn and lapsed cases show that instead of their last status. */
export const statusWords = ({ status, endReason }: Pick<CaseRow, 'status' | 'endReason'>, t: Translate): string =>
  endReason === 'withdrawn' || endReason === 'expired' ? t(`platform.end.${endReason}`) : status.text

/** The text of a state in a further status list; undefined if the flow does not show that state. */
export const furtherStatus = ({ statuses }: Pick<CaseRow, 'statuses'>, list: string): string | undefined =>
  statuses[list]?.untold ? undefined : statuses[list]?.text

/** The further states of a case that the flow shows. */
export function FurtherStatuses({ of }: { of: Pick<CaseRow, 'statuses'> }) {
  return Object.keys(of.statuses)
    .filter((list) => list !== 'status' && furtherStatus(of, list) !== undefined)
    .map((list) => <span key={list}>{furtherStatus(of, list)}</span>)
}

/** What a case's status means to this reader. */
export function meaningOf(
  of: Pick<CaseRow, 'status' | 'state' | 'endReason' | 'waitsWith'>,
  me: string | undefined,
): Meaning {
  if (of.state === 'failed' || of.endReason === 'withdrawn' || of.endReason === 'expired') return 'ended'
  if (of.state === 'ended') return of.status.meaning ?? 'done'
  if (of.waitsWith.some(({ assignee }) => assignee && assignee.id === me)) return 'with-you'
  return of.status.meaning ?? 'waiting'
}
