import { type Static, Type } from 'typebox'
import { groupings } from './choice.ts'
import { inboxService } from './service.ts'
import { queues, sorts } from './query.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Key, Name, Named, Nullable, PageOf, Query, filtersOf, paging, refusals } from '../../http/schemas.ts'
import { SheetAnswer, SheetFormat, sendSheet, sheetTypes } from '../../http/sheets.ts'
import { TaskRow } from '../tasks/routes.ts'
import { component } from '../../kernel/components.ts'

const Count = Type.Object({ value: Type.Integer(), more: Type.Boolean() })
const Cents = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const ViewName = Name({ minLength: 1, maxLength: 60, pattern: '\\S' })
const ViewQuery = Type.Record(Type.String({ pattern: '^[A-Za-z0-9._/-]{1,120}$' }), Type.String({ maxLength: 500 }), {
  description: 'As the address bar has it',
  maxProperties: 40,
})

/** What narrows lists of tasks, whether they are read, exported or counted. */
const narrowing = {
  flow: Type.Optional(Key),
  status: Type.Optional(Type.String({ maxLength: 100 })),
  desk: Type.Optional(Type.String({ maxLength: 100 })),
  requester: Type.Optional(Id),
  faculty: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' })),
  amountFrom: Type.Optional(Cents),
  amountTo: Type.Optional(Cents),
  from: Type.Optional(Type.String({ format: 'date', description: 'First day on which it may have come in' })),
  until: Type.Optional(Type.String({ format: 'date', description: 'Last day on which it may have come in' })),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'In reference, subject, requester and name of the task' }),
  ),
  for: Type.Optional(Type.String({ format: 'uuid', description: 'Only what one has as substitute of this person' })),
}

/** What a list of tasks can be asked for. */
const asked = {
  queue: Type.Optional(
    Type.Enum([...queues], {
      default: 'open',
      description:
        'Free to take; held by the person who asks; held by a colleague; due within two working days; overdue; put off, or waiting for the requester’s answer; decided by them while the case still runs; decided by them',
    }),
  ),
  ...narrowing,
  sort: Type.Optional(Type.Enum([...sorts], { default: '-created' })),
}

const View = component(
  'InboxView',
  Type.Object({
    id: Id,
    name: Type.String(),
    query: ViewQuery,
    sharedWith: Nullable(Type.String({ description: 'A role: whoever holds it sees the view as well' })),
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

function narrowedOf(query: Static<ReturnType<typeof Query<typeof narrowing>>>) {
  const { flow, status, desk, requester, faculty, amountFrom, amountTo, from, until, search } = query
  const ranges = { amountFrom, amountTo, from, until, search }
  return { flow, status, desk, requester, faculty, for: query.for, ...ranges, filters: filtersOf(query) }
}

function wantedOf(query: Static<ReturnType<typeof Query<typeof asked>>>) {
  const { queue, sort } = query
  return { queue, sort, ...narrowedOf(query) }
}

/** The inbox: its queues, what they can be narrowed by, and what people keep of that. */
export function inboxRoutes(
  app: App,
  deps: { db: Kysely<DB>; library: Library; definitions: Definitions; exported?: number | undefined },
): void {
  const inbox = inboxService(deps)

  app.get(
    '/api/tasks',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listTasks',
        tags: ['tasks'],
        summary: 'One queue of the inbox; `filter.<field>` for what the forms mark with x-filter',
        querystring: Query({ ...paging, ...asked }, { filters: true }),
        response: {
          200: Type.Object({
            ...PageOf(TaskRow).properties,
            narrow: Type.Boolean({
              description:
                'So much would have to be looked through that the page ends early; `next` looks further, a narrower question sooner',
            }),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => {
      const { cursor, limit } = request.query
      return inbox.list(personOf(request), { ...wantedOf(request.query), cursor, limit }, languageOf(request))
    },
  )

  app.get(
    '/api/tasks/count',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'countTasks',
        tags: ['tasks'],
        summary: 'How many tasks each queue has, of those that the same narrowing leaves in its list',
        querystring: Query(narrowing, { filters: true }),
        response: {
          200: Type.Object({
            open: Count,
            mine: Count,
            group: Count,
            'due-soon': Count,
            overdue: Count,
            later: Count,
            waiting: Count,
            done: Count,
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => inbox.count(personOf(request), narrowedOf(request.query)),
  )

  app.get(
    '/api/tasks/export',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'exportTasks',
        tags: ['tasks'],
        summary:
          'A list of the inbox as a file, at most 10,000 rows; where there is more, its last line and the header `x-rows-of-more` say so',
        querystring: Query({ format: SheetFormat, ...asked }, { filters: true }),
        produces: [...sheetTypes],
        response: { 200: SheetAnswer, ...refusals(401) },
      },
    },
    async (request, reply) => {
      const { format } = request.query
      const file = await inbox.export(personOf(request), { ...wantedOf(request.query), format }, languageOf(request))
      if (file.rest) reply.header('x-rows-of-more', String(file.rows))
      return sendSheet(reply, file)
    },
  )

  app.get(
    '/api/inbox/fields',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listInboxFields',
        tags: ['tasks'],
        summary: 'What the lists of the inbox can be narrowed by, and the columns that a flow has',
        querystring: Query({ flow: Type.Optional(Key) }),
        response: {
          200: Type.Object({
            flows: Type.Array(Type.Object({ key: Type.String(), title: Type.String() })),
            statuses: Type.Array(Named),
            desks: Type.Array(Type.Object({ key: Type.String(), title: Type.String() })),
            fields: Type.Array(
              Type.Object({
                name: Type.String(),
                title: Type.String(),
                type: Type.Enum(['text', 'choice', 'item', 'date', 'boolean']),
                options: Type.Optional(Type.Array(Type.Object({ value: Type.String(), title: Type.String() }))),
                register: Type.Optional(Type.String()),
              }),
            ),
            columns: Type.Array(Type.Object({ name: Type.String(), title: Type.String() })),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => inbox.fields(personOf(request), request.query.flow, languageOf(request)),
  )

  app.get(
    '/api/inbox/views',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listInboxViews',
        tags: ['tasks'],
        summary: 'Own views of the inbox, and those that are shared with a role one holds',
        response: { 200: Type.Object({ items: Type.Array(View) }), ...refusals(401) },
      },
    },
    async (request) => ({ items: await inbox.views.list(personOf(request)) }),
  )

  app.post(
    '/api/inbox/views',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'saveInboxView',
        tags: ['tasks'],
        summary: 'Keeps a view of the inbox under a name, shared with a role one holds or not at all',
        body: Type.Object(
          { name: ViewName, query: ViewQuery, sharedWith: Type.Optional(Nullable(Type.String({ maxLength: 100 }))) },
          { additionalProperties: false },
        ),
        response: { 201: View, ...refusals(401, 403, 409, 422) },
      },
    },
    async (request, reply) => reply.code(201).send(await inbox.views.save(personOf(request), request.body)),
  )

  app.patch(
    '/api/inbox/views/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'changeInboxView',
        tags: ['tasks'],
        summary: 'Changes an own view of the inbox',
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
    async (request) => inbox.views.change(personOf(request), request.params.id, request.body),
  )

  app.delete(
    '/api/inbox/views/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'deleteInboxView',
        tags: ['tasks'],
        summary: 'Forgets an own view of the inbox',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null(), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      await inbox.views.delete(personOf(request), request.params.id)
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
        summary: 'How the inbox looks to the person who asks: start view, density, grouping, columns by flow',
        response: { 200: Choice, ...refusals(401) },
      },
    },
    async (request) => inbox.choice.get(personOf(request)),
  )

  app.patch(
    '/api/inbox/choice',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'changeInboxChoice',
        tags: ['tasks'],
        summary: 'Remembers how the inbox shall look',
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
    async (request) => inbox.choice.change(personOf(request), request.body),
  )
}
