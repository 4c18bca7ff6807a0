import { Type } from 'typebox'
import { askSecondOwner, askWaiver, decideWaiver } from './second-owner.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { Id, refusals } from '../../http/schemas.ts'
import { Note, OfProcess, MODEL_PATH } from './schemas.ts'
import { component } from '../../kernel/components.ts'
import type { StudioDependencies } from './context.ts'

const Setting = component('ModelSettings', Type.Object({ secondOwner: Type.Boolean() }))

/** Whether releases need the approval of a second owner. */
export function secondOwnerRoutes(app: App, dependencies: StudioDependencies): void {
  app.put(
    `${MODEL_PATH}/settings`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'changeModelSettings',
        tags: ['studio'],
        summary: 'Require the approval of another owner for deployments',
        params: OfProcess,
        body: Type.Object(
          {
            secondOwner: Type.Literal(true, { description: 'Lifting this takes two people: request a waiver' }),
          },
          { additionalProperties: false },
        ),
        response: { 200: Setting, ...refusals(401, 403, 404) },
      },
    },
    async (request) => askSecondOwner(dependencies, personOf(request), request.params.process),
  )

  app.post(
    `${MODEL_PATH}/settings/waivers`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'askSecondOwnerWaiver',
        tags: ['studio'],
        summary: 'Request a waiver of the second owner, which another person confirms; for ADMIN and SA',
        params: OfProcess,
        body: Type.Object({ reason: Note }, { additionalProperties: false }),
        response: { 201: Type.Object({ id: Id }), ...refusals(401, 403, 404, 409) },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await askWaiver(dependencies, personOf(request), request.params.process, request.body)),
  )

  app.post(
    `${MODEL_PATH}/settings/waivers/:id`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'decideSecondOwnerWaiver',
        tags: ['studio'],
        summary: 'Confirm or reject a waiver of the second owner, or withdraw your own request',
        params: Type.Object({ ...OfProcess.properties, id: Id }),
        body: Type.Object({ accept: Type.Boolean(), note: Note }, { additionalProperties: false }),
        response: { 200: Setting, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { process, id } = request.params
      return decideWaiver(dependencies, personOf(request), process, id, request.body)
    },
  )
}
