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
      description: 'The element that the instruction leads on from; empty where it is the whole',
    }),
    reason: Type.String(),
  }),
)
const Open = Type.Array(Type.Object({ element: Type.String(), name: Type.String(), cases: Type.Integer() }), {
  description: 'Elements at which cases stand and from which no instruction leads on',
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
      { description: 'What had not moved by then stays, but for what the engine was being asked for' },
    ),
  ),
  next: Nullable(Type.String({ description: 'Hand it back as `cursor` for the next page' })),
  items: Type.Array(
    Type.Object({
      caseId: Id,
      reference: Type.String(),
      state: Type.Enum(['waiting', 'moving', 'done', 'failed']),
      reason: Nullable(Type.String({ description: 'Why it stays as it is' })),
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
        summary: 'How running cases can go on in another version, and where they stand without an instruction',
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
        summary: 'What speaks against instructions, and which cases they leave where they are',
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
        summary: 'Moves running cases to another version, all of them or these; goes on by itself',
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
        summary: 'How far a migration is, and what has become of each case, those that stay before others',
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
        summary: 'Stops a migration: what has moved stays moved, all else stays where it is',
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
        summary: 'How cases have run through the elements of a flow in a period, by default the last 90 days',
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
            whole: Type.Boolean({ description: 'False where only the newest 20,000 cases were looked at' }),
            elements: Type.Array(
              Type.Object({
                element: Type.String(),
                name: Type.String(),
                passes: Type.Integer(),
                cases: Type.Integer(),
                waitingSeconds: Nullable(
                  Type.Object(
                    { median: Type.Number(), p90: Type.Number() },
                    { description: 'What still stands there counts until now' },
                  ),
                ),
                standing: Type.Integer({ description: 'Passes that have not ended' }),
                rework: Type.Integer({ description: 'Passes of a case that had been there before' }),
                rejections: Type.Integer({ description: 'Decisions that said no' }),
                reminders: Type.Integer({
                  description: 'Reminders of the person who had a task here, as the desk promises',
                }),
                escalations: Type.Integer({ description: 'Mails to those above the desk, as it promises' }),
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
