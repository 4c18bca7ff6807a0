import { Type } from 'typebox'
import { listBulk, previewBulk, readBulk, startBulk, stopBulk, undoBulk } from './service.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Cases } from '../../work/cases/service.ts'
import type { Tasks } from '../../work/tasks/service.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, Moment, Nullable, refusals, TaskId } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const Kind = Type.Enum(['complete', 'claim', 'release', 'assign'])
const BulkId = Type.Object({ id: Id })

const Wanted = component(
  'BulkRequest',
  Type.Object(
    {
      kind: Kind,
      tasks: Type.Array(TaskId.properties.id, { minItems: 1, maxItems: 500, uniqueItems: true }),
      outcome: Type.Optional(Type.String({ maxLength: 100, description: 'What is decided; beside `data`' })),
      data: Type.Optional(FormData),
      to: Type.Optional(Type.String({ format: 'uuid', description: 'Whom they are given to' })),
      notBefore: Type.Optional(
        Type.String({ format: 'date-time', description: 'Until then each decision can be taken back singly' }),
      ),
    },
    { additionalProperties: false },
  ),
)

const Action = component(
  'BulkAction',
  Type.Object({
    id: Id,
    kind: Kind,
    outcome: Nullable(Type.String({ description: 'What is decided, in words' })),
    state: Type.Enum(['running', 'stopped', 'done']),
    createdAt: Moment,
    endedAt: Nullable(Moment),
    undoUntil: Nullable(Moment),
    total: Type.Integer(),
    done: Type.Integer(),
    refused: Type.Integer(),
    stopped: Type.Integer(),
  }),
)
const ActionWithItems = component(
  'BulkActionWithItems',
  Type.Object({
    ...Action.properties,
    items: Type.Array(
      Type.Object({
        task: Type.String(),
        reference: Type.String(),
        title: Type.String(),
        state: Type.Enum(['waiting', 'done', 'refused', 'stopped']),
        message: Nullable(Type.String({ description: 'Why it was not done' })),
      }),
    ),
  }),
)

export function bulkRoutes(
  app: App,
  deps: { db: Kysely<DB>; library: Library; definitions: Definitions; cases: Cases; tasks: Tasks; publicUrl: string },
): void {
  app.post(
    '/api/bulk/preview',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'previewBulk',
        tags: ['bulk'],
        summary: 'With which tasks an act would go through, and with which not and why; nothing is done',
        description:
          'Decisions need one form: the one that most of them have. Without an answer it is told which form that is.',
        body: Wanted,
        response: {
          200: Type.Object({
            doable: Type.Array(Type.String()),
            refused: Type.Array(
              Type.Object({
                task: Type.String(),
                reference: Nullable(Type.String({ description: 'Null where this person may not know of the task' })),
                title: Nullable(Type.String()),
                code: Type.String(),
                message: Type.String(),
              }),
            ),
            form: Nullable(Type.Object({ key: Type.String(), hash: Type.String(), schema: FormData })),
            outcomes: Type.Array(Type.Object({ value: Type.String(), title: Type.String() }), {
              description: 'What the form lets one decide',
            }),
          }),
          ...refusals(401, 422),
        },
      },
    },
    async (request) => previewBulk(deps, personOf(request), request.body, languageOf(request)),
  )

  app.post(
    '/api/bulk',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'startBulk',
        tags: ['bulk'],
        summary: 'Begins one act on many tasks, which goes on by itself; one at a time per person',
        body: Wanted,
        response: { 202: Type.Object({ id: Id }), ...refusals(401, 404, 409, 422) },
      },
    },
    async (request, reply) => reply.code(202).send({ id: await startBulk(deps, personOf(request), request.body) }),
  )

  app.get(
    '/api/bulk',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listBulk',
        tags: ['bulk'],
        summary: 'Own acts on many tasks, the newest first',
        response: { 200: Type.Object({ items: Type.Array(Action) }), ...refusals(401) },
      },
    },
    async (request) => ({ items: await listBulk(deps, personOf(request), languageOf(request)) }),
  )

  app.get(
    '/api/bulk/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getBulk',
        tags: ['bulk'],
        summary: 'How far an own act on many tasks is, with an answer for each',
        params: BulkId,
        response: { 200: ActionWithItems, ...refusals(401, 404) },
      },
    },
    async (request) => readBulk(deps, personOf(request), request.params.id, languageOf(request)),
  )

  app.post(
    '/api/bulk/:id/stop',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'stopBulk',
        tags: ['bulk'],
        summary: 'Leaves alone what an own act on many tasks has not come to yet',
        params: BulkId,
        response: { 200: ActionWithItems, ...refusals(401, 404) },
      },
    },
    async (request) => stopBulk(deps, personOf(request), request.params.id, languageOf(request)),
  )

  app.post(
    '/api/bulk/:id/undo',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'undoBulk',
        tags: ['bulk'],
        summary: 'Takes those decisions of an own act on many tasks back that have not been sent, and stops it',
        params: BulkId,
        response: { 200: ActionWithItems, ...refusals(401, 404, 409) },
      },
    },
    async (request) => undoBulk(deps, personOf(request), request.params.id, languageOf(request)),
  )
}
