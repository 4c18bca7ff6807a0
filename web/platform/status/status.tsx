import type { CaseRow } from '../api/types.ts'
import { useSession } from '../session/session.ts'
import { useTexts } from '../texts/texts.ts'
import css from './status.module.css'

/** What a status means to the reader; colours follow this, never a flow's own names. */
export type Meaning = 'waiting' | 'with-you' | 'done' | 'returned' | 'ended'

/** The word of a status with its mark; the mark's shape differs as well as its colour. */
export function Status({ of }: { of: Pick<CaseRow, 'status' | 'state' | 'endReason' | 'waitsWith'> }) {
  const session = useSession()
  const { t } = useTexts()
  const me = session.state === 'in' ? session.me.id : undefined
  const meaning = meaningOf(of, me)
  const reason =
    of.endReason === 'withdrawn' || of.endReason === 'expired' ? t(`platform.end.${of.endReason}`) : undefined
  return (
    <span className={css['status']} data-meaning={meaning}>
      {reason ?? of.status.text}
    </span>
  )
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
