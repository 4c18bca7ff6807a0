import type { Kysely } from 'kysely'
import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import {
  Id,
  Idempotent,
  Moment,
  Nullable,
  Query,
  RegisterName,
  filtersOf,
  paging,
  refusals,
} from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import { stockService } from './stock.ts'

const Day = Type.String({ format: 'date' })
const Units = Type.Integer({ minimum: 1, maximum: 1_000_000 })
const Reason = Type.String({ minLength: 3, maxLength: 300 })

const Shelf = component(
  'StockShelf',
  Type.Object({
    id: Id,
    title: Type.String(),
    active: Type.Boolean({ description: 'In use: more of it is received' }),
    unit: Type.String({ description: 'Text key' }),
    least: Type.Integer({ description: 'Below this it is ordered again' }),
    usable: Type.Integer({ description: 'Units that can be issued' }),
    batches: Type.Array(
      Type.Object({
        id: Id,
        number: Type.String(),
        expiresOn: Day,
        status: Type.String(),
        onHand: Type.Integer(),
        free: Type.Integer({ description: 'Those of them that do not wait to be removed' }),
        expired: Type.Boolean(),
        waits: Nullable(
          Type.Object(
            {
              id: Id,
              units: Type.Integer({ description: 'Units that leave' }),
              reason: Type.String(),
              by: Type.String({ description: 'Name of who proposed it' }),
              mayConfirm: Type.Boolean(),
            },
            { description: 'A reduction that waits for a second person' },
          ),
        ),
      }),
      { description: 'Those with units on hand, what expires first first' },
    ),
  }),
)

const Movement = component(
  'StockMovement',
  Type.Object({
    id: Id,
    kind: Type.Enum(['received', 'issued', 'counted', 'corrected']),
    units: Type.Integer({ description: 'Positive: in; negative: out' }),
    reason: Type.String(),
    by: Nullable(Type.String({ description: 'Name' })),
    confirmedBy: Nullable(
      Type.String({ description: 'Name of the second person, if it was counted or corrected down' }),
    ),
    dropped: Nullable(
      Type.Object(
        { by: Type.String({ description: 'Name' }), reason: Type.String() },
        { description: 'Of units that were to be removed and were not: nothing moved' },
      ),
    ),
    at: Moment,
  }),
)

const Adjusted = Type.Object({
  waits: Type.Boolean({ description: 'Fewer units: they leave once a second person confirms it' }),
})

const keyOf = ({ area, name }: { area: string; name: string }) => `${area}/${name}`
const OfBatch = Type.Object({ ...RegisterName, id: Id })

type Service = ReturnType<typeof stockService>

/** What is in stock, and what moved it. */
function stockReadingRoutes(app: App, service: Service): void {
  app.get(
    '/api/stock/:area/:name',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listStock',
        tags: ['stock'],
        summary: 'List what is in stock, with its batches; `filter.<field>` for the filters of its register',
        params: Type.Object(RegisterName),
        querystring: Query({ ...paging, search: Type.Optional(Type.String({ maxLength: 200 })) }, { filters: true }),
        response: {
          200: Type.Object({ items: Type.Array(Shelf), next: Nullable(Type.String()), mayChange: Type.Boolean() }),
          ...refusals(401, 404),
        },
      },
    },
    (request) => {
      const { search, cursor, limit } = request.query
      const query = { search, cursor, limit, filters: filtersOf(request.query) }
      return service.list(personOf(request), keyOf(request.params), query)
    },
  )

  app.get(
    '/api/stock/:area/:name/batches/:id/movements',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listStockMovements',
        tags: ['stock'],
        summary: 'List the newest movements of a batch',
        params: OfBatch,
        response: { 200: Type.Object({ items: Type.Array(Movement) }), ...refusals(401, 404) },
      },
    },
    async (request) => {
      const items = await service.movements(personOf(request), keyOf(request.params), request.params.id)
      return { items: items.map((one) => ({ ...one, at: one.at.toISOString() })) }
    },
  )
}

/** What the sender chose so that a request that is sent again moves nothing again. */
const keySent = ({ headers }: { headers: { 'idempotency-key'?: string } }) => headers['idempotency-key']

/** What moves stock; a request repeated within a day with the same Idempotency-Key moves it once. */
function stockMovingRoutes(app: App, service: Service): void {
  app.post(
    '/api/stock/:area/:name/receipts',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'receiveStock',
        tags: ['stock'],
        summary: 'Add what was received to a batch',
        headers: Idempotent,
        params: Type.Object(RegisterName),
        body: Type.Object(
          {
            item: Id,
            number: Type.String({ minLength: 1, maxLength: 40 }),
            expiresOn: Day,
            units: Units,
            reason: Reason,
          },
          { additionalProperties: false },
        ),
        response: { 201: Type.Object({ id: Id }), ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const id = await service.receive(personOf(request), keyOf(request.params), {
        ...request.body,
        key: keySent(request),
      })
      return reply.code(201).send({ id })
    },
  )

  app.post(
    '/api/stock/:area/:name/issues',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'issueStock',
        tags: ['stock'],
        summary: 'Issue units, from the batches that expire first',
        headers: Idempotent,
        params: Type.Object(RegisterName),
        body: Type.Object({ item: Id, units: Units, reason: Reason }, { additionalProperties: false }),
        response: { 204: Type.Null(), ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      await service.issue(personOf(request), keyOf(request.params), { ...request.body, key: keySent(request) })
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/stock/:area/:name/batches/:id/counts',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'countStock',
        tags: ['stock'],
        summary: 'Set what was counted of a batch',
        headers: Idempotent,
        params: OfBatch,
        body: Type.Object(
          { units: Type.Integer({ minimum: 0, maximum: 1_000_000 }), reason: Reason },
          { additionalProperties: false },
        ),
        response: { 200: Adjusted, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    (request) => {
      const { params, body } = request
      return service.count(personOf(request), keyOf(params), { id: params.id, ...body, key: keySent(request) })
    },
  )

  app.post(
    '/api/stock/:area/:name/batches/:id/corrections',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'correctStock',
        tags: ['stock'],
        summary: 'Correct what is on hand of a batch by some units',
        headers: Idempotent,
        params: OfBatch,
        body: Type.Object(
          { units: Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 }), reason: Reason },
          { additionalProperties: false },
        ),
        response: { 200: Adjusted, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    (request) => {
      const { params, body } = request
      return service.correct(personOf(request), keyOf(params), { id: params.id, ...body, key: keySent(request) })
    },
  )

  app.post(
    '/api/stock/:area/:name/batches/:id/reductions/:reduction/decision',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'decideStockReduction',
        tags: ['stock'],
        summary: 'Confirm units that somebody else counted or corrected down, or drop that with a reason',
        params: Type.Object({ ...RegisterName, id: Id, reduction: Id }),
        body: Type.Object(
          { confirmed: Type.Boolean(), reason: Type.Optional(Reason) },
          { additionalProperties: false },
        ),
        response: { 204: Type.Null(), ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const { params, body } = request
      const decided = { batch: params.id, id: params.reduction, ...body }
      await service.decide(personOf(request), keyOf(params), decided)
      return reply.code(204).send(null)
    },
  )
}

/** Consumable stock by batch. */
export function stockRoutes(app: App, deps: { db: Kysely<DB>; library: Library; publicUrl: string }): void {
  const service = stockService(deps)
  stockReadingRoutes(app, service)
  stockMovingRoutes(app, service)
}
