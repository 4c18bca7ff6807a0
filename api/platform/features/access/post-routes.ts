import { Type } from 'typebox'
import { appointHolder, effectOfAppointment, endAppointment } from './appointments.ts'
import { listPosts, readPost } from './posts.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { personOf } from '../../http/auth.ts'
import { Id, Moment, Nullable, PageOf, Query, paging, refusals, Reason } from '../../http/schemas.ts'
import { Count, Dates, Holder, NamedScope, ScopeText, Warnings, scopeOf } from './schemas.ts'

const fields = {
  id: Id,
  title: Type.String(),
  code: Type.String(),
  role: Type.String(),
  head: Type.Boolean({ description: 'The holder heads the unit' }),
  scope: Nullable(NamedScope),
  holder: Nullable(Holder),
  acting: Nullable(Holder),
  next: Nullable(Holder),
}
const rule = { groups: ['roleSetup'] }
const ById = Type.Object({ id: Id })

/** Posts and their holders. */
export function postRoutes(
  app: App,
  deps: { db: Kysely<DB>; library: Library; definitions: Definitions; publicUrl: string },
): void {
  app.get(
    '/api/posts',
    {
      config: { rule },
      schema: {
        operationId: 'listPosts',
        tags: ['people'],
        summary: 'List posts by name, each with its holder',
        querystring: Query({
          ...paging,
          search: Type.Optional(Type.String({ maxLength: 200 })),
          state: Type.Optional(Type.Enum(['vacant', 'held'])),
          unit: Type.Optional(ScopeText),
        }),
        response: { 200: PageOf(Type.Object(fields)), ...refusals(401, 403) },
      },
    },
    async (request) => {
      const { unit, ...query } = request.query
      return listPosts(deps, { ...query, ...(unit !== undefined && { unit: scopeOf(unit) }) })
    },
  )

  app.get(
    '/api/posts/:id',
    {
      config: { rule },
      schema: {
        operationId: 'getPost',
        tags: ['people'],
        summary: 'Get a post with everybody who has held it',
        params: ById,
        response: {
          200: Type.Object({
            ...fields,
            history: Type.Array(Holder),
            waiting: Type.Object(Count.properties, { description: 'Number of tasks offered to the post now' }),
            mayAppoint: Type.Boolean(),
          }),
          ...refusals(401, 403, 404),
        },
      },
    },
    async (request) => readPost(deps, personOf(request), request.params.id),
  )

  app.post(
    '/api/posts/:id/holders',
    {
      config: { rule },
      schema: {
        operationId: 'appointHolder',
        tags: ['people'],
        summary: 'Appoint a person to a post; the appointment of the previous holder ends at the same time',
        params: ById,
        body: Type.Object(
          { accountId: Id, ...Dates, acting: Type.Optional(Type.Boolean()), reason: Reason },
          { additionalProperties: false },
        ),
        response: { 201: Holder, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const holder = await appointHolder(deps, personOf(request), request.params.id, request.body)
      return reply.code(201).send(holder)
    },
  )

  app.post(
    '/api/posts/:id/effect',
    {
      config: { rule },
      schema: {
        operationId: 'showAppointmentEffect',
        tags: ['people'],
        summary: 'Preview what an appointment would change',
        params: ById,
        body: Type.Object({ accountId: Id, startsAt: Type.Optional(Moment) }, { additionalProperties: false }),
        response: {
          200: Type.Object({
            successor: Type.Object({ tasksTaken: Count }),
            predecessor: Nullable(Type.Object({ id: Id, name: Type.String(), released: Count })),
            warnings: Warnings,
          }),
          ...refusals(401, 403, 404, 409, 422),
        },
      },
    },
    async (request) => effectOfAppointment(deps, personOf(request), request.params.id, request.body),
  )

  app.post(
    '/api/post-holders/:id/end',
    {
      config: { rule },
      schema: {
        operationId: 'endHolding',
        tags: ['people'],
        summary: 'End an appointment now or at a later time',
        params: ById,
        body: Type.Object({ endsAt: Type.Optional(Moment), reason: Reason }, { additionalProperties: false }),
        response: { 200: Holder, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) => endAppointment(deps, personOf(request), request.params.id, request.body),
  )
}
