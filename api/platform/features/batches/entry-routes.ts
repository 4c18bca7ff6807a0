import { Type } from 'typebox'
import { openEntries, previewEntries, readEntries, stopEntries } from './entries.ts'
import type { GatherDependencies } from './gathered.ts'
import { gatheredRoutes } from './gathered-routes.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Nullable, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import { Progress } from './schemas.ts'

const Name = Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 60 })
const Of = Type.Object({ area: Name, flow: Name })
const Words = Type.String({ maxLength: 200 })
/** Largest choice: two thousand ids. */
const BODY_LIMIT = 128 * 1024

const Choice = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 2000, uniqueItems: true, description: 'Items chosen one by one' }),
    ),
    search: Type.Optional(Words),
    status: Type.Optional(Type.String({ maxLength: 60 })),
    filters: Type.Optional(Type.Record(Type.String({ maxLength: 60 }), Words)),
  },
  { additionalProperties: false },
)

const Preview = component(
  'EntryPreview',
  Type.Object({
    total: Type.Integer(),
    ready: Type.Integer({ description: 'Items for which a case can begin' }),
    stamp: Type.String({ description: 'Changes when another item is ready, or one has changed' }),
    mails: Type.Array(
      Type.Object({
        id: Id,
        title: Type.String(),
        to: Type.String(),
        language: Type.Enum(['en', 'si', 'ta']),
        subject: Type.String(),
        body: Type.String(),
      }),
      { description: 'The first hundred mails, each as its recipient gets it' },
    ),
    leftOut: Type.Array(Type.Object({ id: Id, title: Type.String(), message: Type.String() }), {
      description: 'The first hundred items that are left out, and why',
    }),
  }),
)

const Entries = component(
  'EntryBatch',
  Type.Object({
    latest: Nullable(Progress),
    entries: Type.Array(
      Type.Object({
        id: Id,
        title: Type.String(),
        state: Type.Enum(['waiting', 'done', 'refused', 'stopped']),
        case: Nullable(Type.Object({ id: Id, reference: Type.String() })),
        message: Nullable(Type.String({ description: 'Why it got no case' })),
      }),
      { description: 'The first hundred of the newest batch, refused ones first' },
    ),
  }),
)

/** Opens a flow for each of many chosen register items, or for all of them together. */
export function entryBatchRoutes(app: App, deps: GatherDependencies): void {
  gatheredRoutes(app, deps)
  const flowOf = ({ area, flow }: { area: string; flow: string }) => `${area}/${flow}`
  const config = { rule: 'signed-in' } as const
  const tags = ['batches']

  app.post(
    '/api/entry-batches/:area/:flow/preview',
    {
      config,
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'previewEntryBatch',
        tags,
        summary: 'Show the mail of each chosen item, and the items that are left out; changes nothing',
        params: Of,
        body: Type.Object({ choice: Choice }, { additionalProperties: false }),
        response: { 200: Preview, ...refusals(401, 404, 422) },
      },
    },
    async (request) =>
      previewEntries(deps, personOf(request), flowOf(request.params), request.body.choice, languageOf(request)),
  )

  app.post(
    '/api/entry-batches/:area/:flow',
    {
      config,
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'openEntryBatch',
        tags,
        summary: 'Open a case for each chosen item that is ready, in the background',
        params: Of,
        body: Type.Object(
          {
            choice: Choice,
            stamp: Type.String({ maxLength: 100, description: 'The one of the preview that was confirmed' }),
          },
          { additionalProperties: false },
        ),
        response: { 202: Entries, ...refusals(401, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const { params, body } = request
      return reply.code(202).send(await openEntries(deps, personOf(request), flowOf(params), body, languageOf(request)))
    },
  )

  app.get(
    '/api/entry-batches/:area/:flow',
    {
      config,
      schema: {
        operationId: 'getEntryBatch',
        tags,
        summary: 'Get the progress of the newest batch, and the result of each item',
        params: Of,
        response: { 200: Entries, ...refusals(401, 404) },
      },
    },
    async (request) => readEntries(deps, personOf(request), flowOf(request.params), languageOf(request)),
  )

  app.post(
    '/api/entry-batches/:area/:flow/stop',
    {
      config,
      schema: {
        operationId: 'stopEntryBatch',
        tags,
        summary: 'Stop the running batch; items not yet reached get no case',
        params: Of,
        response: { 200: Entries, ...refusals(401, 404) },
      },
    },
    async (request) => stopEntries(deps, personOf(request), flowOf(request.params), languageOf(request)),
  )
}
