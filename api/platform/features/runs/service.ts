import { amountSaidIn } from '../../../../forms/platform/amount-words.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type Page, counted, cursorOf, readCursor } from '../../kernel/paging.ts'
import type { Language } from '../../model/library/library.ts'
import { wordsOf } from '../../model/library/words.ts'
import type { Person } from '../../people/persons/person.ts'
import { countCheques } from '../../work/rows/run-cheques.ts'
import { itemRepository } from '../../work/rows/items.ts'
import {
  type LineCounts,
  type LineFilter,
  type LineRow,
  type OwedMonth,
  type ShownState,
  countLines,
  findLine,
  canBeOwed,
  listLineEvents,
  pageOfLines,
  shownState,
} from '../../work/rows/run-lines.ts'
import { type RunAgreement, agreementsTo, changedSinceAgreed } from '../../work/runs/agreements.ts'
import { type ReachedRun, type RunDependencies, decidable, reachRun, rightOf } from './context.ts'

/** A run as people who see its case read it. Amounts are in cents. */
export interface RunView {
  scheme: string
  month: string
  method: 'transfer' | 'cheque'
  paidFrom: string
  state: 'open' | 'paid' | 'void'
  signing: boolean
  lines: number
  total: number
  totalInWords: string
  returned: number
  /** How many of its cheques are numbered. */
  cheques: number
  /** When the file for the bank was first taken. */
  bankFileAt: string | null
  counts: LineCounts
  /** Desks that have agreed to it, in order. */
  agreed: { desk: string; name: string; at: string; you: boolean }[]
  may: {
    act: boolean
    desk: string | null
    answer: boolean
    sign: boolean
    giveBack: boolean
    bankFile: boolean
    owe: boolean
    numberCheques: boolean
  }
}

/** A line as the reader sees it; the account number shows only its last digits. */
export interface LineView {
  id: string
  name: string
  code: string
  faculty: string | null
  amount: number
  arrears: number
  total: number
  bank: string | null
  branch: string | null
  account: string | null
  cheque: string | null
  state: ShownState
  reason: string | null
  questionOpen: boolean
  questionDesk: string | null
  sharedWith: string[]
  signature: 'pending' | 'signed'
  /** Whether a paid run left it out for a reason that may be gone. */
  mayBeOwed: boolean
  /** Whether it was left out and is owed: the next run pays it. */
  owedAfterAll: boolean
  /** The former months whose arrears it pays. */
  owed: OwedMonth[]
  /** Desks that had agreed before it changed; `you` is the reader's own agreement. */
  changedSince: { name: string; you: boolean }[]
  hasHistory: boolean
  /** The line pays the reader: they may not act on it. */
  own: boolean
}

const SHOWN_DIGITS = 4

export async function readRun(
  deps: RunDependencies,
  person: Person,
  caseId: string,
  language?: Language,
): Promise<RunView> {
  const reached = await reachRun(deps, person, caseId)
  const { run, manifest, of } = reached
  const titles = await itemRepository(deps.db).itemTitles([run.scheme_id, run.paid_from])
  const isOpen = run.state === 'open'
  const permit = isOpen ? await decidable(deps, person, caseId) : undefined
  const act = permit !== undefined
  const cheques = run.method === 'cheque' ? await countCheques(deps.db, caseId) : 0
  const pays = run.state === 'paid' && rightOf(person, manifest.run.returnedBy) !== undefined
  return {
    scheme: titles.get(run.scheme_id) ?? '',
    month: run.month,
    method: run.method,
    paidFrom: titles.get(run.paid_from) ?? '',
    state: run.state,
    signing: run.signing,
    lines: run.lines,
    total: run.total,
    totalInWords: amountSaidIn(language, run.total),
    returned: run.returned,
    cheques,
    bankFileAt: run.bank_file_at?.toISOString() ?? null,
    counts: await countLines(deps.db, caseId),
    agreed: (await agreements(deps, reached, person, language)).map(({ desk, name, at, you }) => ({
      ...{ desk, name, you },
      at: at.toISOString(),
    })),
    may: {
      act,
      desk: permit?.task.desk ?? null,
      answer: isOpen && (act || of.requester_id === person.id),
      sign: isOpen && run.signing && rightOf(person, manifest.run.signedBy) !== undefined,
      giveBack: pays && (run.method === 'cheque' || run.bank_file_at !== null),
      bankFile: pays && run.method === 'transfer',
      owe: run.state === 'paid' && rightOf(person, manifest.run.owedBy) !== undefined,
      numberCheques: pays && run.method === 'cheque' && cheques === 0,
    },
  }
}

/** A page of its lines by name. */
export async function listLines(
  deps: RunDependencies,
  person: Person,
  { caseId, cursor, limit = 50, ...filter }: LineFilter & { caseId: string; cursor?: string; limit?: number },
  language?: Language,
): Promise<Page<LineView>> {
  const reached = await reachRun(deps, person, caseId)
  const after = cursor === undefined ? undefined : readCursor(cursor, ['text', 'id'])
  const { rows, count } = await pageOfLines(deps.db, caseId, filter, { after, limit: limit + 1 })
  const agreed = await agreements(deps, reached, person, language)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    items: items.map((row) => lineView(row, reached, agreed)),
    next: rows.length > limit && last ? cursorOf([last.name, last.id]) : null,
    count: counted(count),
  }
}

/** The events of a line, oldest first. */
export async function lineHistory(deps: RunDependencies, person: Person, caseId: string, line: string) {
  await reachRun(deps, person, caseId)
  if (!(await findLine(deps.db, caseId, line))) throw new BusinessError('platform.not-found')
  const events = await listLineEvents(deps.db, line)
  return events.map(({ kind, text, how, at, by }) => ({ kind, text, how, by, at: at.toISOString() }))
}

type Agreed = RunAgreement & { you: boolean }

async function agreements(
  { db, library }: RunDependencies,
  { of, manifest }: ReachedRun,
  person: Person,
  language?: Language,
): Promise<Agreed[]> {
  const words = wordsOf(library, language)
  const found = await agreementsTo(db, manifest, of.id)
  return found.map((one) => ({
    ...one,
    name: words.element(of.flow, one.desk, one.name),
    you: one.by === person.id,
  }))
}

function lineView(row: LineRow, { run, own }: ReachedRun, agreed: readonly Agreed[]): LineView {
  const { paid_to: to } = row
  const said = (name: string) => (typeof to[name] === 'string' ? to[name] : null)
  const account = said('account')
  return {
    id: row.id,
    name: row.name,
    code: row.code,
    faculty: row.faculty,
    amount: row.amount,
    arrears: row.arrears,
    total: row.total,
    bank: said('bankName'),
    branch: said('branchName'),
    account: account === null ? null : `•••• ${account.slice(-SHOWN_DIGITS)}`,
    cheque: row.cheque,
    state: shownState(row.state, run.state),
    reason: row.reason,
    questionOpen: row.question_open,
    questionDesk: row.question_desk,
    sharedWith: row.shared_with ?? [],
    signature: row.signature,
    mayBeOwed: run.state === 'paid' && canBeOwed(row),
    owedAfterAll: row.owed_at !== null,
    owed: row.owed,
    hasHistory: row.has_history,
    // What a bank returned was paid as all had agreed.
    changedSince: agreed
      .filter((one) => row.state !== 'returned' && changedSinceAgreed(row.changed_at, one))
      .map(({ name, you }) => ({ name, you })),
    own: row.student_id === own,
  }
}
