import { Type } from 'typebox'
import { grantsService } from '../../access/grants.ts'
import type { App, Dependencies } from '../app.ts'
import { personOf } from '../auth.ts'
import { Id, Moment, refusals } from '../schemas.ts'
import { Grant, Reason } from './access-schemas.ts'

/** Ending what was granted. */
export function grantRoutes(app: App, deps: Pick<Dependencies, 'db' | 'library' | 'definitions' | 'publicUrl'>): void {
  const grants = grantsService(deps)

  app.post(
    '/api/grants/:id/end',
    {
      config: { rule: { group: 'roleSetup' } },
      schema: {
        operationId: 'endGrant',
        tags: ['people'],
        summary: 'Ends a grant at once, or at a moment to come; one of a post ends with the appointment',
        params: Type.Object({ id: Id }),
        body: Type.Object({ endsAt: Type.Optional(Moment), reason: Reason }, { additionalProperties: false }),
        response: { 200: Grant, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) => grants.end(personOf(request), request.params.id, request.body),
  )
}
