import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Moment, Nullable, refusals, TaskId } from '../../http/schemas.ts'
import { followTaskUp, setTaskDue, setTaskPriority } from './acts.ts'
import { followed } from './followed.ts'
import type { HandlingDependencies } from './handling.ts'
import { TaskRow } from './routes.ts'

const closed = { additionalProperties: false }
const Reason = Type.String({ minLength: 1, maxLength: 500 })

/** Putting a task off, its due date and its priority. */
export function taskUrgencyRoutes(app: App, deps: HandlingDependencies): void {
  const signedIn = { rule: 'signed-in' } as const
  const response = { 200: TaskRow, ...refusals(401, 403, 404, 409, 422) }
  const tags = ['tasks']

  app.post(
    '/api/tasks/:id/follow-up',
    {
      config: signedIn,
      schema: {
        operationId: 'followUpTask',
        tags,
        summary: 'Put a task off until a date, or resume it; a free task is assigned to you',
        params: TaskId,
        body: Type.Object({ at: Nullable(Moment) }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await followTaskUp(deps, person, id, request.body.at, languageOf(request)))
    },
  )

  app.post(
    '/api/tasks/:id/priority',
    {
      config: signedIn,
      schema: {
        operationId: 'setTaskPriority',
        tags,
        summary: 'Set the priority of a task: 25 low, 50 normal, 75 high',
        params: TaskId,
        body: Type.Object({ priority: Type.Enum([25, 50, 75]) }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await setTaskPriority(deps, person, id, request.body.priority, languageOf(request)))
    },
  )

  app.post(
    '/api/tasks/:id/due',
    {
      config: signedIn,
      schema: {
        operationId: 'setTaskDue',
        tags,
        summary: 'Set the due date of a task, as a leader of the unit',
        params: TaskId,
        body: Type.Object({ at: Moment, reason: Reason }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await setTaskDue(deps, person, id, request.body, languageOf(request)))
    },
  )
}
