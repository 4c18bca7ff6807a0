import { Type } from 'typebox'
import { calendar } from '../../allocations/calendar.ts'
import { listHolidays } from '../../calendar/holidays.ts'
import { registersService } from '../../registers/service.ts'
import type { App, Dependencies } from '../app.ts'
import { Id, Moment, Nullable, Query, filtersOf, refusals } from '../schemas.ts'
import { Items, PublicItem, RegisterName, itemQuery } from './registers.ts'

const Day = Type.String({ format: 'date' })

/** What anybody sees without signing in. */
export function publicRoutes(app: App, { db, library }: Pick<Dependencies, 'db' | 'library'>): void {
  const registers = registersService({ db, library })
  const taken = calendar({ db, library })

  app.get(
    '/api/public/registers/:area/:name/items',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'listPublicItems',
        tags: ['public'],
        summary: 'Items that the register shows to the public, with the fields it shows',
        params: Type.Object(RegisterName),
        querystring: itemQuery,
        response: { 200: Items, ...refusals(404) },
      },
    },
    async (request) => {
      const { params, query } = request
      const { search, status, inUse, cursor, limit } = query
      return registers.publicItems(`${params.area}/${params.name}`, {
        search,
        status,
        inUse,
        cursor,
        limit,
        filters: filtersOf(query),
      })
    },
  )

  app.get(
    '/api/public/registers/:area/:name/items/:id',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getPublicItem',
        tags: ['public'],
        summary: 'One public item',
        params: Type.Object({ ...RegisterName, id: Id }),
        response: { 200: PublicItem, ...refusals(404) },
      },
    },
    async ({ params }) => registers.publicItem(`${params.area}/${params.name}`, params.id),
  )

  app.get(
    '/api/public/allocations',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'listPublicAllocations',
        tags: ['public'],
        summary: 'When an item is taken; without a title it is reserved, and nothing more is said',
        querystring: Query({ item: Id, from: Moment, until: Moment }),
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Id,
                title: Nullable(Type.String()),
                from: Moment,
                until: Moment,
                state: Type.Enum(['hold', 'claimed', 'final']),
              }),
            ),
          }),
          ...refusals(404, 422),
        },
      },
    },
    async ({ query }) => ({ items: await taken(query.item, query.from, query.until) }),
  )

  app.get(
    '/api/public/holidays',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'listHolidays',
        tags: ['public'],
        summary: 'Holidays from one day to another, both included',
        querystring: Query({ from: Type.Optional(Day), until: Type.Optional(Day) }),
        response: {
          200: Type.Object({ items: Type.Array(Type.Object({ date: Day, name: Type.String(), kind: Type.String() })) }),
          ...refusals(),
        },
      },
    },
    async ({ query }) => ({ items: await listHolidays(db, query) }),
  )
}
