import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import type { Cases } from './service.ts'
import { personOf } from '../../http/auth.ts'
import { Moment, Nullable, refusals } from '../../http/schemas.ts'
import { CaseId } from './schemas.ts'

/** A case in the engine: its path through the diagram, and its variables. */
export function casePathRoutes(app: App, { cases }: { cases: Cases }): void {
  app.get(
    '/api/cases/:id/path',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getCasePath',
        tags: ['cases'],
        summary: 'Get the path of a case through its diagram, and its current position',
        params: CaseId,
        response: {
          200: Type.Object({
            definitionId: Type.String(),
            visited: Type.Array(
              Type.Object({
                element: Type.String(),
                startedAt: Moment,
                endedAt: Nullable(Moment),
                canceled: Type.Boolean(),
              }),
            ),
            present: Type.Array(Type.String()),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => cases.path(personOf(request), request.params.id),
  )

  app.get(
    '/api/cases/:id/variable-instances',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listCaseVariables',
        tags: ['cases'],
        summary: 'Get the process variables of a case from the engine',
        params: CaseId,
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                name: Type.String(),
                type: Type.String(),
                value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
              }),
            ),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => ({ items: await cases.variables(personOf(request), request.params.id) }),
  )
}
