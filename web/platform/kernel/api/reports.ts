import { asFilters, sheetAt, withQuery, type Sheet } from '../client/client.ts'
import type { GetReport } from '../client/operations.generated.ts'
import { useRead } from './read.ts'
import type { FormSchema } from '../client/types.ts'

export type Report = Omit<GetReport['answer'], 'filterForm'> & { filterForm: FormSchema }
export type ReportColumn = Report['columns'][number]

/** Reads a report; a missing filter has the report's default. */
export const useReport = (report: string, filter: Readonly<Record<string, string>>) =>
  useRead<Report>(withQuery(`/api/reports/${report}`, asFilters(filter)))

/** The report as a file for spreadsheets. */
export const reportFile = (
  report: string,
  filter: Readonly<Record<string, string>>,
  format: 'csv' | 'xlsx',
): Promise<Sheet> =>
  sheetAt(withQuery(`/api/reports/${report}/file`, { ...asFilters(filter), format }), `report.${format}`)

/** The statement of the entry that the filter names, as a PDF. */
export const reportStatement = (report: string, filter: Readonly<Record<string, string>>): Promise<Sheet> =>
  sheetAt(withQuery(`/api/reports/${report}/statement`, asFilters(filter)), 'statement.pdf')
