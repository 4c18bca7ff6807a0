import { Type } from 'typebox'
import { inboxViews } from '../../work/inbox/views.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { Id, Name, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import type { AuditConsole } from './context.ts'
import { rule } from './schemas.ts'

const Search = component(
  'AuditSearch',
  Type.Object({
    id: Id,
    name: Type.String(),
    query: Type.Record(Type.String(), Type.String()),
    version: Type.Integer(),
  }),
)

/** Saved searches. */
export function keptSearchRoutes(app: App, deps: AuditConsole): void {
  const { db } = deps

  app.get(
    '/api/audit/searches',
    {
      config: { rule },
      schema: {
        operationId: 'listAuditSearches',
        tags: ['audit'],
        summary: 'List your saved searches',
        response: { 200: Type.Object({ items: Type.Array(Search) }), ...refusals(401, 403) },
      },
    },
    async (request) => ({ items: await inboxViews(db, 'audit').list(personOf(request)) }),
  )

  app.post(
    '/api/audit/searches',
    {
      config: { rule },
      schema: {
        operationId: 'saveAuditSearch',
        tags: ['audit'],
        summary: 'Save a search under a name',
        body: Type.Object(
          {
            name: Name({ minLength: 1, maxLength: 60, pattern: '\\S' }),
            query: Type.Record(Type.String({ pattern: '^[a-z]{1,20}$' }), Type.String({ maxLength: 200 }), {
              maxProperties: 12,
            }),
          },
          { additionalProperties: false },
        ),
        response: { 201: Search, ...refusals(401, 403, 409, 422) },
      },
    },
    async (request, reply) => reply.code(201).send(await inboxViews(db, 'audit').save(personOf(request), request.body)),
  )

  app.delete(
    '/api/audit/searches/:id',
    {
      config: { rule },
      schema: {
        operationId: 'deleteAuditSearch',
        tags: ['audit'],
        summary: 'Delete a saved search',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null(), ...refusals(401, 403, 404) },
      },
    },
    async (request, reply) => {
      await inboxViews(db, 'audit').delete(personOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
