import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Moment, Nullable, Query, paging, refusals } from '../../http/schemas.ts'
import { OPERATORS, type OperationsDependencies } from './context.ts'
import { troubleGroups, listTroubleItems } from './troubles.ts'
import { retryTroubles } from './retry.ts'
import { readStandpoint, previewMove, moveToken } from './move.ts'

const rule = { roles: ['ADMIN', 'SA', ...OPERATORS] }

const Remedy = Type.Union([Type.Literal('retry'), Type.Literal('close'), Type.Null()], {
  description: 'Available remedy: retry, mark as handled, or none here',
})
const Cause = Type.String({ pattern: '^[0-9a-f]{32}$' })
const Trouble = Type.String({ pattern: '^(incident|event|job):.+$', maxLength: 300 })
const Element = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,199}$' })
const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })
const CaseKey = Type.Object({
  case: Type.String({ pattern: '^[A-Za-z0-9-]{1,60}$', description: 'Id or case number' }),
})

/** What needs an operator, and moving tokens. */
export function operationRoutes(app: App, deps: OperationsDependencies): void {
  troubleRoutes(app, deps)
  tokenRoutes(app, deps)
}

/** Lists what needs an operator, and retries it. */
function troubleRoutes(app: App, deps: OperationsDependencies): void {
  app.get(
    '/api/operations',
    {
      config: { rule },
      schema: {
        operationId: 'listOperations',
        tags: ['operations'],
        summary: 'List incidents, parked events, orphaned effects, undeliverable emails and failed jobs, by cause',
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                cause: Cause,
                kind: Type.String(),
                element: Nullable(Type.String({ description: 'Name in the diagram, if it has one' })),
                flow: Nullable(Type.String({ description: 'Title of the flow' })),
                message: Type.String({ description: 'Of the newest item' }),
                count: Type.Integer(),
                oldest: Moment,
                remedy: Remedy,
              }),
            ),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => ({ items: await troubleGroups(deps, languageOf(request)) }),
  )

  app.get(
    '/api/operations/causes/:cause/items',
    {
      config: { rule },
      schema: {
        operationId: 'listOperationItems',
        tags: ['operations'],
        summary: 'List all items of one cause, oldest first',
        params: Type.Object({ cause: Cause }),
        querystring: Query(paging),
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Trouble,
                kind: Type.String(),
                message: Type.String(),
                element: Nullable(Type.String()),
                at: Moment,
                remedy: Remedy,
                case: Nullable(Type.Object({ id: Id, reference: Type.String() })),
              }),
            ),
            next: Nullable(Type.String()),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async ({ params, query: { limit = 20, cursor } }) =>
      listTroubleItems(deps, params.cause, { limit, ...(cursor !== undefined && { cursor }) }),
  )

  app.post(
    '/api/operations/retry',
    {
      config: { rule },
      schema: {
        operationId: 'retryOperations',
        tags: ['operations'],
        summary: 'Retry items, or up to a hundred of one cause; close those that need no retry',
        body: Type.Object(
          {
            items: Type.Optional(Type.Array(Trouble, { minItems: 1, maxItems: 100 })),
            cause: Type.Optional(Cause),
            reason: Reason,
          },
          { additionalProperties: false, minProperties: 2 },
        ),
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Trouble,
                outcome: Type.Enum(['retried', 'closed', 'gone', 'failed'], {
                  description: '`gone`: already resolved; `failed`: not possible now',
                }),
              }),
            ),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => ({ items: await retryTroubles(deps, personOf(request), request.body) }),
  )
}

/** Token positions of a case, and moving a token. */
function tokenRoutes(app: App, deps: OperationsDependencies): void {
  app.get(
    '/api/operations/cases/:case',
    {
      config: { rule },
      schema: {
        operationId: 'getTokens',
        tags: ['operations'],
        summary: 'List where the tokens of a case are, and where one could be moved to',
        params: CaseKey,
        response: {
          200: Type.Object({
            id: Id,
            reference: Type.String(),
            flow: Type.String(),
            moving: Type.Boolean({ description: 'A move is waiting for the engine' }),
            present: Type.Array(
              Type.Object({
                element: Type.String(),
                name: Type.String(),
                since: Moment,
                holder: Nullable(Type.String({ description: 'Assignee of its task' })),
              }),
            ),
            targets: Type.Array(Type.Object({ element: Type.String(), name: Type.String(), type: Type.String() })),
          }),
          ...refusals(401, 403, 404, 409),
        },
      },
    },
    async (request) => readStandpoint(deps, request.params.case, languageOf(request)),
  )

  app.get(
    '/api/operations/cases/:case/move',
    {
      config: { rule },
      schema: {
        operationId: 'previewMove',
        tags: ['operations'],
        summary: 'Preview what moving a token would end and start',
        params: CaseKey,
        querystring: Query({ from: Element, to: Element }),
        response: {
          200: Type.Object({
            ends: Type.Array(
              Type.Object({ element: Type.String(), name: Type.String(), holder: Nullable(Type.String()) }),
            ),
            begins: Type.Array(
              Type.Object({
                element: Type.String(),
                name: Type.String(),
                roles: Type.Array(Type.String()),
                status: Nullable(Type.String()),
              }),
            ),
          }),
          ...refusals(401, 403, 404, 409, 422),
        },
      },
    },
    async (request) => previewMove(deps, request.params.case, request.query, languageOf(request)),
  )

  app.post(
    '/api/operations/cases/:case/move',
    {
      config: { rule },
      schema: {
        operationId: 'moveToken',
        tags: ['operations'],
        summary: 'Move a token of a case from one element to another',
        params: CaseKey,
        body: Type.Object({ from: Element, to: Element, reason: Reason }, { additionalProperties: false }),
        response: {
          200: Type.Object({
            state: Type.Enum(['done', 'accepted'], {
              description: '`accepted`: happens as soon as the engine answers',
            }),
          }),
          ...refusals(401, 403, 404, 409, 412, 422),
        },
      },
    },
    async (request) => {
      const moved = await moveToken(deps, personOf(request), request.params.case, request.body)
      return { state: moved === 'done' ? ('done' as const) : ('accepted' as const) }
    },
  )
}
