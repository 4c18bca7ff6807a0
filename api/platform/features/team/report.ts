import type { Kysely } from 'kysely'
import { csvOf } from '../../../../forms/platform/csv.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import { readCalendar, workedDays } from '../../records/calendar/working-days.ts'
import { wordsOf } from '../../model/library/words.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { wrongField } from '../../kernel/errors.ts'
import type { Language, Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { placesOf } from './team.ts'
import { type DeskFigures, listDeskFigures } from './repository.ts'
import { DAY_MS } from '../../kernel/units.ts'

export interface ReportDependencies {
  db: Kysely<DB>
  library: Library
}

/** A desk's figures for a period, and what waits there now, in the reader's language. */
export interface DeskReport extends Omit<DeskFigures, 'oldestOpen'> {
  flowTitle: string
  oldestOpen: string | null
}

/** The days of a period, both included. */
export interface Period {
  from: string
  until: string
  flow?: string
}

/** Longest period, in days. */
const MAX_DAYS = 732
/** A task that waited longer than this before the period counts as if it came at that limit, in days. */
const MAX_WAIT_BEFORE_DAYS = 366

/** How long the desks in a person's units take. */
export function deskReport({ db, library }: ReportDependencies) {
  return {
    async read(person: Person, { from, until, flow }: Period, language?: Language): Promise<DeskReport[]> {
      const places = await placesOf(db, person)
      const beginOf = (day: string) => new Date(`${day}T00:00:00+05:30`).getTime()
      const [first, last] = [beginOf(from), beginOf(until)]
      if (last < first || last - first > MAX_DAYS * DAY_MS) throw wrongField('query/until', 'platform.period-wrong')
      const earliest = dayInColombo(first - MAX_WAIT_BEFORE_DAYS * DAY_MS)
      const rows = await listDeskFigures(db, {
        places,
        flow: flow ?? null,
        from: new Date(first).toISOString(),
        until: new Date(last + DAY_MS).toISOString(),
        days: workedDays(await readCalendar(db, earliest), earliest, until),
      })
      const words = wordsOf(library, language)
      return rows.map((row) => {
        const manifest = library.flows.get(row.flow)?.manifest
        return {
          ...row,
          flowTitle: manifest ? words.flowTitle(manifest) : row.flow,
          name: words.element(row.flow, row.desk, row.name),
          oldestOpen: row.oldestOpen?.toISOString() ?? null,
        }
      })
    },

    /** The report as CSV. */
    csv(rows: readonly DeskReport[], language?: Language): string {
      const columns: [title: string, cell: (row: DeskReport) => string | number | null][] = [
        ['platform.report.flow', ({ flowTitle }) => flowTitle],
        ['platform.report.column.desk', ({ name }) => name],
        ['platform.report.column.decided', ({ decided }) => decided],
        ['platform.report.column.in-time', ({ inTime }) => inTime],
        ['platform.report.sheet.late', ({ late }) => late],
        ['platform.report.sheet.median', ({ medianHours }) => medianHours],
        ['platform.report.sheet.p90', ({ p90Hours }) => p90Hours],
        ['platform.report.column.open', ({ open }) => open],
        ['platform.report.column.overdue', ({ overdue }) => overdue],
        ['platform.report.column.oldest', ({ oldestOpen }) => oldestOpen && dayInColombo(new Date(oldestOpen))],
      ]
      const head = columns.map(([title]) => library.text(title, {}, language))
      return csvOf([head, ...rows.map((row) => columns.map(([, cell]) => String(cell(row) ?? '')))])
    },
  }
}
