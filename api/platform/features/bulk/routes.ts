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
      outcome: Type.Optional(Type.String({ maxLength: 100, description: 'The decision; goes with `data`' })),
      data: Type.Optional(FormData),
      to: Type.Optional(Type.String({ format: 'uuid', description: 'The new assignee' })),
      notBefore: Type.Optional(
        Type.String({ format: 'date-time', description: 'Until then each decision can be undone separately' }),
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
    outcome: Nullable(Type.String({ description: 'The decision, in words' })),
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
        message: Nullable(Type.String({ description: 'Why it failed' })),
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
        summary: 'Preview for which tasks a bulk act would succeed, and why not for the others',
        description:
          'Decisions need one form: the one that most of the tasks have. Without a decision, the answer names that form.',
        body: Wanted,
        response: {
          200: Type.Object({
            doable: Type.Array(Type.String()),
            refused: Type.Array(
              Type.Object({
                task: Type.String(),
                reference: Nullable(Type.String({ description: 'Null if you may not see the task' })),
                title: Nullable(Type.String()),
                code: Type.String(),
                message: Type.String(),
              }),
            ),
            form: Nullable(Type.Object({ key: Type.String(), hash: Type.String(), schema: FormData })),
            outcomes: Type.Array(Type.Object({ value: Type.String(), title: Type.String() }), {
              description: 'Decisions that the form offers',
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
        summary: 'Start one act on many tasks, in the background; one at a time per person',
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
        summary: 'List your bulk acts, newest first',
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
        summary: 'Get the progress of your bulk act, with the result for each task',
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
        summary: 'Stop your bulk act; remaining tasks stay as they are',
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
        summary: 'Stop your bulk act and undo those of its decisions that have not been sent',
        params: BulkId,
        response: { 200: ActionWithItems, ...refusals(401, 404, 409) },
      },
    },
    async (request) => undoBulk(deps, personOf(request), request.params.id, languageOf(request)),
  )
}
