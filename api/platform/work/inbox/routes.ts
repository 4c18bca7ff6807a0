import { type Static, Type } from 'typebox'
import { countInbox, exportInbox, listInbox } from './service.ts'
import { inboxFields } from '../tasks/columns.ts'
import { inboxViewRoutes } from './view-routes.ts'
import { queues, sorts } from './query.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Key, Named, PageOf, Query, filtersOf, paging, refusals } from '../../http/schemas.ts'
import { SheetAnswer, SheetFormat, sendSheet, sheetTypes } from '../../http/sheets.ts'
import { TaskRow } from '../tasks/routes.ts'

const Count = Type.Object({ value: Type.Integer(), more: Type.Boolean() })
const Cents = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** Filters of task lists, for reading, exporting and counting. */
const narrowing = {
  flow: Type.Optional(Key),
  status: Type.Optional(Type.String({ maxLength: 100 })),
  desk: Type.Optional(Type.String({ maxLength: 100 })),
  requester: Type.Optional(Id),
  faculty: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' })),
  amountFrom: Type.Optional(Cents),
  amountTo: Type.Optional(Cents),
  from: Type.Optional(Type.String({ format: 'date', description: 'First day of arrival' })),
  until: Type.Optional(Type.String({ format: 'date', description: 'Last day of arrival' })),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Searches case number, subject, requester and task name' }),
  ),
  for: Type.Optional(Type.String({ format: 'uuid', description: 'Only tasks held as substitute for this person' })),
}

/** The query of a task list. */
const asked = {
  queue: Type.Optional(
    Type.Enum([...queues], {
      default: 'open',
      description:
        'Free to take; held by you; held by a colleague; due within two working days; overdue; put off, or waiting for the requester’s answer; decided by you while the case still runs; decided by you',
    }),
  ),
  ...narrowing,
  sort: Type.Optional(Type.Enum([...sorts], { default: '-created' })),
}

function narrowedOf(query: Static<ReturnType<typeof Query<typeof narrowing>>>) {
  const { flow, status, desk, requester, faculty, amountFrom, amountTo, from, until, search } = query
  const ranges = { amountFrom, amountTo, from, until, search }
  return { flow, status, desk, requester, faculty, for: query.for, ...ranges, filters: filtersOf(query) }
}

function wantedOf(query: Static<ReturnType<typeof Query<typeof asked>>>) {
  const { queue, sort } = query
  return { queue, sort, ...narrowedOf(query) }
}

/** The inbox: its queues, their filters, and saved settings. */
export function inboxRoutes(
  app: App,
  deps: { db: Kysely<DB>; library: Library; definitions: Definitions; exported?: number | undefined },
): void {
  app.get(
    '/api/tasks',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listTasks',
        tags: ['tasks'],
        summary: 'List a queue of the inbox; `filter.<field>` for form fields marked x-filter',
        querystring: Query({ ...paging, ...asked }, { filters: true }),
        response: {
          200: Type.Object({
            ...PageOf(TaskRow).properties,
            narrow: Type.Boolean({
              description:
                'The page ends early because the search is long; `next` continues it, a narrower filter is faster',
            }),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => {
      const { cursor, limit } = request.query
      return listInbox(deps, personOf(request), { ...wantedOf(request.query), cursor, limit }, languageOf(request))
    },
  )

  app.get(
    '/api/tasks/count',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'countTasks',
        tags: ['tasks'],
        summary: 'Count the tasks of each queue under the same filters',
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
    async (request) => countInbox(deps, personOf(request), narrowedOf(request.query)),
  )

  app.get(
    '/api/tasks/export',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'exportTasks',
        tags: ['tasks'],
        summary:
          'Download a queue of the inbox, at most 10,000 rows; if there are more, the last line and the header `x-rows-of-more` say so',
        querystring: Query({ format: SheetFormat, ...asked }, { filters: true }),
        produces: [...sheetTypes],
        response: { 200: SheetAnswer, ...refusals(401) },
      },
    },
    async (request, reply) => {
      const { format } = request.query
      const file = await exportInbox(
        deps,
        personOf(request),
        { ...wantedOf(request.query), format },
        languageOf(request),
      )
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
        summary: 'List the filters of the inbox, and the columns of a flow',
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
    async (request) => inboxFields(deps, personOf(request), request.query.flow, languageOf(request)),
  )

  inboxViewRoutes(app, deps)
}
