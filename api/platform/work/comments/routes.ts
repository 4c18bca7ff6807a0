import { Type } from 'typebox'
import { presenceRoutes } from './presence-routes.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Cases } from '../cases/service.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Moment, Nullable, Query, TaskId, Who, refusals } from '../../http/schemas.ts'
import { logCase } from '../cases/follow.ts'
import { component } from '../../kernel/components.ts'
import { addComment, deleteComment, listComments, listPeopleToMention } from './service.ts'

const Comment = component(
  'Comment',
  Type.Object({
    id: Id,
    author: Who,
    kind: Type.Enum(['comment', 'note', 'opinion'], {
      description: 'Only its author reads a note; an opinion was given with a task that was handed back',
    }),
    body: Type.String(),
    at: Moment,
    mentions: Type.Array(Who),
    files: Type.Array(Type.Object({ id: Id, name: Type.String(), contentType: Type.String(), size: Type.Integer() })),
    mine: Type.Boolean(),
    task: Nullable(Type.String({ description: 'Name of the desk where it was written' })),
  }),
)
const CaseId = Type.Object({ id: Id })

/** Comments among people who handle the case, and who has a task open now. */
export function commentRoutes(
  app: App,
  deps: { db: Kysely<DB>; library: Library; definitions: Definitions; cases: Cases; publicUrl: string },
): void {
  app.get(
    '/api/cases/:id/comments',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listComments',
        tags: ['cases'],
        summary: 'List comments on a case, oldest first; its requester sees none',
        params: CaseId,
        response: { 200: Type.Object({ items: Type.Array(Comment) }), ...refusals(401, 403, 404) },
      },
    },
    async (request) => ({
      items: await listComments(deps, personOf(request), request.params.id, languageOf(request)),
    }),
  )

  app.post(
    '/api/cases/:id/comments',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'addComment',
        tags: ['cases'],
        summary: 'Add a comment, or a note to yourself; people mentioned are notified',
        params: CaseId,
        body: Type.Object(
          {
            body: Type.String({ minLength: 1, maxLength: 4000 }),
            private: Type.Optional(Type.Boolean()),
            mentions: Type.Optional(Type.Array(Id, { maxItems: 20, uniqueItems: true })),
            files: Type.Optional(Type.Array(Id, { maxItems: 10, uniqueItems: true })),
            taskId: Type.Optional(TaskId.properties.id),
          },
          { additionalProperties: false },
        ),
        response: { 201: Comment, ...refusals(401, 403, 404, 422) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      logCase(request, id)
      return reply.code(201).send(await addComment(deps, personOf(request), id, request.body, languageOf(request)))
    },
  )

  app.delete(
    '/api/comments/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'deleteComment',
        tags: ['cases'],
        summary: 'Delete your comment; opinions cannot be deleted',
        params: CaseId,
        response: { 204: Type.Null(), ...refusals(401, 404, 409) },
      },
    },
    async (request, reply) => {
      await deleteComment(deps, personOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/api/cases/:id/people',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listPeopleForCase',
        tags: ['cases'],
        summary: 'List people who can be mentioned in a comment on a case; without a search, those involved',
        params: CaseId,
        querystring: Query({
          search: Type.Optional(Type.String({ maxLength: 100, description: 'Searches name and post' })),
        }),
        response: {
          200: Type.Object({
            items: Type.Array(Type.Object({ id: Id, name: Type.String(), post: Nullable(Type.String()) })),
          }),
          ...refusals(401, 403, 404),
        },
      },
    },
    async (request) => ({
      items: await listPeopleToMention(deps, personOf(request), request.params.id, request.query.search),
    }),
  )

  presenceRoutes(app, deps)
}
