import { Type } from 'typebox'
import { Scenario } from '../../model/definitions/scenario.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, refusals } from '../../http/schemas.ts'
import { MODEL_PATH, OfProcess } from './schemas.ts'
import { listScenarioViews, scenarioParts, createScenario, changeScenario, removeScenario } from './scenarios/kept.ts'
import { recordedScenario } from './scenarios/recording.ts'
import type { ScenarioDependencies } from './scenarios/context.ts'
import { decisionRoutes } from './decision-routes.ts'
import { scenarioRunRoutes } from './scenario-run-routes.ts'
import { KeptScenarios, OfScenario, Parts } from './scenario-schemas.ts'

/** Trying a model before it is deployed: decision tables, scenarios, and replays of real cases. */
export function scenarioRoutes(app: App, dependencies: ScenarioDependencies): void {
  decisionRoutes(app, dependencies)
  keptScenarioRoutes(app, dependencies)
  scenarioRunRoutes(app, dependencies)
}

/** The stored scenarios of a flow, and the parts that one can be made of. */
function keptScenarioRoutes(app: App, dependencies: ScenarioDependencies): void {
  app.get(
    `${MODEL_PATH}/scenarios`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'listScenarios',
        tags: ['studio'],
        summary: 'List the scenarios of a flow, those of the repository first, each with its last result',
        params: OfProcess,
        response: { 200: KeptScenarios, ...refusals(401, 403, 404) },
      },
    },
    async (request) => listScenarioViews(dependencies, personOf(request), request.params.process),
  )

  app.get(
    `${MODEL_PATH}/scenarios/parts`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'getScenarioParts',
        tags: ['studio'],
        summary: 'List what scenarios of the flow consist of: desks with forms, deadlines, statuses and ends',
        params: OfProcess,
        querystring: Type.Object(
          {
            draft: Type.Optional(
              Type.Boolean({ description: 'Tested against the open draft, not the current version' }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: Parts, ...refusals(401, 403, 404, 422) },
      },
    },
    async (request) =>
      scenarioParts(
        dependencies,
        personOf(request),
        request.params.process,
        request.query.draft ?? false,
        languageOf(request),
      ),
  )

  app.post(
    `${MODEL_PATH}/scenarios/record`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'recordScenario',
        tags: ['studio'],
        summary: 'Derive a scenario without personal data from a completed case; it is not saved',
        params: OfProcess,
        body: Type.Object({ reference: Type.String({ minLength: 1, maxLength: 60 }) }, { additionalProperties: false }),
        response: { 200: Scenario, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) =>
      recordedScenario(
        dependencies,
        personOf(request),
        request.params.process,
        request.body.reference,
        languageOf(request),
      ),
  )

  app.post(
    `${MODEL_PATH}/scenarios`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'createScenario',
        tags: ['studio'],
        summary: 'Save a scenario of the flow',
        params: OfProcess,
        body: Scenario,
        response: { 201: Type.Object({ id: Id }), ...refusals(401, 403, 404, 409) },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createScenario(dependencies, personOf(request), request.params.process, request.body)),
  )

  app.put(
    `${MODEL_PATH}/scenarios/:id`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'changeScenario',
        tags: ['studio'],
        summary: 'Change a scenario of the owners; those of the repository are changed there',
        params: OfScenario,
        body: Scenario,
        response: { 204: Type.Null(), ...refusals(401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { process, id } = request.params
      await changeScenario(dependencies, personOf(request), process, id, request.body)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    `${MODEL_PATH}/scenarios/:id`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'deleteScenario',
        tags: ['studio'],
        summary: 'Delete a scenario of the owners',
        params: OfScenario,
        response: { 204: Type.Null(), ...refusals(401, 403, 404) },
      },
    },
    async (request, reply) => {
      await removeScenario(dependencies, personOf(request), request.params.process, request.params.id)
      return reply.code(204).send(null)
    },
  )
}
