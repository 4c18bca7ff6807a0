import { Type } from 'typebox'
import { endSecondFactor, sendPasswordLink, signOutPerson } from './person-changes.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { refusals, Reason } from '../../http/schemas.ts'
import { rule, ById, type PeopleRouteDependencies } from './people-schemas.ts'

/** What an administrator can do for a person’s sign-in. */
export function personSecurityRoutes(app: App, deps: PeopleRouteDependencies): void {
  app.post(
    '/api/people/:id/sign-out',
    {
      config: { rule },
      schema: {
        operationId: 'signOutPerson',
        tags: ['people'],
        summary: 'End all sessions of a person',
        params: ById,
        body: Type.Object({ reason: Reason }, { additionalProperties: false }),
        response: { 204: Type.Null(), ...refusals(401, 403, 404, 422) },
      },
    },
    async (request, reply) => {
      await signOutPerson(deps, personOf(request), request.params.id, request.body.reason)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/people/:id/second-factor/end',
    {
      config: { rule },
      schema: {
        operationId: 'endPersonSecondFactor',
        tags: ['people'],
        summary: 'Remove all second factors of a person who has lost them, and end their sessions',
        params: ById,
        body: Type.Object({ reason: Reason }, { additionalProperties: false }),
        response: { 204: Type.Null(), ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      await endSecondFactor(deps, personOf(request), request.params.id, request.body.reason)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/people/:id/password-link',
    {
      config: { rule },
      schema: {
        operationId: 'sendPersonPasswordLink',
        tags: ['people'],
        summary: 'Mail a person a link to set a password',
        params: ById,
        response: { 202: Type.Null(), ...refusals(401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      await sendPasswordLink(deps, personOf(request), request.params.id)
      return reply.code(202).send(null)
    },
  )
}
