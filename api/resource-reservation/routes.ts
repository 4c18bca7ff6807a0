import { Type } from 'typebox'
import type { AreaRoutes } from '../platform/edge/server/area-routes.ts'
import { personOf } from '../platform/http/auth.ts'
import { languageOf } from '../platform/http/problems.ts'
import { Id, Moment, Nullable, Query, refusals } from '../platform/http/schemas.ts'
import { MOST_LOOKED_AT, freeResources, inShort } from './free-resources.ts'
import { LONGEST, MOST_REJECTIONS, MOST_RESOURCES, overviewService } from './overview.ts'
import { component } from '../platform/kernel/components.ts'

const Day = Type.String({ format: 'date' })
const Month = Type.String({ pattern: '^\\d{4}-\\d{2}$' })
const Cents = Type.Integer({ description: 'Cents' })

const Overview = component(
  'ResourceOverview',
  Type.Object({
    from: Day,
    until: Day,
    months: Type.Array(Month),
    resources: Type.Array(Type.Object({ id: Id, title: Type.String() }), {
      description: `Those of the units of the person who asks, ${MOST_RESOURCES} at most`,
    }),
    more: Type.Boolean({ description: 'There are more resources than are told of' }),
    use: Type.Array(
      Type.Object({
        resource: Id,
        month: Month,
        bookings: Type.Integer({ description: 'Confirmed bookings that take place in the month' }),
        booked: Type.Number({ description: 'Hours' }),
        open: Type.Number({ description: 'Hours' }),
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
        { description: `The last ${MOST_REJECTIONS}` },
      ),
    }),
    desks: Type.Array(
      Type.Object({
        desk: Type.String(),
        name: Type.String(),
        resource: Id,
        month: Month,
        decided: Type.Integer(),
        median: Type.Number({ description: 'Hours from when it came to the desk until it was decided' }),
        slowest: Type.Number({ description: 'Hours' }),
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
            { description: 'Why not; null where it is free' },
          ),
        ),
        taken: Type.Array(Type.Object({ from: Moment, until: Moment }), {
          description: 'Where it is taken, with what is kept free before and after',
        }),
      }),
      { description: `By name, ${MOST_LOOKED_AT} at most` },
    ),
    more: Type.Boolean({ description: 'There are more resources than are told of' }),
  }),
)

const routes: AreaRoutes = (app, { db, library }) => {
  const overview = overviewService({ db })

  app.get(
    '/api/resource-reservation/overview',
    {
      config: { rule: { group: 'ResourceReservationViews' } },
      schema: {
        operationId: 'getReservationOverview',
        tags: ['resource-reservation'],
        summary: 'Use, income, rejections and lead times of the resources of the units of the person who asks',
        querystring: Query({
          from: Day,
          until: Type.String({ format: 'date', description: `Included; at most ${LONGEST} days` }),
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
      config: { rule: { group: 'ResourceReservationViews' } },
      schema: {
        operationId: 'listAvailableResources',
        tags: ['resource-reservation'],
        summary: 'Every resource in use, and whether it may be booked from one moment to another',
        description: 'An own hold does not count. What depends on the booker, such as a quota, is not asked.',
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
