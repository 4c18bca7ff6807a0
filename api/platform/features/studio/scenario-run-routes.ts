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
      description: 'Numbers of cases that an operator moved, which no model can follow',
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
        summary: 'Run all or some scenarios on the engine, in the background; one run at a time per flow',
        params: OfProcess,
        body: Type.Object(
          {
            ids: Type.Optional(
              Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 200, uniqueItems: true }),
            ),
            draft: Type.Optional(
              Type.Boolean({ description: 'Against the open draft instead of the current version' }),
            ),
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
          'Replay the newest completed cases, on the open draft if there is one, and report which take another path and where',
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
        summary: 'Get the progress and the results of a run',
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
