import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { TaskId, refusals } from '../../http/schemas.ts'
import { type PresenceDependencies, presenceService } from './presence.ts'

/** Who has a task open now. */
export function presenceRoutes(app: App, deps: PresenceDependencies): void {
  const presence = presenceService(deps)

  app.put(
    '/api/tasks/:id/presence',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'lookAtTask',
        tags: ['tasks'],
        summary: 'Report that you have a task open; repeat every 15 seconds, it expires after 40',
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
        summary: 'Report that you no longer have a task open',
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
