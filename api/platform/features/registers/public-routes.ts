import { Type } from 'typebox'
import { calendar } from './public-calendar.ts'
import { holdsService } from '../../work/cases/holds.ts'
import { listHolidays } from '../../records/calendar/holidays.ts'
import { findVerified } from '../../records/documents/verification.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { registersService } from '../../work/registers/service.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Rules } from '../../model/deployed/rules.ts'
import type { Vault } from '../../kernel/keys.ts'
import { guestSessions } from '../../http/guest-session.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, Key, Moment, Nullable, Query, filtersOf, refusals, RegisterName } from '../../http/schemas.ts'
import { Items, PublicItem, itemQuery } from './routes.ts'
import { component } from '../../kernel/components.ts'

const Day = Type.String({ format: 'date' })
const Span = component('Span', Type.Object({ from: Moment, until: Moment }))
const UUID = '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'
/** What a start form comes to at most; strangers need not send more. */
const BODY_LIMIT = 64 * 1024

/** What anybody sees without signing in. */
export function publicRoutes(
  app: App,
  {
    db,
    library,
    rules,
    vault,
    publicUrl,
  }: { db: Kysely<DB>; library: Library; rules: ReadonlyMap<string, Rules>; vault: Vault; publicUrl: string },
): void {
  const registers = registersService({ db, library })
  const slots = holdsService({ db, library, rules })
  const guests = guestSessions({ vault, publicUrl })
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
        summary: 'When items are taken; without a title it is reserved, and nothing more is said',
        description: 'One `item`, or up to 50 `items`, their ids separated by commas.',
        querystring: Query({
          item: Type.Optional(Id),
          items: Type.Optional(Type.String({ pattern: `^${UUID}(,${UUID}){0,49}$` })),
          from: Moment,
          until: Moment,
        }),
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Id,
                item: Id,
                title: Nullable(Type.String()),
                from: Moment,
                until: Moment,
                booked: Span,
                state: Type.Enum(['hold', 'claimed', 'final']),
              }),
            ),
          }),
          ...refusals(404, 422),
        },
      },
    },
    async ({ query }) => {
      const wanted = [
        ...new Set([...(query.items?.toLowerCase().split(',') ?? []), ...(query.item ? [query.item] : [])]),
      ]
      if (wanted.length === 0)
        throw new BusinessError('platform.form-invalid', {}, [{ field: 'query/item', code: 'platform.field-required' }])
      return { items: await taken(wanted, query.from, query.until) }
    },
  )

  app.post(
    '/api/public/availability',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'askAvailability',
        tags: ['public'],
        summary: 'Whether the slot that a start form names may be had; if not, why, and what is free instead',
        description:
          'Only the fields of the slot need to be filled; every further one that is filled and fits is looked at too. An own hold does not count.',
        body: Type.Object({ flow: Key, data: FormData }, { additionalProperties: false }),
        response: {
          200: Type.Union([
            Type.Object({ free: Type.Literal(true) }),
            Type.Object({
              free: Type.Literal(false),
              field: Type.String(),
              code: Type.String(),
              message: Type.String(),
              alternatives: Type.Array(
                Type.Object({ resource: Type.Object({ id: Id, title: Type.String() }), from: Moment, until: Moment }),
              ),
            }),
          ]),
          ...refusals(404, 413, 422),
        },
      },
    },
    async (request) => {
      const guest = guests.of(request)
      const who = request.person ?? (guest === undefined ? undefined : { guest })
      const answer = await slots.available(who, request.body)
      if (answer.free) return { free: true as const }
      const { field, code, values, alternatives } = answer
      return {
        free: false as const,
        field,
        code,
        // The sentence leads to the alternatives, which stand beside it.
        message: library
          .text(code, { ...values, alternatives: alternatives.length > 0 ? '' : '–' }, languageOf(request))
          .trim(),
        alternatives,
      }
    },
  )

  app.get(
    '/api/public/documents/:code',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'verifyDocument',
        tags: ['public'],
        summary: 'What an issued document is, for whoever has its code; nothing else of its case is said',
        params: Type.Object({ code: Type.String({ minLength: 1, maxLength: 60 }) }),
        response: {
          200: Type.Object({
            title: Type.String(),
            number: Type.String(),
            holder: Type.String(),
            issuedAt: Moment,
            signedBy: Type.Array(Type.String(), { description: 'The desks that have signed it' }),
            state: Type.Enum(['valid', 'withdrawn', 'replaced']),
            endedAt: Nullable(Moment),
            sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the file that was issued' }),
          }),
          ...refusals(404),
        },
      },
    },
    async (request, reply) => {
      const code = request.params.code.replaceAll(/[\s-]/g, '').toLowerCase()
      const found = await findVerified(db, code)
      if (!found) throw new BusinessError('platform.document-unknown')
      const language = languageOf(request)
      const { kind, issuedAt, endedAt, signedBy, ...rest } = found
      reply.header('cache-control', 'no-store')
      return {
        ...rest,
        title: library.text(library.documents.get(kind)?.title ?? kind, {}, language),
        signedBy: signedBy.map((title) => library.text(title, {}, language)),
        issuedAt: issuedAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
      }
    },
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
