import { Type } from 'typebox'
import type { AreaRoutes } from '../platform/edge/server/area-routes.ts'
import { personOf } from '../platform/http/auth.ts'
import { languageOf } from '../platform/http/problems.ts'
import { Id, Moment, Nullable, Query, refusals } from '../platform/http/schemas.ts'
import { MAX_RESOURCES_READ, freeResources, inShort } from './free-resources.ts'
import { MAX_DAYS, MAX_REJECTIONS, MAX_RESOURCES, overviewService } from './overview.ts'
import { component } from '../platform/kernel/components.ts'

const Day = Type.String({ format: 'date' })
const Month = Type.String({ pattern: '^\\d{4}-\\d{2}$' })
const Cents = Type.Integer({ description: 'In cents' })

const Overview = component(
  'ResourceOverview',
  Type.Object({
    from: Day,
    until: Day,
    months: Type.Array(Month),
    resources: Type.Array(Type.Object({ id: Id, title: Type.String() }), {
      description: `Those of your units, at most ${MAX_RESOURCES}`,
    }),
    more: Type.Boolean({ description: 'There are more resources than listed' }),
    use: Type.Array(
      Type.Object({
        resource: Id,
        month: Month,
        bookings: Type.Integer({ description: 'Confirmed bookings that take place in the month' }),
        booked: Type.Number({ description: 'In hours' }),
        open: Type.Number({ description: 'In hours' }),
      }),
    ),
    income: Type.Array(Type.Object({ resource: Id, month: Month, hire: Cents, damages: Cents })),
    rejections: Type.Object({
      count: Type.Integer(),
      items: Type.Array(
        Type.Object({
          id: Id,
          caseId: Id,
          reference: Type.String(),
          event: Type.String(),
          resource: Id,
          desk: Type.String(),
          by: Type.String(),
          at: Moment,
          reason: Nullable(Type.String()),
        }),
        { description: `The last ${MAX_REJECTIONS}` },
      ),
    }),
    desks: Type.Array(
      Type.Object({
        desk: Type.String(),
        name: Type.String(),
        resource: Id,
        month: Month,
        decided: Type.Integer(),
        median: Type.Number({ description: 'Hours from arrival at the desk to the decision' }),
        slowest: Type.Number({ description: 'In hours' }),
      }),
    ),
  }),
)

const Available = component(
  'ResourceAvailability',
  Type.Object({
    items: Type.Array(
      Type.Object({
        id: Id,
        title: Type.String(),
        reference: Type.String(),
        location: Nullable(Type.String()),
        refused: Nullable(
          Type.Object(
            { code: Type.String(), message: Type.String() },
            { description: 'Why it is not available; null if it is' },
          ),
        ),
        taken: Type.Array(Type.Object({ from: Moment, until: Moment }), {
          description: 'Occupied times, including the buffer before and after',
        }),
      }),
      { description: `By name, at most ${MAX_RESOURCES_READ}` },
    ),
    more: Type.Boolean({ description: 'There are more resources than listed' }),
  }),
)

const routes: AreaRoutes = (app, { db, library }) => {
  const overview = overviewService({ db })

  app.get(
    '/api/resource-reservation/overview',
    {
      config: { rule: { groups: ['ResourceReservationViews'] } },
      schema: {
        operationId: 'getReservationOverview',
        tags: ['resource-reservation'],
        summary: 'Get use, income, rejections and lead times of the resources of your units',
        querystring: Query({
          from: Day,
          until: Type.String({ format: 'date', description: `Included; at most ${MAX_DAYS} days` }),
          resource: Type.Optional(Id),
        }),
        response: { 200: Overview, ...refusals(401, 403, 404, 422) },
      },
    },
    async (request) => overview(personOf(request), request.query),
  )

  app.get(
    '/api/resource-reservation/available',
    {
      config: { rule: { groups: ['ResourceReservationViews'] } },
      schema: {
        operationId: 'listAvailableResources',
        tags: ['resource-reservation'],
        summary: 'List resources in use, and whether each can be booked for a period',
        description:
          'Your own hold does not count. Limits that depend on the booker, such as a quota, are not checked.',
        querystring: Query({ from: Moment, until: Moment, type: Type.Optional(Id) }),
        response: { 200: Available, ...refusals(401, 403, 422) },
      },
    },
    async (request) => {
      const { items, more } = await freeResources(db, request.query, { id: personOf(request).id, now: new Date() })
      const language = languageOf(request)
      return {
        items: items.map(({ id, title, data, refused, taken }) => ({
          ...{ id, title, reference: data.resource_ref_id, location: data.location ?? null, taken },
          refused: refused
            ? {
                code: refused.code,
                message: library.text(inShort[refused.code] ?? refused.code, refused.values, language),
              }
            : null,
        })),
        more,
      }
    },
  )
}

export default routes
