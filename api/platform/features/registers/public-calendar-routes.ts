import { Type } from 'typebox'
import { calendar } from './public-calendar.ts'
import { holdsService } from '../../work/cases/holds.ts'
import { listHolidays } from '../../records/calendar/holidays.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { App } from '../../http/app.ts'
import { guestSessions } from '../../http/guest-session.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, Ids, Key, Moment, Nullable, Query, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import type { PublicRouteDependencies } from './public-schemas.ts'

const Day = Type.String({ format: 'date' })
const Span = component('Span', Type.Object({ from: Moment, until: Moment }))
/** Largest start form; a low limit keeps anonymous callers from sending more. */
const BODY_LIMIT = 64 * 1024

/** When entries are taken or free, and holidays. */
export function publicCalendarRoutes(
  app: App,
  { db, library, rules, vault, publicUrl }: PublicRouteDependencies,
): void {
  const slots = holdsService({ db, library, rules })
  const guests = guestSessions({ vault, publicUrl })
  const taken = calendar({ db, library })

  app.get(
    '/api/public/allocations',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'listPublicAllocations',
        tags: ['public'],
        summary: 'List when items are occupied; a reserved time without a title is not described further',
        description: 'One `item`, or up to 50 `items`, their ids separated by commas',
        querystring: Query({
          item: Type.Optional(Id),
          items: Type.Optional(Ids),
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
        summary: 'Check whether the slot in a start form is available; if not, why, and what is available instead',
        description:
          'Only the fields of the slot are required; other valid fields are checked too. Your own hold does not count.',
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
        // The sentence introduces the alternatives, which the response lists separately.
        message: library
          .text(code, { ...values, alternatives: alternatives.length > 0 ? '' : '–' }, languageOf(request))
          .trim(),
        alternatives,
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
        summary: 'List holidays from one day to another, both included',
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
