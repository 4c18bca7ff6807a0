import { Type } from 'typebox'
import { taskDrafts } from './drafts.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Cases } from '../cases/service.ts'
import type { Tasks } from './service.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Moment, Named, Nullable, refusals, TaskId } from '../../http/schemas.ts'

/** Drafts of task forms, and decisions that can still be taken back. */
export function draftRoutes(
  app: App,
  { db, definitions, cases, tasks }: { db: Kysely<DB>; definitions: Definitions; cases: Cases; tasks: Tasks },
): void {
  const drafts = taskDrafts({ db, definitions, cases })

  app.get(
    '/api/tasks/undoable',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listUndoable',
        tags: ['tasks'],
        summary: 'List your decisions that can still be undone, newest first',
        response: {
          200: Type.Array(
            Type.Object({
              task: Type.String(),
              reference: Type.String(),
              title: Type.String(),
              outcome: Nullable(Named),
              until: Moment,
            }),
          ),
          ...refusals(401),
        },
      },
    },
    async (request) => tasks.undoable(personOf(request), languageOf(request)),
  )

  app.put(
    '/api/tasks/:id/draft',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'saveDraft',
        tags: ['tasks'],
        summary: 'Save your draft of a task’s form, for all your devices',
        description:
          'Fails with `platform.draft-changed` if another device has saved in the meantime: read the task again.',
        params: TaskId,
        body: Type.Object(
          {
            data: FormData,
            version: Type.Optional(
              Type.Integer({ minimum: 1, description: 'Revision that this draft is based on; omitted for the first' }),
            ),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ version: Type.Integer(), savedAt: Moment }),
          ...refusals(401, 403, 404, 409, 413),
        },
      },
    },
    async (request) => drafts.save(personOf(request), request.params.id, request.body),
  )

  app.delete(
    '/api/tasks/:id/draft',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'discardDraft',
        tags: ['tasks'],
        summary: 'Discard your draft',
        params: TaskId,
        response: { 204: Type.Null(), ...refusals(401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      await drafts.discard(personOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
