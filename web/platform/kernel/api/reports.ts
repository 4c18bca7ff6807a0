import { sheetAt, withQuery, type Sheet } from '../client/client.ts'
import type { GetReport } from '../client/operations.generated.ts'
import { useRead } from './read.ts'
import type { FormSchema } from '../client/types.ts'

export type Report = Omit<GetReport['answer'], 'filterForm'> & { filterForm: FormSchema }
export type ReportColumn = Report['columns'][number]

const query = (filter: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(filter).map(([field, value]) => [`filter.${field}`, value]))

/** Reads a report; a missing filter has the report's default. */
export const useReport = (report: string, filter: Readonly<Record<string, string>>) =>
  useRead<Report>(withQuery(`/api/reports/${report}`, query(filter)))

/** The report as a file for spreadsheets. */
export const reportFile = (
  report: string,
  filter: Readonly<Record<string, string>>,
  format: 'csv' | 'xlsx',
): Promise<Sheet> => sheetAt(withQuery(`/api/reports/${report}/file`, { ...query(filter), format }), `report.${format}`)

/** The statement of the entry that the filter names, as a PDF. */
export const reportStatement = (report: string, filter: Readonly<Record<string, string>>): Promise<Sheet> =>
  sheetAt(withQuery(`/api/reports/${report}/statement`, query(filter)), 'statement.pdf')
