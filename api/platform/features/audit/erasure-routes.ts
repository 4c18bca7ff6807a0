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
    refusal: Nullable(Type.String({ description: 'Why it was refused' })),
    erased: Nullable(Type.Integer({ description: 'Entries whose details it erased' })),
  }),
)

/**
 * Erasing a person's details from the audit trail: an administrator requests it, the head of internal audit decides.
 */
export function erasureRoutes(app: App, deps: { db: Kysely<DB>; library: Library; publicUrl: string }): void {
  app.get(
    '/api/people/:id/erasure',
    {
      config: { rule: { group: 'roleSetup' } },
      schema: {
        operationId: 'getPersonErasure',
        tags: ['people'],
        summary: 'How many entries of the audit say something of a person, and which of them could be erased',
        params: ById,
        response: {
          200: Type.Object({
            ended: Type.Integer({ description: 'Entries in their cases that have ended: these can be erased' }),
            running: Type.Integer({ description: 'Entries in their cases that still run' }),
            runningCases: Count,
            account: Type.Integer({ description: 'Entries about their account and roles, which stay' }),
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
      config: { rule: { group: 'roleSetup' } },
      schema: {
        operationId: 'askPersonErasure',
        tags: ['people'],
        summary: 'Asks for the details of a person to be erased from the audit; who heads the audit decides',
        params: ById,
        body: Type.Object(
          {
            reason: Reason,
            confirmation: Type.String({ maxLength: 200, description: 'The name of the person, typed' }),
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
      config: { rule: { group: AUDITORS } },
      schema: {
        operationId: 'listErasures',
        tags: ['audit'],
        summary: 'Erasures that wait for a decision, then the last that were decided',
        response: {
          200: Type.Object({
            items: Type.Array(Erasure),
            mayDecide: Type.Boolean({ description: 'Whether the person who asks heads the audit' }),
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
      config: { rule: { group: AUDITORS } },
      schema: {
        operationId: 'confirmErasure',
        tags: ['audit'],
        summary: 'Erases the details now, for good; never by the one who asked',
        params: ById,
        response: { 200: Erasure, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => confirmErasure(deps, personOf(request), request.params.id),
  )

  app.post(
    '/api/audit/erasures/:id/refuse',
    {
      config: { rule: { group: AUDITORS } },
      schema: {
        operationId: 'refuseErasure',
        tags: ['audit'],
        summary: 'Refuses to erase the details; never by the one who asked',
        params: ById,
        body: Type.Object({ reason: Reason }, { additionalProperties: false }),
        response: { 200: Erasure, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) => refuseErasure(deps, personOf(request), request.params.id, request.body.reason),
  )
}
