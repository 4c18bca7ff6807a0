import { Type } from 'typebox'
import { AUDITORS } from './auditors.ts'
import { erasableOf, askErasure, listErasures, confirmErasure, refuseErasure } from './erasure.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import { personOf } from '../../http/auth.ts'
import { Id, Moment, Nullable, refusals, Reason } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const ById = Type.Object({ id: Id })
const Count = Type.Integer({ minimum: 0 })

const Erasure = component(
  'Erasure',
  Type.Object({
    id: Id,
    person: Type.Object({ id: Id, name: Type.String() }),
    reason: Type.String(),
    askedBy: Type.String(),
    askedAt: Moment,
    state: Type.Enum(['asked', 'done', 'refused']),
    decidedBy: Nullable(Type.String()),
    decidedAt: Nullable(Moment),
    refusal: Nullable(Type.String({ description: 'Reason for the refusal' })),
    erased: Nullable(Type.Integer({ description: 'Number of entries whose details it erased' })),
  }),
)

/**
 * Erasing a person's details from the audit trail: an administrator requests it, the head of internal audit decides.
 */
export function erasureRoutes(app: App, deps: { db: Kysely<DB>; library: Library; publicUrl: string }): void {
  app.get(
    '/api/people/:id/erasure',
    {
      config: { rule: { groups: ['roleSetup'] } },
      schema: {
        operationId: 'getPersonErasure',
        tags: ['people'],
        summary: 'Count the audit entries about a person, and those that can be erased',
        params: ById,
        response: {
          200: Type.Object({
            ended: Type.Integer({ description: 'Entries in their completed cases; these can be erased' }),
            running: Type.Integer({ description: 'Entries in their running cases' }),
            runningCases: Count,
            account: Type.Integer({ description: 'Entries about their account and roles; these are kept' }),
            last: Nullable(Erasure),
          }),
          ...refusals(401, 403, 404),
        },
      },
    },
    async (request) => erasableOf(deps, personOf(request), request.params.id),
  )

  app.post(
    '/api/people/:id/erasure',
    {
      config: { rule: { groups: ['roleSetup'] } },
      schema: {
        operationId: 'askPersonErasure',
        tags: ['people'],
        summary: 'Request erasure of a person’s details from the audit trail; the head of internal audit decides',
        params: ById,
        body: Type.Object(
          {
            reason: Reason,
            confirmation: Type.String({ maxLength: 200, description: 'Name of the person, typed as confirmation' }),
          },
          { additionalProperties: false },
        ),
        response: { 201: Erasure, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await askErasure(deps, personOf(request), request.params.id, request.body)),
  )

  app.get(
    '/api/audit/erasures',
    {
      config: { rule: { groups: [AUDITORS] } },
      schema: {
        operationId: 'listErasures',
        tags: ['audit'],
        summary: 'List erasure requests: pending ones, then the last decided',
        response: {
          200: Type.Object({
            items: Type.Array(Erasure),
            mayDecide: Type.Boolean({ description: 'Whether you head internal audit' }),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => listErasures(deps, personOf(request)),
  )

  app.post(
    '/api/audit/erasures/:id/confirm',
    {
      config: { rule: { groups: [AUDITORS] } },
      schema: {
        operationId: 'confirmErasure',
        tags: ['audit'],
        summary: 'Erase the details permanently; not at your own request',
        params: ById,
        response: { 200: Erasure, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => confirmErasure(deps, personOf(request), request.params.id),
  )

  app.post(
    '/api/audit/erasures/:id/refuse',
    {
      config: { rule: { groups: [AUDITORS] } },
      schema: {
        operationId: 'refuseErasure',
        tags: ['audit'],
        summary: 'Reject the erasure; not your own request',
        params: ById,
        body: Type.Object({ reason: Reason }, { additionalProperties: false }),
        response: { 200: Erasure, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) => refuseErasure(deps, personOf(request), request.params.id, request.body.reason),
  )
}
