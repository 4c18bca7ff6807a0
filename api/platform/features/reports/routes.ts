import { Type } from 'typebox'
import type { Report } from '../../model/definitions/report.ts'
import { reportsService } from './service.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { FieldKeys } from '../../kernel/field-keys.ts'
import type { Library } from '../../model/library/library.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Query, fileOf, filtersOf, refusals, RegisterName } from '../../http/schemas.ts'
import { SheetAnswer, SheetFormat, sendPaper, sendSheet, sheetTypes } from '../../http/sheets.ts'
import { component } from '../../kernel/components.ts'

const Column = component(
  'ReportColumn',
  Type.Object({
    name: Type.String(),
    title: Type.String({ description: 'Text key' }),
    as: Type.Enum(['text', 'cents', 'count', 'hours', 'day', 'moment', 'case', 'word']),
    total: Type.Boolean({ description: 'Its total is shown below the rows' }),
  }),
)

const ReportAnswer = component(
  'Report',
  Type.Object({
    report: Type.String(),
    title: Type.String({ description: 'Text key' }),
    lead: Type.Optional(Type.String({ description: 'Text key' })),
    filterForm: Type.Unknown({ description: 'JSON Schema of the filters' }),
    filter: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: 'Filters in effect, including defaults',
    }),
    columns: Type.Array(Column),
    rows: Type.Array(FormData, {
      description: 'Keyed by column; cents, hours, days and timestamps as numbers and strings',
    }),
    more: Type.Boolean({ description: 'There are more rows' }),
    totals: Type.Record(Type.String(), Type.Number()),
    statement: Type.Boolean({ description: 'With this filter it can be printed as a statement' }),
  }),
)

/** Reports of the areas, as their declarations define them. */
export function reportRoutes(
  app: App,
  dependencies: { db: Kysely<DB>; library: Library; fieldKeys: FieldKeys },
  reports: ReadonlyMap<string, Report>,
): void {
  const service = reportsService({ ...dependencies, reports })
  const keyOf = ({ area, name }: { area: string; name: string }) => `${area}/${name}`

  app.get(
    '/api/reports/:area/:name',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getReport',
        tags: ['reports'],
        summary: 'Get a report; `filter.<field>` for the filters of its form',
        params: Type.Object(RegisterName),
        querystring: Query({}, { filters: true }),
        response: { 200: ReportAnswer, ...refusals(400, 401, 404) },
      },
    },
    async (request) => {
      const { report, definition, filter, rows, more, totals } = await service.read(
        personOf(request),
        keyOf(request.params),
        filtersOf(request.query),
        languageOf(request),
      )
      const { title, lead, statement, filter: filterForm, columns } = definition
      return {
        report,
        title,
        ...(lead !== undefined && { lead }),
        filterForm,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON leaves out what is undefined
        filter: filter as Record<string, string | number>,
        columns: columns.map((column) => ({ as: 'text' as const, total: false, ...column })),
        rows,
        more,
        totals,
        statement: statement !== undefined && filter[statement] !== undefined,
      }
    },
  )

  app.get(
    '/api/reports/:area/:name/file',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getReportFile',
        tags: ['reports'],
        summary: 'Download a report as a spreadsheet',
        params: Type.Object(RegisterName),
        querystring: Query({ format: SheetFormat }, { filters: true }),
        produces: [...sheetTypes],
        response: { 200: SheetAnswer, ...refusals(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const sheet = await service.sheet(
        personOf(request),
        keyOf(params),
        filtersOf(query),
        query.format,
        languageOf(request),
      )
      return sendSheet(reply, sheet)
    },
  )

  app.get(
    '/api/reports/:area/:name/statement',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getReportStatement',
        tags: ['reports'],
        summary: 'Print the statement of the entry that the filter names',
        params: Type.Object(RegisterName),
        querystring: Query({}, { filters: true }),
        produces: ['application/pdf'],
        response: { 200: fileOf('application/pdf'), ...refusals(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const key = keyOf(params)
      const paper = await service.statement(personOf(request), key, filtersOf(query), languageOf(request))
      return sendPaper(reply, paper)
    },
  )
}
