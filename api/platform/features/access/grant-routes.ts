import { Type } from 'typebox'
import { endGrant } from './grants.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { personOf } from '../../http/auth.ts'
import { Id, Moment, refusals, Reason } from '../../http/schemas.ts'
import { Grant } from './schemas.ts'

export function grantRoutes(
  app: App,
  deps: { db: Kysely<DB>; library: Library; definitions: Definitions; publicUrl: string },
): void {
  app.post(
    '/api/grants/:id/end',
    {
      config: { rule: { groups: ['roleSetup'] } },
      schema: {
        operationId: 'endGrant',
        tags: ['people'],
        summary: 'End a grant now or at a later time; a grant of a post ends with the appointment',
        params: Type.Object({ id: Id }),
        body: Type.Object({ endsAt: Type.Optional(Moment), reason: Reason }, { additionalProperties: false }),
        response: { 200: Grant, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) => endGrant(deps, personOf(request), request.params.id, request.body),
  )
}
