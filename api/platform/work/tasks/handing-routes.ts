import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Nullable, Query, refusals, TaskId } from '../../http/schemas.ts'
import { assignTask, delegateTask, listPeopleForTask, resolveTask } from './acts.ts'
import { followed } from './followed.ts'
import type { HandlingDependencies } from './handling.ts'
import { TaskRow } from './routes.ts'

const closed = { additionalProperties: false }
const Reason = Type.String({ minLength: 1, maxLength: 500 })
const Words = Type.String({ minLength: 1, maxLength: 4000 })

/** Handing a task on, and asking a colleague for an opinion. */
export function taskHandingRoutes(app: App, deps: HandlingDependencies): void {
  const signedIn = { rule: 'signed-in' } as const
  const response = { 200: TaskRow, ...refusals(401, 403, 404, 409, 422) }
  const tags = ['tasks']

  app.post(
    '/api/tasks/:id/assign',
    {
      config: signedIn,
      schema: {
        operationId: 'assignTask',
        tags,
        summary: 'Assign a task to another person it is offered to; leaders of the unit can also reassign it',
        params: TaskId,
        body: Type.Object({ to: Id, reason: Type.Optional(Reason) }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await assignTask(deps, person, id, request.body, languageOf(request)))
    },
  )

  app.post(
    '/api/tasks/:id/delegate',
    {
      config: signedIn,
      schema: {
        operationId: 'delegateTask',
        tags,
        summary: 'Ask a colleague for an opinion: they hold the task until they return it, and may not decide it',
        params: TaskId,
        body: Type.Object({ to: Id, words: Words }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await delegateTask(deps, person, id, request.body, languageOf(request)))
    },
  )

  app.post(
    '/api/tasks/:id/resolve',
    {
      config: signedIn,
      schema: {
        operationId: 'resolveTask',
        tags,
        summary: 'Return a task with your opinion to the person who asked for it',
        params: TaskId,
        body: Type.Object({ opinion: Words }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await resolveTask(deps, person, id, request.body.opinion, languageOf(request)))
    },
  )

  app.get(
    '/api/tasks/:id/people',
    {
      config: signedIn,
      schema: {
        operationId: 'listPeopleForTask',
        tags,
        summary: 'List possible assignees of a task, or people to ask for an opinion; fewest tasks first',
        params: TaskId,
        querystring: Query({
          for: Type.Enum(['assign', 'delegate']),
          search: Type.Optional(Type.String({ maxLength: 100, description: 'Searches name and post' })),
        }),
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Id,
                name: Type.String(),
                post: Nullable(Type.String()),
                load: Type.Integer({ description: 'Number of tasks assigned to them' }),
              }),
            ),
          }),
          ...refusals(401, 403, 404, 409),
        },
      },
    },
    async (request) => ({ items: await listPeopleForTask(deps, personOf(request), request.params.id, request.query) }),
  )
}
