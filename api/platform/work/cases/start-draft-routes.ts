import { Type } from 'typebox'
import { beginForm } from './begun.ts'
import { startDrafts } from './start-drafts.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Library } from '../../model/library/library.ts'
import { personOf } from '../../http/auth.ts'
import { FormData, Id, Moment, Nullable, refusals } from '../../http/schemas.ts'

const name = Type.String({ pattern: '^[a-z0-9-]+$' })
const FlowPath = Type.Object({ area: name, flow: name })
const keyOf = ({ area, flow }: { area: string; flow: string }) => `${area}/${flow}`

/** What is known of a form that somebody has begun. */
export const BegunForm = Type.Object({
  id: Id,
  closesAt: Moment,
  finishUntil: Nullable(Type.String({ format: 'date-time', description: 'Until when who had begun may send it' })),
  now: Moment,
})

/** Start forms that a person has begun and not sent. */
export function startDraftRoutes(
  app: App,
  dependencies: { db: Kysely<DB>; library: Library; definitions: Definitions },
): void {
  const drafts = startDrafts(dependencies)
  const path = '/api/flows/:area/:flow/draft'

  app.get(
    path,
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getStartDraft',
        tags: ['flows'],
        summary: 'Get your draft of a start form',
        params: FlowPath,
        response: {
          200: Type.Object({ draft: Nullable(Type.Object({ data: FormData, savedAt: Moment })) }),
          ...refusals(401, 403, 404),
        },
      },
    },
    async (request) => ({ draft: await drafts.find(personOf(request), keyOf(request.params)) }),
  )

  app.put(
    path,
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'saveStartDraft',
        tags: ['flows'],
        summary: 'Save your draft of a start form, for all your devices',
        params: FlowPath,
        body: Type.Object({ data: FormData }, { additionalProperties: false }),
        response: { 200: Type.Object({ savedAt: Moment }), ...refusals(401, 403, 404, 413) },
      },
    },
    async (request) => drafts.save(personOf(request), keyOf(request.params), request.body.data),
  )

  app.post(
    '/api/flows/:area/:flow/begun',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'beginStartForm',
        tags: ['flows'],
        summary: 'Say that you begin the start form for a register item; who has begun may send it a little later',
        params: FlowPath,
        body: Type.Object({ item: Id }, { additionalProperties: false }),
        response: { 200: BegunForm, ...refusals(401, 403, 404, 422) },
      },
    },
    async (request) =>
      beginForm(dependencies, { flow: keyOf(request.params), item: request.body.item }, personOf(request)),
  )

  app.delete(
    path,
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'discardStartDraft',
        tags: ['flows'],
        summary: 'Discard your draft of a start form',
        params: FlowPath,
        response: { 204: Type.Null(), ...refusals(401) },
      },
    },
    async (request, reply) => {
      await drafts.discard(personOf(request), keyOf(request.params))
      return reply.code(204).send(null)
    },
  )
}
