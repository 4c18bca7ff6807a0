import { type Static, Type } from 'typebox'
import type { Allocation } from '../allocations/allocations.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Rules } from '../../model/deployed/rules.ts'
import { personOf } from '../../http/auth.ts'
import { FormData, Id, Key, Moment, refusals } from '../../http/schemas.ts'
import { known } from '../../kernel/known.ts'
import { component } from '../../kernel/components.ts'
import { holdAskedSlot, releaseAskedSlot } from './holds.ts'

export const Hold = component('Hold', Type.Object({ id: Id, item: Id, from: Moment, until: Moment, expiresAt: Moment }))

/** A hold as its holder sees it. */
export function heldSlot({ id, item, from, until, expiresAt }: Allocation): Static<typeof Hold> {
  return { id, item, from, until, expiresAt: known(expiresAt, 'when the hold ends') }
}

/** Slots held for some minutes while a person fills in a form. */
export function holdRoutes(
  app: App,
  { db, library, rules }: { db: Kysely<DB>; library: Library; rules: ReadonlyMap<string, Rules> },
): void {
  app.post(
    '/api/holds',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'holdSlot',
        tags: ['holds'],
        summary: 'Hold the slot in a start form for 15 minutes',
        description: 'Replaces an earlier hold of the same item; a person has two at most.',
        body: Type.Object({ flow: Key, data: FormData }, { additionalProperties: false }),
        response: {
          201: Hold,
          ...refusals(401, 404, 409, 422),
        },
      },
    },
    async (request, reply) => {
      return reply
        .code(201)
        .send(heldSlot(await holdAskedSlot({ db, library, rules }, personOf(request), request.body)))
    },
  )

  app.delete(
    '/api/holds/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'releaseHold',
        tags: ['holds'],
        summary: 'Release your hold',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null(), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      await releaseAskedSlot({ db, library, rules }, personOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
