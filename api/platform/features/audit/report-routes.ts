import { Type } from 'typebox'
import { reportNames, reportsContext, readReport, reportRows } from './reports.ts'
import { noteExport, entriesSheet } from './search.ts'
import { streamed } from '../../kernel/sheets/stream.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Query, fileOf, refusals } from '../../http/schemas.ts'
import { SheetFormat, sendSheet, sheetTypes } from '../../http/sheets.ts'
import type { AuditConsole } from './context.ts'
import { rule, days, Entry } from './schemas.ts'

/** Standard reports for auditors. */
export function reportRoutes(app: App, deps: AuditConsole): void {
  const reportsDeps = reportsContext(deps)

  app.get(
    '/api/audit/reports/:name',
    {
      config: { rule },
      schema: {
        operationId: 'getAuditReport',
        tags: ['audit'],
        summary: 'List refusals, substitutions, acts of administrators, grants, or desks that a table left out',
        params: Type.Object({ name: Type.Enum([...reportNames]) }),
        querystring: Query(days),
        response: {
          200: Type.Object({
            items: Type.Array(Entry),
            more: Type.Boolean(),
            narrow: Type.Boolean({ description: 'Only some cases of the period were examined; the file has all' }),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => readReport(reportsDeps, request.params.name, request.query, languageOf(request)),
  )

  app.get(
    '/api/audit/reports/:name/file',
    {
      config: { rule },
      schema: {
        operationId: 'exportAuditReport',
        tags: ['audit'],
        summary: 'Download a report of the audit trail as a spreadsheet',
        params: Type.Object({ name: Type.Enum([...reportNames]) }),
        querystring: Query({ ...days, format: SheetFormat }),
        produces: [...sheetTypes],
        response: { 200: fileOf(...sheetTypes), ...refusals(401, 403) },
      },
    },
    async (request, reply) => {
      const { format, ...span } = request.query
      const { name } = request.params
      await noteExport(deps, personOf(request), 'audit.search-exported', { report: name, ...span, format })
      const rows = reportRows(reportsDeps, name, span, languageOf(request))
      const sheet = entriesSheet(deps, `audit-${name}`, rows, languageOf(request))
      return sendSheet(reply, streamed(format, { ...sheet, body: sheet.body() }))
    },
  )
}
