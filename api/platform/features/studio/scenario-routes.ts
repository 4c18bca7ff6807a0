import { Type } from 'typebox'
import { Result, Scenario } from '../../model/definitions/scenario.ts'
import { scenariosService } from './scenarios/service.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, Moment, Nullable, refusals } from '../../http/schemas.ts'
import { MODEL_LIMIT, OfProcess } from './schemas.ts'
import { component } from '../../kernel/components.ts'

const ONE = '/api/studio/models/:process'
const OfScenario = Type.Object({ ...OfProcess.properties, id: Type.String({ format: 'uuid' }) })
const Dmn = Type.String({ maxLength: 1_200_000, description: 'DMN 1.3' })
const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
const Inputs = Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' }), Value)
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

const Last = component(
  'LastRun',
  Type.Object({
    runId: Id,
    at: Moment,
    passed: Type.Boolean(),
    ofDraft: Type.Boolean(),
    outdated: Type.Boolean({ description: 'The model, or the scenario, has changed since' }),
    reasons: Result.properties.reasons,
  }),
)

const Named = component('NamedElement', Type.Object({ id: Type.String(), name: Type.String() }))
const AnswerForm = component('DeskForm', Type.Object({ ...Named.properties, form: FormData }))
const Parts = component(
  'ScenarioParts',
  Type.Object({
    start: FormData,
    moments: Type.Array(Named),
    desks: Type.Array(AnswerForm),
    timers: Type.Array(Named),
    messages: Type.Array(AnswerForm),
    topics: Type.Array(
      Type.Object({ ...AnswerForm.properties, moments: Type.Array(Named), raises: Type.Array(Type.String()) }),
    ),
    statusLists: Type.Array(
      Type.Object({ ...Named.properties, first: Nullable(Type.String()), states: Type.Array(Named) }),
    ),
    ends: Type.Array(Named),
  }),
)

/** Trying a model out before it is deployed: its decision tables, its scenarios, and real cases told anew. */
export function scenarioRoutes(
  app: App,
  dependencies: {
    db: Kysely<DB>
    library: Library
    definitions: Definitions
    engine: Pick<Engine, 'deployTrial' | 'forgetTrial'>
  },
): void {
  const scenarios = scenariosService(dependencies)

  app.post(
    `${ONE}/decisions/check`,
    {
      bodyLimit: MODEL_LIMIT,
      config: { rule: 'studio' },
      schema: {
        operationId: 'checkDecisionTables',
        tags: ['studio'],
        summary: 'For which inputs no row of a table applies, where more than one does, and which never gets its turn',
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
    async (request) => scenarios.checkTables(personOf(request), request.params.process, request.body.dmn),
  )

  app.post(
    `${ONE}/decisions/try`,
    {
      bodyLimit: MODEL_LIMIT,
      config: { rule: 'studio' },
      schema: {
        operationId: 'tryDecisionTable',
        tags: ['studio'],
        summary: 'Asks a decision table on the engine: which rows are hit, and what they give; nothing of it stays',
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
    async (request) => scenarios.tryTable(personOf(request), request.params.process, request.body),
  )

  app.get(
    `${ONE}/scenarios`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'listScenarios',
        tags: ['studio'],
        summary: 'The scenarios of a flow, those of the repository first, each with how it last went',
        params: OfProcess,
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Type.String(),
                source: Type.Enum(['repository', 'owner']),
                scenario: Scenario,
                changedBy: Nullable(Type.String()),
                changedAt: Nullable(Moment),
                last: Nullable(Last),
              }),
            ),
            rehearsal: Nullable(Id),
            running: Nullable(Id),
          }),
          ...refusals(401, 403, 404),
        },
      },
    },
    async (request) => scenarios.list(personOf(request), request.params.process),
  )

  app.get(
    `${ONE}/scenarios/parts`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'getScenarioParts',
        tags: ['studio'],
        summary: 'What a scenario of the flow can be made of: desks with their forms, deadlines, statuses, ends',
        params: OfProcess,
        querystring: Type.Object(
          { draft: Type.Optional(Type.Boolean({ description: 'By the open draft, not by the version that runs' })) },
          { additionalProperties: false },
        ),
        response: { 200: Parts, ...refusals(401, 403, 404, 422) },
      },
    },
    async (request) =>
      scenarios.parts(personOf(request), request.params.process, request.query.draft ?? false, languageOf(request)),
  )

  app.post(
    `${ONE}/scenarios/record`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'recordScenario',
        tags: ['studio'],
        summary: 'An ended case of the flow as a scenario without the data of persons; it is not kept by that',
        params: OfProcess,
        body: Type.Object({ reference: Type.String({ minLength: 1, maxLength: 60 }) }, { additionalProperties: false }),
        response: { 200: Scenario, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) =>
      scenarios.recorded(personOf(request), request.params.process, request.body.reference, languageOf(request)),
  )

  app.post(
    `${ONE}/scenarios`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'createScenario',
        tags: ['studio'],
        summary: 'Keeps a scenario with the flow',
        params: OfProcess,
        body: Scenario,
        response: { 201: Type.Object({ id: Id }), ...refusals(401, 403, 404, 409) },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await scenarios.create(personOf(request), request.params.process, request.body)),
  )

  app.put(
    `${ONE}/scenarios/:id`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'changeScenario',
        tags: ['studio'],
        summary: 'Changes a scenario of the owners; those of the repository are changed there',
        params: OfScenario,
        body: Scenario,
        response: { 204: Type.Null(), ...refusals(401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { process, id } = request.params
      await scenarios.update(personOf(request), process, id, request.body)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    `${ONE}/scenarios/:id`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'deleteScenario',
        tags: ['studio'],
        summary: 'Throws a scenario of the owners away',
        params: OfScenario,
        response: { 204: Type.Null(), ...refusals(401, 403, 404) },
      },
    },
    async (request, reply) => {
      await scenarios.remove(personOf(request), request.params.process, request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    `${ONE}/scenarios/run`,
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
      reply.code(202).send(await scenarios.run(personOf(request), request.params.process, request.body)),
  )

  app.post(
    `${ONE}/rehearsal`,
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
      reply.code(202).send(await scenarios.rehearse(personOf(request), request.params.process, request.body.last)),
  )

  app.get(
    `${ONE}/runs/:id`,
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
    async (request) => scenarios.getRun(personOf(request), request.params.process, request.params.id),
  )
}
