import { Type } from 'typebox'
import { fileOf } from '../../records/documents/verification.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Cases } from './service.ts'
import type { Library } from '../../model/library/library.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, Key, Moment, Named, Nullable, refusals } from '../../http/schemas.ts'
import { CaseId, LinkName } from './schemas.ts'
import { logCase } from './follow.ts'
import { casePathRoutes } from './path-routes.ts'

const history = [
  'submitted',
  'acted',
  'task-created',
  'claimed',
  'asked',
  'decided',
  'status',
  'mail',
  'worker',
  'incident',
  'withdrawn',
  'ended',
] as const

/** What can be read of a case beside itself: history, earlier cases, documents, path and variables. */
export function caseLookUpRoutes(
  app: App,
  { db, cases, library }: { db: Kysely<DB>; cases: Cases; library: Library },
): void {
  app.get(
    '/api/cases/:id/history',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getCaseHistory',
        tags: ['cases'],
        summary: 'List what happened to a case, in words, oldest first',
        params: CaseId,
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                at: Moment,
                kind: Type.Enum(history),
                text: Type.String(),
                actor: Type.Optional(Type.String()),
                element: Type.Optional(Type.String()),
                reason: Type.Optional(Type.String()),
                status: Type.Optional(Type.String({ description: 'New status, in words' })),
              }),
            ),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => ({
      items: await cases.history(personOf(request), request.params.id, languageOf(request)),
    }),
  )

  app.get(
    '/api/cases/:id/offers/:name',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getCaseOffer',
        tags: ['cases'],
        summary: 'Get what a case fills in of the start form of another one that you may begin from it',
        params: Type.Object({ id: Id, name: LinkName }),
        response: { 200: Type.Object({ flow: Key, data: FormData }), ...refusals(401, 404, 409) },
      },
    },
    async (request) => {
      const { id, name } = request.params
      return cases.given(personOf(request), { case: id, name }, languageOf(request))
    },
  )

  app.get(
    '/api/cases/:id/earlier',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getEarlierCases',
        tags: ['cases'],
        summary: 'List earlier cases about the same item, as its flow defines; similar ones first',
        params: CaseId,
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Nullable(Type.String({ format: 'uuid', description: 'Null if you may not see it' })),
                reference: Type.String(),
                status: Named,
                amount: Nullable(Type.Integer({ description: 'In cents' })),
                createdAt: Moment,
                alike: Type.Boolean(),
              }),
            ),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => ({
      items: await cases.earlier(personOf(request), request.params.id, languageOf(request)),
    }),
  )

  app.get(
    '/api/cases/:id/documents/:document',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getCaseDocument',
        tags: ['cases'],
        summary: 'Download a document issued in a case, such as its invoice, as PDF',
        params: Type.Object({ id: Id, document: Id }),
        response: {
          200: {
            content: { 'application/pdf': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } },
          },
          ...refusals(401, 404),
        },
      },
    },
    async (request, reply) => {
      const { id, document } = request.params
      logCase(request, id)
      const found = await cases.document(personOf(request), id, document)
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="${found.number}.pdf"`)
        .send(await fileOf(db, library, found))
    },
  )

  casePathRoutes(app, { cases })
}
