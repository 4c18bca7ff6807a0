import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import type { Cases } from './service.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, Idempotent, refusals } from '../../http/schemas.ts'
import { Case, CaseId } from './schemas.ts'
import { logCase } from './follow.ts'

/** What requesters do while their case runs: withdraw it, or perform an act that its diagram waits for. */
export function caseActRoutes(app: App, { cases }: { cases: Cases }): void {
  app.post(
    '/api/cases/:id/withdraw',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'withdrawCase',
        tags: ['cases'],
        summary: 'Withdraw your case, as long as its diagram allows it',
        params: CaseId,
        body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 2000 }) }, { additionalProperties: false }),
        response: { 200: Case, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      logCase(request, request.params.id)
      return cases.withdraw(personOf(request), request.params.id, request.body.reason, languageOf(request))
    },
  )

  app.post(
    '/api/cases/:id/acts/:name',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'actOnCase',
        tags: ['cases'],
        summary: 'Use an act of your case, as long as its diagram waits for it',
        description: 'A request repeated within a day with the same Idempotency-Key takes effect once.',
        params: Type.Object({ id: Id, name: Type.String({ maxLength: 60 }) }),
        headers: Idempotent,
        body: Type.Object({ data: FormData }, { additionalProperties: false }),
        response: { 200: Case, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) => {
      const { id, name } = request.params
      logCase(request, id)
      const key = request.headers['idempotency-key']
      const sent = { data: request.body.data, ...(key === undefined ? {} : { key }) }
      return cases.act(personOf(request), id, name, sent, languageOf(request))
    },
  )
}
