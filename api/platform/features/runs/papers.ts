import { dayInColombo, writtenDay } from '../../kernel/colombo.ts'
import { rupees } from '../../kernel/rupees.ts'
import { amountSaidIn } from '../../../../forms/platform/amount-words.ts'
import { type Language, languages } from '../../model/library/library.ts'
import { wordsOf } from '../../model/library/words.ts'
import type { Person } from '../../people/persons/person.ts'
import { documentLayout, layOutAside } from '../../records/documents/render.ts'
import { type TablePaper, pageOfTable } from '../../records/documents/table-paper.ts'
import { itemInUse } from '../../records/registers/in-use.ts'
import { itemRepository } from '../../work/rows/items.ts'
import { agreementsTo } from '../../work/runs/agreements.ts'
import { type LineRow, listLines } from '../../work/rows/run-lines.ts'
import { type ReachedRun, type RunDependencies, reachRun } from './context.ts'
import { annexureGroups, noteExport } from './sheets.ts'

export const runPapers = ['signing-sheet', 'annexure', 'cheque-list'] as const
export type RunPaper = (typeof runPapers)[number]

type Table = Pick<TablePaper, 'columns' | 'rows' | 'totals'>

/**
 * A run on paper, as PDF: the sheet that students sign, the annexure with number and sums per faculty and bank, or the
 * list of cheques. Who prepared the run, and the desks that agree to it, stand below. Every read is logged in the audit
 * trail.
 */
export async function runPaper(
  deps: RunDependencies,
  person: Person,
  { caseId, paper }: { caseId: string; paper: RunPaper },
  language: Language,
): Promise<{ name: string; content: Buffer }> {
  const reached = await reachRun(deps, person, caseId)
  const { of, run } = reached
  const lines = await listLines(deps.db, caseId)
  const titles = await itemRepository(deps.db).itemTitles([run.scheme_id])
  const now = new Date()
  const say = (key: string) => deps.library.text(key, {}, language)
  const payment = run.paid_at
    ? deps.library.text('platform.run.paper.paid-on', { day: writtenDay(dayInColombo(run.paid_at)) }, language)
    : say('platform.run.paper.not-paid')
  const { rows, ...table } = tables[paper](lines, { say, language })
  const page = pageOfTable(deps.library, {
    ...table,
    rows,
    title: `platform.run.paper.${paper}`,
    number: of.reference,
    letterhead: (await itemInUse(deps.db, 'platform/letterhead')) ?? {},
    body: [],
    facts: [
      { label: say('platform.run.paper.scheme'), value: titles.get(run.scheme_id) ?? '' },
      { label: say('platform.run.paper.month'), value: run.month },
      { label: say('platform.run.paper.payment'), value: payment },
      { label: say('platform.run.paper.printed'), value: writtenDay(dayInColombo(now)) },
    ],
    signatures: await signatures(deps, reached),
  })
  const content = await layOutAside({ source: documentLayout(), page, made: now })
  await noteExport(deps, person, { caseId, sheet: paper, rows: rows.length })
  return { name: `${of.reference}-${paper}.pdf`, content }
}

/** The texts of a paper, in its language. */
interface Words {
  say(key: string): string
  language: Language
}

const tables: Record<RunPaper, (lines: readonly LineRow[], words: Words) => Table> = {
  'signing-sheet': signingSheet,
  annexure,
  'cheque-list': chequeList,
}

/** Who is to be paid, by name as on the page, so that a signed sheet is entered from top to bottom; with room to sign. */
function signingSheet(lines: readonly LineRow[], { say, language }: Words): Table {
  const column = (name: string) => say(`platform.run.column.${name}`)
  const wanted = lines.filter(({ state }) => state === 'included')
  const signed = ({ signature, signed_at: at }: LineRow) =>
    signature === 'signed' && at ? `${say('platform.run.signature.signed')}, ${writtenDay(dayInColombo(at))}` : ''
  return {
    columns: [
      { label: column('number'), right: true },
      { label: column('code') },
      { label: column('name'), wide: true },
      { label: column('faculty') },
      { label: column('total'), right: true },
      { label: column('signature'), wide: true },
    ],
    rows: wanted.map((line, place) => [
      ...[String(place + 1), line.code, line.name, line.faculty ?? '–', rupees(line.total), signed(line)],
    ]),
    totals: sumOf(wanted, { say, language }),
  }
}

function annexure(lines: readonly LineRow[], { say, language }: Words): Table {
  const column = (name: string) => say(`platform.run.column.${name}`)
  return {
    columns: [
      { label: column('by') },
      { label: column('group'), wide: true },
      { label: column('students'), right: true },
      { label: column('total'), right: true },
      { label: column('words'), wide: true },
    ],
    rows: annexureGroups(lines).map(({ by, name, count, total }) => [
      column(by),
      name,
      String(count),
      rupees(total),
      amountSaidIn(language, total),
    ]),
    totals: [],
  }
}

/** The cheques by number; those that came back are marked, and count. */
function chequeList(lines: readonly LineRow[], { say, language }: Words): Table {
  const column = (name: string) => say(`platform.run.column.${name}`)
  const written = lines.filter(({ cheque }) => cheque !== null)
  return {
    columns: [
      { label: column('cheque') },
      { label: column('code') },
      { label: column('name'), wide: true },
      { label: column('total'), right: true },
      { label: column('received'), wide: true },
    ],
    rows: written
      .toSorted((a, b) => Number(a.cheque) - Number(b.cheque))
      .map(({ cheque, code, name, total, state }) => [
        cheque ?? '',
        code,
        name,
        rupees(total),
        state === 'returned' ? say('platform.run.state.returned') : '',
      ]),
    totals: sumOf(written, { say, language }),
  }
}

function sumOf(lines: readonly LineRow[], { say, language }: Words): { label: string; value: string }[] {
  const total = lines.reduce((sum, line) => sum + line.total, 0)
  return [
    { label: say('platform.run.column.students'), value: String(lines.length) },
    { label: say('platform.run.column.total'), value: rupees(total) },
    { label: say('platform.run.column.words'), value: amountSaidIn(language, total) },
  ]
}

/** Who prepared the run, and each desk that agrees to it: with a name once it has, and room for one before. */
async function signatures(
  { db, library }: RunDependencies,
  { of, manifest }: ReachedRun,
): Promise<TablePaper['signatures']> {
  const inEach = languages.map((language) => wordsOf(library, language))
  const day = (at: Date) => writtenDay(dayInColombo(at))
  const agreed = new Map((await agreementsTo(db, manifest, of.id)).map((one) => [one.desk, one]))
  return [
    {
      titles: languages.map((language) => library.text('platform.run.paper.prepared', {}, language)),
      name: of.requester_name,
      on: day(of.created_at),
    },
    ...Object.keys(manifest.agreement?.by ?? {}).map((desk) => {
      const by = agreed.get(desk)
      return {
        titles: [...new Set(inEach.map((words) => words.element(of.flow, desk, by?.name)))],
        name: by?.person ?? null,
        on: by ? day(by.at) : null,
      }
    }),
  ]
}
