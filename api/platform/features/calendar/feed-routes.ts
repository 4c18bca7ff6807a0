import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { comingEvents } from '../../records/calendar/coming.ts'
import { listFeeds, makeFeed, readFeed, revokeFeed } from './feeds.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import { personOf } from '../../http/auth.ts'
import { isKnown } from '../../http/etag.ts'
import { Id, Moment, Nullable, Query, refusals, RegisterName } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const Item = component('CalendarFeedItem', Type.Object({ id: Id, title: Type.String() }))

/**
 * Public events, and personal calendars that programs read without signing in. Only their owners know the addresses.
 */
export function feedRoutes(app: App, deps: { db: Kysely<DB>; library: Library; publicUrl: string }): void {
  app.get(
    '/api/public/calendar/:secret.ics',
    {
      // Calendar programs of many people call from the few addresses of their vendors.
      config: { rule: 'public', rateLimit: { max: 300, timeWindow: '1 minute' } },
      schema: {
        operationId: 'readCalendarFeed',
        tags: ['public'],
        summary: 'Get a calendar as iCalendar (RFC 5545); the address is the credential',
        params: Type.Object({ secret: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }) }),
        response: {
          200: { content: { 'text/calendar': { schema: Type.String() } } },
          304: Type.Null(),
          ...refusals(404),
        },
      },
    },
    async (request, reply) => {
      const calendar = await readFeed(deps, request.params.secret)
      const version = createHash('sha256').update(calendar).digest('base64url')
      // The address is the secret: keep it from search engines and other sites.
      reply.header('x-robots-tag', 'noindex').header('referrer-policy', 'no-referrer')
      if (isKnown(request, reply, version)) return reply.code(304).send(null)
      return reply.type('text/calendar; charset=utf-8').send(calendar)
    },
  )

  app.get(
    '/api/public/registers/:area/:name/coming',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'listComingEvents',
        tags: ['public'],
        summary: 'List the next confirmed events at the public items of a register',
        params: Type.Object(RegisterName),
        querystring: Query({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })) }),
        response: {
          200: Type.Object({
            items: Type.Array(Type.Object({ id: Id, title: Type.String(), item: Item, from: Moment, until: Moment })),
          }),
          ...refusals(404),
        },
      },
    },
    async ({ params: { area, name }, query: { limit = 10 } }) => ({
      items: await comingEvents(deps, `${area}/${name}`, limit),
    }),
  )

  app.get(
    '/api/me/calendar-feeds',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listMyCalendarFeeds',
        tags: ['me'],
        summary: 'List your calendar feeds; addresses are shown only when they are created',
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Id,
                item: Nullable(Item),
                createdAt: Moment,
              }),
            ),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => ({ items: await listFeeds(deps, personOf(request).id) }),
  )

  app.post(
    '/api/me/calendar-feeds',
    {
      config: { rule: 'signed-in', rateLimit: { max: 30, timeWindow: '1 minute' } },
      schema: {
        operationId: 'makeCalendarFeed',
        tags: ['me'],
        summary:
          'Create the address of a calendar feed, for your cases or a public item; the previous address stops working',
        body: Type.Object(
          { item: Nullable(Type.String({ format: 'uuid', description: 'Null for your own cases' })) },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({ id: Id, address: Type.String({ description: 'Shown only this once' }) }),
          ...refusals(401, 422),
        },
      },
    },
    async (request, reply) => reply.code(201).send(await makeFeed(deps, personOf(request).id, request.body.item)),
  )

  app.delete(
    '/api/me/calendar-feeds/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'revokeCalendarFeed',
        tags: ['me'],
        summary: 'Revoke the address of a calendar feed',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null(), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      await revokeFeed(deps, personOf(request).id, request.params.id)
      return reply.code(204).send(null)
    },
  )
}
