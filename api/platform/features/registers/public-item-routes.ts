import { Type } from 'typebox'
import { registersService } from '../../work/registers/service.ts'
import type { App } from '../../http/app.ts'
import { FormData, Id, filtersOf, refusals, RegisterName } from '../../http/schemas.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { onlyFields } from '../../model/definitions/register.ts'
import { Items, PublicItem, Texts, itemQuery } from './schemas.ts'
import type { PublicRouteDependencies } from './public-schemas.ts'

/** Entries of public registers. */
export function publicItemRoutes(app: App, { db, library }: PublicRouteDependencies): void {
  const registers = registersService({ db, library })

  app.get(
    '/api/public/registers/:area/:name',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getPublicRegister',
        tags: ['public'],
        summary: 'Get the public fields of a register, and those by which its public items can be filtered',
        params: Type.Object(RegisterName),
        response: { 200: Type.Object({ title: Type.String(), schema: FormData, filters: Texts }), ...refusals(404) },
      },
    },
    async ({ params }, reply) => {
      const definition = library.registers.get(`${params.area}/${params.name}`)
      const { public: shown, title, item, filters = [] } = definition ?? {}
      if (!shown || title === undefined || item === undefined) throw new BusinessError('platform.not-found')
      reply.header('cache-control', 'public, max-age=60')
      const schema = onlyFields(
        item,
        shown.fields.map((one) => one.slice(1)),
      )
      return { title, schema, filters: filters.filter((one) => shown.fields.includes(one)) }
    },
  )

  app.get(
    '/api/public/registers/:area/:name/items',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'listPublicItems',
        tags: ['public'],
        summary: 'List the items that a register publishes, with their public fields',
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
        summary: 'Get a public item',
        params: Type.Object({ ...RegisterName, id: Id }),
        response: { 200: PublicItem, ...refusals(404) },
      },
    },
    async ({ params }) => registers.publicItem(`${params.area}/${params.name}`, params.id),
  )
}
