import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { refusals } from '../../http/schemas.ts'
import { MODEL_LIMIT, MODEL_PATH, OfProcess } from './schemas.ts'
import { checkTables, tryTable } from './scenarios/decision-tables.ts'
import { Value } from './scenario-schemas.ts'
import type { ScenarioDependencies } from './scenarios/context.ts'

const Dmn = Type.String({ maxLength: 1_200_000, description: 'DMN 1.3' })

const Inputs = Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' }), Value)

/** Checking and trying decision tables. */
export function decisionRoutes(app: App, dependencies: ScenarioDependencies): void {
  app.post(
    `${MODEL_PATH}/decisions/check`,
    {
      bodyLimit: MODEL_LIMIT,
      config: { rule: 'studio' },
      schema: {
        operationId: 'checkDecisionTables',
        tags: ['studio'],
        summary: 'Find inputs of a decision table without a rule, with several rules, and rules that never apply',
        params: OfProcess,
        body: Type.Object({ dmn: Dmn }, { additionalProperties: false }),
        response: {
          200: Type.Object({
            problems: Type.Array(Type.Object({ element: Type.String(), reason: Type.String() })),
            gaps: Type.Array(Type.Object({ decision: Type.String(), words: Type.String() })),
            overlaps: Type.Array(
              Type.Object({ decision: Type.String(), rules: Type.Array(Type.String()), words: Type.String() }),
            ),
          }),
          ...refusals(401, 403, 404),
        },
      },
    },
    async (request) => checkTables(dependencies, personOf(request), request.params.process, request.body.dmn),
  )

  app.post(
    `${MODEL_PATH}/decisions/try`,
    {
      bodyLimit: MODEL_LIMIT,
      config: { rule: 'studio' },
      schema: {
        operationId: 'tryDecisionTable',
        tags: ['studio'],
        summary: 'Evaluate a decision table on the engine: rules hit and their outputs; nothing is stored',
        params: OfProcess,
        body: Type.Object(
          { dmn: Dmn, decision: Type.String({ minLength: 1, maxLength: 200 }), inputs: Inputs },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            rules: Type.Array(Type.String()),
            outputs: Type.Array(Type.Record(Type.String(), Value)),
          }),
          ...refusals(401, 403, 404, 422),
        },
      },
    },
    async (request) => tryTable(dependencies, personOf(request), request.params.process, request.body),
  )
}
