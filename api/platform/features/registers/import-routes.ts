import { Type } from 'typebox'
import { registersService } from '../../work/registers/service.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Nullable, refusals, RegisterName } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import { Texts, type RegisterRouteDependencies } from './schemas.ts'

const Imported = component(
  'ImportResult',
  Type.Object({
    rows: Type.Integer(),
    columns: Texts,
    titles: Type.Record(Type.String(), Type.String(), { description: 'Text keys of all columns, by name' }),
    errors: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'Line of the file where the row begins; the header is line 1' }),
        column: Type.String({ description: 'Name of the field; empty for the whole line or file' }),
        code: Type.String(),
        message: Type.String(),
        value: Type.String(),
      }),
    ),
    errorCount: Type.Integer({ description: 'Total number of errors; `errors` holds the first of them' }),
    preview: Type.Array(Type.Object({ line: Type.Integer(), cells: Type.Record(Type.String(), Type.String()) }), {
      description: 'The first rows, as parsed',
    }),
    right: Type.Integer({ description: 'Number of rows without an error' }),
    added: Type.Integer(),
  }),
)

/** Enough for 5,000 long lines. */
const IMPORT_LIMIT = 4 * 1024 * 1024

/** CSV import of entries. */
export function importRoutes(app: App, { db, library }: RegisterRouteDependencies): void {
  const service = registersService({ db, library })
  const keyOf = ({ area, name }: { area: string; name: string }) => `${area}/${name}`

  app.get(
    '/api/registers/:area/:name/template.csv',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getImportTemplate',
        tags: ['registers'],
        summary:
          'Get a CSV file with the columns of an import, for some registers with a line for each item to write about',
        params: Type.Object(RegisterName),
        response: { 200: { content: { 'text/csv': { schema: Type.String() } } }, ...refusals(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const csv = await service.template(personOf(request), keyOf(request.params))
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${request.params.name}.csv"`)
        .send(csv)
    },
  )

  app.post(
    '/api/registers/:area/:name/imports',
    {
      config: { rule: 'signed-in' },
      bodyLimit: IMPORT_LIMIT,
      schema: {
        operationId: 'importItems',
        tags: ['registers'],
        summary: 'Check a CSV file of items, cell by cell; with `commit`, import all rows, or none if there are errors',
        params: Type.Object(RegisterName),
        body: Type.Object(
          {
            csv: Type.String(),
            fill: Type.Optional(
              Type.Record(Type.String({ maxLength: 60 }), Type.String({ maxLength: 200 }), {
                description: 'Values of cells that the file leaves empty, by column: the id, code or title of an item',
                maxProperties: 20,
              }),
            ),
            commit: Type.Boolean(),
            progress: Type.Optional(
              Type.String({ format: 'uuid', description: 'Chosen by you, to read by it how far the import is' }),
            ),
            leaveOut: Type.Optional(
              Type.Boolean({ description: 'With `commit`: leave out the rows with errors, and import the others' }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: Imported, ...refusals(401, 403, 404, 413, 429) },
      },
    },
    async (request) => service.import(personOf(request), keyOf(request.params), request.body, languageOf(request)),
  )

  app.get(
    '/api/registers/:area/:name/imports/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getImportProgress',
        tags: ['registers'],
        summary:
          'Get how many rows of your running import are checked, or added; nothing is there before all of them are',
        params: Type.Object({ ...RegisterName, id: Id }),
        response: {
          200: Type.Object({
            progress: Nullable(
              Type.Object(
                { step: Type.Enum(['check', 'add']), done: Type.Integer(), total: Type.Integer() },
                { description: 'Null before its first row, and after its end' },
              ),
            ),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => {
      const { id, ...of } = request.params
      return { progress: await service.importProgress(personOf(request), { register: keyOf(of), id }) }
    },
  )
}
