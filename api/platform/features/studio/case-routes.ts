import { Type } from 'typebox'
import { studioHeat } from './heat.ts'
import { planMigration, validateMigration, beginMigration, readMigration, stopMigration } from './migrations.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Moment, Nullable, Query, refusals } from '../../http/schemas.ts'
import { DefinitionId, MODEL_PATH, Note, OfProcess } from './schemas.ts'
import { component } from '../../kernel/components.ts'

const Element = Type.String({ minLength: 1, maxLength: 200 })
const Versions = { from: DefinitionId, to: DefinitionId }
const Instruction = component(
  'MigrationInstruction',
  Type.Object({ source: Element, target: Element }, { additionalProperties: false }),
)
const Instructions = Type.Array(Instruction, { maxItems: 500 })
const Found = Type.Array(
  Type.Object({
    element: Type.String({
      description: 'Element that the instruction starts from; empty if it concerns all instructions',
    }),
    reason: Type.String(),
  }),
)
const Open = Type.Array(Type.Object({ element: Type.String(), name: Type.String(), cases: Type.Integer() }), {
  description: 'Elements where cases wait and no instruction applies',
})

const MigrationProgress = Type.Object({
  from: Type.String(),
  to: Type.String(),
  total: Type.Integer(),
  done: Type.Integer(),
  failed: Type.Integer(),
  stopped: Nullable(
    Type.Object(
      { by: Type.String(), at: Moment, reason: Type.String() },
      { description: 'Cases not moved by then stay, except those already sent to the engine' },
    ),
  ),
  next: Nullable(Type.String({ description: 'Pass it as `cursor` for the next page' })),
  items: Type.Array(
    Type.Object({
      caseId: Id,
      reference: Type.String(),
      state: Type.Enum(['waiting', 'moving', 'done', 'failed']),
      reason: Nullable(Type.String({ description: 'Why it was not migrated' })),
    }),
  ),
})

export interface StudioCasesDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  engine: Pick<Engine, 'migrationPlan' | 'validateMigration'>
}

/** Cases of an owner's flows: moving them to another version, and how they run. */
export function studioCaseRoutes(app: App, dependencies: StudioCasesDependencies): void {
  migrationRoutes(app, dependencies)
  heatRoutes(app, dependencies)
}

/** Migration of cases to another version. */
function migrationRoutes(app: App, dependencies: StudioCasesDependencies): void {
  app.post(
    `${MODEL_PATH}/migration/plan`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'planMigration',
        tags: ['studio'],
        summary: 'Plan a migration: instructions to another version, and elements without one',
        params: OfProcess,
        body: Type.Object(Versions, { additionalProperties: false }),
        response: {
          200: Type.Object({
            instructions: Type.Array(Instruction),
            open: Open,
            problems: Found,
          }),
          ...refusals(401, 403, 404, 422),
        },
      },
    },
    async (request) => planMigration(dependencies, personOf(request), request.params.process, request.body),
  )

  app.post(
    `${MODEL_PATH}/migration/validate`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'validateMigration',
        tags: ['studio'],
        summary: 'Check migration instructions: problems, and the cases that they do not move',
        params: OfProcess,
        body: Type.Object({ ...Versions, instructions: Instructions }, { additionalProperties: false }),
        response: { 200: Type.Object({ problems: Found, open: Open }), ...refusals(401, 403, 404, 422) },
      },
    },
    async (request) => validateMigration(dependencies, personOf(request), request.params.process, request.body),
  )

  app.post(
    `${MODEL_PATH}/migrations`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'beginMigration',
        tags: ['studio'],
        summary: 'Migrate all or selected running cases to another version, in the background',
        params: OfProcess,
        body: Type.Object(
          {
            ...Versions,
            instructions: Instructions,
            cases: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 1000 })),
            reason: Type.Optional(Note),
          },
          { additionalProperties: false },
        ),
        response: { 202: Type.Object({ id: Id }), ...refusals(401, 403, 404, 422) },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await beginMigration(dependencies, personOf(request), request.params.process, request.body)),
  )

  app.get(
    `${MODEL_PATH}/migrations/:id`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'getMigration',
        tags: ['studio'],
        summary: 'Get the progress of a migration and the result for each case, cases not migrated first',
        params: Type.Object({ ...OfProcess.properties, id: Id }),
        querystring: Query({
          cursor: Type.Optional(Type.String({ maxLength: 200 })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 500 })),
        }),
        response: {
          200: MigrationProgress,
          ...refusals(401, 403, 404, 422),
        },
      },
    },
    async (request) => {
      const { process, id } = request.params
      return readMigration(dependencies, personOf(request), process, id, request.query, languageOf(request))
    },
  )

  app.post(
    `${MODEL_PATH}/migrations/:id/stop`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'stopMigration',
        tags: ['studio'],
        summary: 'Stop a migration; migrated cases stay migrated',
        params: Type.Object({ ...OfProcess.properties, id: Id }),
        body: Type.Object({ reason: Note }, { additionalProperties: false }),
        response: { 204: Type.Null(), ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const { process, id } = request.params
      await stopMigration(dependencies, personOf(request), process, id, request.body)
      return reply.code(204).send(null)
    },
  )
}

/** Statistics of cases per element. */
function heatRoutes(app: App, dependencies: StudioCasesDependencies): void {
  const heat = studioHeat(dependencies)

  app.get(
    `${MODEL_PATH}/heat`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'getHeat',
        tags: ['studio'],
        summary: 'Get how cases ran through the elements of a flow in a period, by default the last 90 days',
        params: OfProcess,
        querystring: Query({
          from: Type.Optional(Moment),
          until: Type.Optional(Moment),
          definition: Type.Optional(DefinitionId),
        }),
        response: {
          200: Type.Object({
            from: Moment,
            until: Moment,
            cases: Type.Integer(),
            whole: Type.Boolean({ description: 'False if only the newest 20,000 cases were counted' }),
            elements: Type.Array(
              Type.Object({
                element: Type.String(),
                name: Type.String(),
                passes: Type.Integer(),
                cases: Type.Integer(),
                waitingSeconds: Nullable(
                  Type.Object(
                    { median: Type.Number(), p90: Type.Number() },
                    { description: 'Cases still there are counted up to now' },
                  ),
                ),
                present: Type.Integer({ description: 'Visits that have not ended' }),
                rework: Type.Integer({ description: 'Visits of cases that had been there before' }),
                rejections: Type.Integer({ description: 'Rejections' }),
                reminders: Type.Integer({
                  description: 'Reminders to assignees, as the desk promises',
                }),
                escalations: Type.Integer({ description: 'Escalation emails, as the desk promises' }),
              }),
            ),
          }),
          ...refusals(401, 403, 404),
        },
      },
    },
    async (request) => heat.get(personOf(request), request.params.process, request.query),
  )
}
