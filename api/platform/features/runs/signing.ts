import { audit } from '../../kernel/audit/audit.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import type { Person } from '../../people/persons/person.ts'
import type { Language } from '../../model/library/library.ts'
import {
  type LineRow,
  type OwedMonth,
  type ShownState,
  listLinesOfStudent,
  listUnsigned,
  shownState,
  signRunLines,
  type SignedLine,
} from '../../work/rows/run-lines.ts'
import { lockRun } from '../../work/rows/runs.ts'
import type { RefusedLine } from './acts.ts'
import { type RunDependencies, reachRun, rightOf, notifyRunChanged } from './context.ts'

/** An instalment, as the student who gets it sees it. */
export interface OwnLine {
  id: string
  scheme: string
  month: string
  total: number
  /** The former months whose arrears it pays. */
  owed: OwedMonth[]
  /** Whether it was left out and is owed: the next run pays it. */
  owedAfterAll: boolean
  state: ShownState
  reason: string | null
  said: string | null
  signature: 'pending' | 'signed'
  /** Content of the QR code for the counter; null if there is nothing to sign. */
  code: string | null
}

/**
 * Staff record signatures: by the students' codes at the counter, or by lines of the printed sheet. What has changed
 * since it was printed counts: lines that are held back, struck or left out, and the recorder's own, are refused with
 * the reason, and the others are signed. Lines that are signed already are skipped.
 */
export async function signLines(
  deps: RunDependencies,
  person: Person,
  { caseId, lines, codes }: { caseId: string; lines: readonly string[]; codes: readonly string[] },
  language?: Language,
): Promise<{ signed: number; byCode: Omit<SignedLine, 'id'>[]; refused: RefusedLine[] }> {
  const reached = await reachRun(deps, person, caseId)
  const actedAs = rightOf(person, reached.manifest.run.signedBy)
  if (actedAs === undefined || !reached.run.signing) throw new BusinessError('platform.not-allowed')
  const how = codes.length > 0 ? 'code' : 'sheet'
  const result = await deps.db.transaction().execute(async (trx) => {
    const run = await lockRun(trx, caseId)
    if (run?.state !== 'open') throw new BusinessError('platform.run-not-open')
    const noted = await signRunLines(trx, caseId, person.id, { lines, codes, how, except: reached.own })
    const payload = { how, lines: noted.map(({ id }) => id) }
    if (noted.length > 0)
      await audit(trx).record({
        actor: person.id,
        actedAs,
        action: 'run.signed',
        caseId,
        object: `run:${caseId}`,
        payload,
      })
    const left = await listUnsigned(trx, caseId, { lines, codes })
    const byCode = codes.length > 0 ? noted.map(({ name, code, total }) => ({ name, code, total })) : []
    return { signed: noted.length, byCode, refused: left.map((line) => refusedLine(deps, line, reached.own, language)) }
  })
  await notifyRunChanged(deps, reached)
  return result
}

/** Why a line is not signed, in words. */
function refusedLine(
  { library }: Pick<RunDependencies, 'library'>,
  { id: line, name, code, state, reason, student_id }: LineRow,
  own: string | null,
  language?: Language,
): RefusedLine {
  const why = state === 'left-out' ? library.text(`platform.run.left-out.${reason}`, {}, language) : (reason ?? '')
  const message =
    student_id === own
      ? library.text('platform.run-own-line', {}, language)
      : [library.text(`platform.run.state.${state}`, {}, language), why].filter(Boolean).join(': ')
  return { line, name, code, message }
}

/** The reader's own instalments, newest first. */
export async function ownLines({ db }: Pick<RunDependencies, 'db'>, person: Person): Promise<OwnLine[]> {
  const entry = await findOwnEntry(db, person.id)
  if (!entry) return []
  const rows = await listLinesOfStudent(db, entry.id)
  return rows.map((row) => ({
    id: row.id,
    scheme: row.scheme,
    month: row.month,
    total: row.total,
    owed: row.owed,
    owedAfterAll: row.owed_at !== null,
    state: shownState(row.state, row.run_state),
    reason: row.state === 'left-out' ? row.reason : null,
    said: row.state === 'left-out' ? null : row.reason,
    signature: row.signature,
    code: isSignable(row) ? row.sign_code : null,
  }))
}

/** Whether there is something to sign: not for who is left out or struck. */
function isSignable({ signing, run_state, signature, state }: Awaited<ReturnType<typeof listLinesOfStudent>>[number]) {
  return signing && run_state === 'open' && signature === 'pending' && (state === 'included' || state === 'held')
}

/** Signs a student's own instalment. */
export async function signOwnLine(deps: Pick<RunDependencies, 'db'>, person: Person, line: string): Promise<OwnLine[]> {
  const { db } = deps
  const entry = await findOwnEntry(db, person.id)
  const own = entry && (await listLinesOfStudent(db, entry.id)).find(({ id }) => id === line)
  if (!own) throw new BusinessError('platform.not-found')
  await db.transaction().execute(async (trx) => {
    const run = await lockRun(trx, own.case_id)
    if (run?.state !== 'open' || !run.signing) throw new BusinessError('platform.run-not-open')
    const given = { lines: [line], codes: [], how: 'account', except: null }
    const signed = await signRunLines(trx, own.case_id, person.id, given)
    if (signed.length === 0) throw new BusinessError('platform.run-line-final')
    await audit(trx).record({
      actor: person.id,
      action: 'run-line.signed',
      caseId: own.case_id,
      object: `run-line:${line}`,
      payload: { how: 'account' },
    })
  })
  return ownLines(deps, person)
}
