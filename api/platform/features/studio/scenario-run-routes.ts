import { Type } from 'typebox'
import { Result } from '../../model/definitions/scenario.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { Id, Moment, Nullable, refusals } from '../../http/schemas.ts'
import { MODEL_PATH, OfProcess } from './schemas.ts'
import { component } from '../../kernel/components.ts'
import { runScenarios, rehearse, readRun } from './scenarios/runs.ts'
import type { ScenarioDependencies } from './scenarios/context.ts'
import { OfScenario } from './scenario-schemas.ts'

const Begun = component('RunBegun', Type.Object({ runId: Id }))

const Rehearsed = component(
  'Rehearsal',
  Type.Object({
    runId: Id,
    leftOut: Type.Array(Type.String(), {
      description: 'References of cases that an operator moved: no model leads that way',
    }),
  }),
)

/** Running scenarios and replays of real cases on the engine. */
export function scenarioRunRoutes(app: App, dependencies: ScenarioDependencies): void {
  app.post(
    `${MODEL_PATH}/scenarios/run`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'runScenarios',
        tags: ['studio'],
        summary: 'Tells scenarios to the engine, all or some; it goes on by itself, once at a time per flow',
        params: OfProcess,
        body: Type.Object(
          {
            ids: Type.Optional(
              Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 200, uniqueItems: true }),
            ),
            draft: Type.Optional(Type.Boolean({ description: 'On the open draft instead of the version that runs' })),
          },
          { additionalProperties: false },
        ),
        response: { 202: Begun, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await runScenarios(dependencies, personOf(request), request.params.process, request.body)),
  )

  app.post(
    `${MODEL_PATH}/rehearsal`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'rehearseModel',
        tags: ['studio'],
        summary:
          'Tells the newest ended cases anew, on the open draft where there is one: which would go another way, and where',
        params: OfProcess,
        body: Type.Object({ last: Type.Integer({ minimum: 1, maximum: 50 }) }, { additionalProperties: false }),
        response: { 202: Rehearsed, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await rehearse(dependencies, personOf(request), request.params.process, request.body.last)),
  )

  app.get(
    `${MODEL_PATH}/runs/:id`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'getScenarioRun',
        tags: ['studio'],
        summary: 'How far a run is, and what it has found',
        params: OfScenario,
        response: {
          200: Type.Object({
            id: Id,
            kind: Type.Enum(['scenarios', 'rehearsal']),
            ofDraft: Type.Boolean(),
            outdated: Type.Boolean({ description: 'The model has changed since' }),
            state: Type.Enum(['running', 'done', 'failed']),
            total: Type.Integer(),
            done: Type.Integer(),
            passed: Type.Integer(),
            askedAt: Moment,
            endedAt: Nullable(Moment),
            results: Type.Array(Result),
          }),
          ...refusals(401, 403, 404),
        },
      },
    },
    async (request) => readRun(dependencies, personOf(request), request.params.process, request.params.id),
  )
}
