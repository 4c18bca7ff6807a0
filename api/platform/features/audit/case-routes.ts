import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { makeCaseFile } from './case-files.ts'
import { readCaseThen } from './case-at-moment.ts'
import { listMoments } from './moments.ts'
import { momentsContext } from './moments-context.ts'
import { noteExport } from './search.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Moment, Query, fileOf, refusals } from '../../http/schemas.ts'
import type { AuditConsole } from './context.ts'
import { rule } from './schemas.ts'
import { CaseThen, Step } from './case-schemas.ts'

/** A case as it was at any moment. */
export function caseRoutes(app: App, deps: AuditConsole): void {
  const moments = momentsContext(deps)

  app.get(
    '/api/audit/cases/:id',
    {
      config: { rule },
      schema: {
        operationId: 'getAuditCase',
        tags: ['audit'],
        summary: 'Get a case as it was at a given time, or as it is now',
        params: Type.Object({ id: Id }),
        querystring: Query({ at: Type.Optional(Moment) }),
        response: { 200: CaseThen, ...refusals(401, 403, 404) },
      },
    },
    async (request) =>
      readCaseThen(moments, personOf(request), request.params.id, request.query.at, languageOf(request)),
  )

  app.get(
    '/api/audit/cases/:id/moments',
    {
      config: { rule },
      schema: {
        operationId: 'listAuditMoments',
        tags: ['audit'],
        summary: 'List everything that happened to a case, oldest first',
        params: Type.Object({ id: Id }),
        response: { 200: Type.Object({ items: Type.Array(Step) }), ...refusals(401, 403, 404) },
      },
    },
    async (request) => ({
      items: await listMoments(moments, personOf(request), request.params.id, languageOf(request)),
    }),
  )

  app.get(
    '/api/audit/cases/:id/file',
    {
      config: { rule },
      schema: {
        operationId: 'exportAuditCase',
        tags: ['audit'],
        summary: 'Download a case with its whole history, as a dossier to print or as data',
        params: Type.Object({ id: Id }),
        querystring: Query({ format: Type.Enum(['pdf', 'csv', 'json']) }),
        produces: ['application/pdf', 'text/csv', 'application/json'],
        response: { 200: fileOf('application/pdf', 'text/csv', 'application/json'), ...refusals(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const made = await makeCaseFile(moments, personOf(request), params.id, query.format, languageOf(request))
      await noteExport(deps, personOf(request), 'audit.case-exported', { format: query.format }, params.id)
      return reply
        .type(made.type)
        .header('content-disposition', `attachment; filename="${made.name}"`)
        .send(Readable.from([made.content]))
    },
  )
}
