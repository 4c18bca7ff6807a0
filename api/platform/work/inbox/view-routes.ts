import { Type } from 'typebox'
import type { Kysely } from 'kysely'
import { changeInboxChoice, findInboxChoice, groupings } from './choice.ts'
import { changeView, deleteView, listViews, saveView } from './views.ts'
import type { App } from '../../http/app.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { personOf } from '../../http/auth.ts'
import { Id, Key, Name, Nullable, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const ViewName = Name({ minLength: 1, maxLength: 60, pattern: '\\S' })
const ViewQuery = Type.Record(Type.String({ pattern: '^[A-Za-z0-9._/-]{1,120}$' }), Type.String({ maxLength: 500 }), {
  description: 'Query string, as in the address bar',
  maxProperties: 40,
})

const View = component(
  'InboxView',
  Type.Object({
    id: Id,
    name: Type.String(),
    query: ViewQuery,
    sharedWith: Nullable(Type.String({ description: 'A role; its holders see the view as well' })),
    own: Type.Boolean(),
    version: Type.Integer(),
  }),
)
const Choice = component(
  'InboxChoice',
  Type.Object({
    startView: Nullable(Id),
    density: Type.Enum(['comfortable', 'compact']),
    grouping: Type.Enum([...groupings]),
    columns: Type.Record(Type.String(), Type.Array(Type.String())),
  }),
)

/** Saved settings of the inbox: named views and how it looks. */
export function inboxViewRoutes(app: App, { db }: { db: Kysely<DB> }): void {
  app.get(
    '/api/inbox/views',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listInboxViews',
        tags: ['tasks'],
        summary: 'List your views of the inbox, and those shared with your roles',
        response: { 200: Type.Object({ items: Type.Array(View) }), ...refusals(401) },
      },
    },
    async (request) => ({ items: await listViews({ db }, personOf(request)) }),
  )

  app.post(
    '/api/inbox/views',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'saveInboxView',
        tags: ['tasks'],
        summary: 'Save a view of the inbox under a name, optionally shared with one of your roles',
        body: Type.Object(
          { name: ViewName, query: ViewQuery, sharedWith: Type.Optional(Nullable(Type.String({ maxLength: 100 }))) },
          { additionalProperties: false },
        ),
        response: { 201: View, ...refusals(401, 403, 409, 422) },
      },
    },
    async (request, reply) => reply.code(201).send(await saveView({ db }, personOf(request), request.body)),
  )

  app.patch(
    '/api/inbox/views/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'changeInboxView',
        tags: ['tasks'],
        summary: 'Change your view of the inbox',
        params: Type.Object({ id: Id }),
        body: Type.Object(
          {
            version: Type.Integer({ minimum: 1 }),
            name: Type.Optional(ViewName),
            query: Type.Optional(ViewQuery),
            sharedWith: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
          },
          { additionalProperties: false },
        ),
        response: { 200: View, ...refusals(401, 403, 404, 409, 412, 422) },
      },
    },
    async (request) => changeView({ db }, personOf(request), request.params.id, request.body),
  )

  app.delete(
    '/api/inbox/views/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'deleteInboxView',
        tags: ['tasks'],
        summary: 'Delete your view of the inbox',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null(), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      await deleteView({ db }, personOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/api/inbox/choice',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getInboxChoice',
        tags: ['tasks'],
        summary: 'Get your settings of the inbox: start view, density, grouping, columns by flow',
        response: { 200: Choice, ...refusals(401) },
      },
    },
    async (request) => findInboxChoice(db, personOf(request)),
  )

  app.patch(
    '/api/inbox/choice',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'changeInboxChoice',
        tags: ['tasks'],
        summary: 'Save your settings of the inbox',
        body: Type.Object(
          {
            startView: Type.Optional(Nullable(Id)),
            density: Type.Optional(Type.Enum(['comfortable', 'compact'])),
            grouping: Type.Optional(Type.Enum([...groupings])),
            columns: Type.Optional(
              Type.Record(Key, Type.Array(Type.String({ maxLength: 100 }), { maxItems: 30 }), { maxProperties: 100 }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: Choice, ...refusals(401, 422) },
      },
    },
    async (request) => changeInboxChoice(db, personOf(request), request.body),
  )
}
