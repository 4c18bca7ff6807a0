import { audit } from '../../kernel/audit/audit.ts'
import { amountSaidIn } from '../../../../forms/platform/amount-words.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type Cell, type Sheet, writeSheet } from '../../kernel/sheets/sheet.ts'
import { type BankColumn, bankFile } from '../../model/definitions/run.ts'
import type { Language } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { rupees } from '../../kernel/rupees.ts'
import { type LineRow, type OwedMonth, listLines, shownState } from '../../work/rows/run-lines.ts'
import { setBankFileTaken } from '../../work/rows/runs.ts'
import { type ReachedRun, type RunDependencies, reachRun, rightOf } from './context.ts'

export const runSheets = ['lines', 'bank-file', 'annexure'] as const
export type RunSheet = (typeof runSheets)[number]

type Say = (key: string) => string
/** The texts of a sheet, in its language. */
interface Words {
  say: Say
  language: Language | undefined
}
type Table = { head: string[]; body: Cell[][]; forMachines?: boolean }

/**
 * A run as a file. The kinds: lines to sign or keep; the bank file, once it is paid, with whole account numbers, for the
 * people who pay; the annexure with sums per faculty and bank in figures and words. Every read is logged in the audit trail.
 */
export async function runSheet(
  deps: RunDependencies,
  person: Person,
  { caseId, sheet, format }: { caseId: string; sheet: RunSheet; format: Sheet['format'] },
  language?: Language,
): Promise<Sheet> {
  const reached = await reachRun(deps, person, caseId)
  if (sheet === 'bank-file') {
    if (reached.run.state !== 'paid') throw new BusinessError('platform.not-found')
    if (rightOf(person, reached.manifest.run.returnedBy) === undefined) throw new BusinessError('platform.not-allowed')
    await setBankFileTaken(deps.db, caseId)
  }
  const lines = await listLines(deps.db, caseId)
  const say: Say = (key) => deps.library.text(key, {}, language)
  const { head, body, forMachines = false } = tables[sheet](reached, lines, { say, language })
  await noteExport(deps, person, { caseId, sheet, rows: body.length })
  return writeSheet(format, head, body, `${reached.of.reference}-${sheet}`, { forMachines })
}

/** Logs that somebody took a run along as a file. */
export async function noteExport(
  { db }: Pick<RunDependencies, 'db'>,
  { id: actor }: Pick<Person, 'id'>,
  { caseId, sheet, rows }: { caseId: string; sheet: string; rows: number },
): Promise<void> {
  const entry = { actor, action: 'run.exported', caseId, object: `run:${caseId}`, payload: { sheet, rows } }
  await db.transaction().execute((trx) => audit(trx).record(entry))
}

const tables: Record<RunSheet, (reached: ReachedRun, lines: readonly LineRow[], words: Words) => Table> = {
  lines: linesTable,
  'bank-file': bankTable,
  annexure: annexureTable,
}

function linesTable({ run }: ReachedRun, lines: readonly LineRow[], { say }: Words): Table {
  const names = [
    'number',
    'code',
    'name',
    'faculty',
    'amount',
    'arrears',
    'owed',
    'total',
    'state',
    'reason',
    'signature',
  ]
  return {
    head: names.map((name) => say(`platform.run.column.${name}`)),
    body: lines.map((line, place) => [
      { number: place + 1 },
      line.code,
      line.name,
      line.faculty,
      { rupees: line.amount / 100 },
      { rupees: line.arrears / 100 },
      line.owed.map((one) => owedInWords(one, say)).join('; '),
      { rupees: line.total / 100 },
      say(`platform.run.state.${shownState(line.state, run.state)}`),
      line.state === 'left-out' ? say(`platform.run.left-out.${line.reason}`) : line.reason,
      line.signature === 'signed' ? say('platform.run.signature.signed') : '',
    ]),
  }
}

/** What a line pays of a former month, and why it was not paid then. */
function owedInWords({ month, state, reason, amount }: OwedMonth, say: Say): string {
  const why = state === 'left-out' ? say(`platform.run.left-out.${reason}`) : (reason ?? '')
  return `${month}: ${rupees(amount)} (${[say(`platform.run.state.${state}`), why].filter(Boolean).join(': ')})`
}

/** One line per transfer as it was paid, including payments returned later, in the layout of the manifest. */
function bankTable({ of, run, manifest }: ReachedRun, lines: readonly LineRow[]): Table {
  const paid = run.method === 'transfer' ? lines.filter(isPaid) : []
  const columns = manifest.run.bankFile ?? bankFile
  return {
    head: columns.map(({ head }) => head),
    body: paid.map(({ paid_to: to, total, code }, place) => {
      const values: Record<BankColumn['value'], Cell> = {
        line: { number: place + 1 },
        bank: String(to['bank']),
        bankName: String(to['bankName']),
        branch: String(to['branch']),
        branchName: String(to['branchName']),
        account: String(to['account']),
        name: String(to['name']),
        amount: { rupees: total / 100 },
        reference: `${of.reference} ${code}`,
        code,
      }
      return columns.map(({ value }) => values[value])
    }),
    forMachines: true,
  }
}

type GroupKind = 'faculty' | 'bank' | 'faculty-bank' | 'total'

/** Number and sum of the paid lines per faculty, per bank, per both, and of all. */
export function annexureGroups(
  lines: readonly LineRow[],
): { by: GroupKind; name: string; count: number; total: number }[] {
  const paid = lines.filter(isPaid)
  const facultyOf = ({ faculty }: LineRow) => faculty ?? '–'
  const bankOf = ({ paid_to: to }: LineRow) => String(to['bankName'] ?? '–')
  const sums = (by: GroupKind, groups: readonly [string, readonly LineRow[]][]) =>
    groups.map(([name, group]) => ({
      ...{ by, name, count: group.length },
      total: group.reduce((sum, line) => sum + line.total, 0),
    }))
  return [
    ...sums('faculty', grouped(paid, facultyOf)),
    ...sums('bank', grouped(paid, bankOf)),
    ...sums(
      'faculty-bank',
      grouped(paid, (line) => `${facultyOf(line)}, ${bankOf(line)}`),
    ),
    ...sums('total', [['', paid]]),
  ]
}

function annexureTable(_reached: ReachedRun, lines: readonly LineRow[], { say, language }: Words): Table {
  const column = (name: string) => say(`platform.run.column.${name}`)
  return {
    head: ['by', 'group', 'students', 'total', 'words'].map(column),
    body: annexureGroups(lines).map(({ by, name, count, total }) => [
      column(by),
      name,
      { number: count },
      { rupees: total / 100 },
      amountSaidIn(language, total),
    ]),
  }
}

function isPaid({ state }: LineRow): boolean {
  return state === 'included' || state === 'returned'
}

function grouped(lines: readonly LineRow[], by: (line: LineRow) => string): [string, LineRow[]][] {
  return [...Map.groupBy(lines, by)].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
