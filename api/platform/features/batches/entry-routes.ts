import { Type } from 'typebox'
import { openEntries, previewEntries, readEntries, stopEntries } from './entries.ts'
import type { GatherDependencies } from './gathered.ts'
import { gatheredRoutes } from './gathered-routes.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Nullable, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import { CHOICE_LIMIT, flowOf, ids, LeftOut, listed, Of, Progress } from './schemas.ts'

const Choice = Type.Object({ ids: ids(2000, 'Items chosen one by one'), ...listed }, { additionalProperties: false })

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
    leftOut: LeftOut,
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
  const config = { rule: 'signed-in' } as const
  const tags = ['batches']

  app.post(
    '/api/entry-batches/:area/:flow/preview',
    {
      config,
      bodyLimit: CHOICE_LIMIT,
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
      bodyLimit: CHOICE_LIMIT,
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
