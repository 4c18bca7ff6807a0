import { Type } from 'typebox'
import { commentsService } from './service.ts'
import { presenceService } from './presence.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Cases } from '../cases/service.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Moment, Nullable, Query, Who, refusals, TaskId } from '../../http/schemas.ts'
import { follow } from '../cases/routes.ts'
import { component } from '../../kernel/components.ts'

const Comment = component(
  'Comment',
  Type.Object({
    id: Id,
    author: Who,
    kind: Type.Enum(['comment', 'note', 'opinion'], {
      description: 'A note is read by its author alone; an opinion came with a task that was given back',
    }),
    body: Type.String(),
    at: Moment,
    mentions: Type.Array(Who),
    files: Type.Array(Type.Object({ id: Id, name: Type.String(), contentType: Type.String(), size: Type.Integer() })),
    mine: Type.Boolean(),
    task: Nullable(Type.String({ description: 'Name of the desk that it was written at' })),
  }),
)
const CaseId = Type.Object({ id: Id })

/** What those who handle a case say to each other, and who looks at a task now. */
export function commentRoutes(
  app: App,
  deps: { db: Kysely<DB>; library: Library; definitions: Definitions; cases: Cases; publicUrl: string },
): void {
  const comments = commentsService(deps)
  const presence = presenceService(deps)

  app.get(
    '/api/cases/:id/comments',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listComments',
        tags: ['cases'],
        summary: 'Comments on a case, oldest first; its requester, who is not meant, reads none',
        params: CaseId,
        response: { 200: Type.Object({ items: Type.Array(Comment) }), ...refusals(401, 403, 404) },
      },
    },
    async (request) => ({
      items: await comments.list(personOf(request), request.params.id, languageOf(request)),
    }),
  )

  app.post(
    '/api/cases/:id/comments',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'addComment',
        tags: ['cases'],
        summary: 'Writes a comment, or a note for oneself; who is mentioned is told',
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
      follow(request, id)
      return reply.code(201).send(await comments.add(personOf(request), id, request.body, languageOf(request)))
    },
  )

  app.delete(
    '/api/comments/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'deleteComment',
        tags: ['cases'],
        summary: 'Takes back an own comment; an opinion stays',
        params: CaseId,
        response: { 204: Type.Null(), ...refusals(401, 404, 409) },
      },
    },
    async (request, reply) => {
      await comments.delete(personOf(request), request.params.id)
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
        summary: 'Who can be mentioned in a comment on a case; without a search those who have to do with it',
        params: CaseId,
        querystring: Query({
          search: Type.Optional(Type.String({ maxLength: 100, description: 'In name and post' })),
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
      items: await comments.people(personOf(request), request.params.id, request.query.search),
    }),
  )

  app.put(
    '/api/tasks/:id/presence',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'lookAtTask',
        tags: ['tasks'],
        summary: 'Says that one has a task open; to be repeated every 15 seconds, for it ends after 40',
        params: TaskId,
        body: Type.Object({ typing: Type.Boolean() }, { additionalProperties: false }),
        response: { 204: Type.Null(), ...refusals(401, 403, 404) },
      },
    },
    async (request, reply) => {
      await presence.look(personOf(request), request.params.id, request.body.typing)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/api/tasks/:id/presence',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'leaveTask',
        tags: ['tasks'],
        summary: 'Says that one has a task open no longer',
        params: TaskId,
        response: { 204: Type.Null(), ...refusals(401) },
      },
    },
    async (request, reply) => {
      await presence.leave(personOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
