import { Type } from 'typebox'
import { importGrants } from './grant-import.ts'
import { effectOfGrants, giveGrant } from './grants.ts'
import { listRoles } from './people.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Nullable, refusals, Reason } from '../../http/schemas.ts'
import { Dates, Effect, Grant, RoleName, WantedScope } from './schemas.ts'
import { rule, ById, type PeopleRouteDependencies } from './people-schemas.ts'

export function roleRoutes(app: App, deps: PeopleRouteDependencies): void {
  app.post(
    '/api/people/:id/grants',
    {
      config: { rule },
      schema: {
        operationId: 'giveGrant',
        tags: ['people'],
        summary: 'Gives somebody a role; a start that has passed means at once',
        params: ById,
        body: Type.Object(
          { role: RoleName, scope: Nullable(WantedScope), ...Dates, reason: Reason },
          { additionalProperties: false },
        ),
        response: { 201: Grant, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const grant = await giveGrant(deps, personOf(request), request.params.id, request.body)
      return reply.code(201).send(grant)
    },
  )

  app.post(
    '/api/people/:id/effect',
    {
      config: { rule },
      schema: {
        operationId: 'showGrantEffect',
        tags: ['people'],
        summary: 'What giving and ending roles would change for somebody; nothing is done',
        params: ById,
        body: Type.Object(
          {
            add: Type.Optional(
              Type.Array(Type.Object({ role: RoleName, scope: Nullable(WantedScope) }), { maxItems: 20 }),
            ),
            end: Type.Optional(Type.Array(Id, { maxItems: 20, uniqueItems: true })),
          },
          { additionalProperties: false },
        ),
        response: { 200: Effect, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) => effectOfGrants(deps, personOf(request), request.params.id, request.body),
  )

  app.post(
    '/api/people/imports',
    {
      config: { rule },
      schema: {
        operationId: 'importGrants',
        tags: ['people'],
        summary: 'Gives roles by a CSV file, all lines or none; without `commit` it is only checked',
        body: Type.Object(
          { csv: Type.String({ maxLength: 400_000 }), commit: Type.Boolean() },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            rows: Type.Integer(),
            errors: Type.Array(
              Type.Object({
                line: Type.Integer(),
                column: Type.String(),
                code: Type.String(),
                message: Type.String(),
                value: Type.String(),
              }),
            ),
            errorCount: Type.Integer({ description: 'All there are; `errors` holds the first of them' }),
            added: Type.Integer({ description: 'Grants given; without `commit` those that would be' }),
            effect: Nullable(
              Type.Object(
                {
                  people: Type.Integer({ description: 'How many people are given something' }),
                  first: Type.Array(Type.Object({ id: Id, name: Type.String(), ...Effect.properties })),
                },
                { description: 'Without `commit` and without errors: what it would change, for the first people' },
              ),
            ),
            unchanged: Type.Integer({ description: 'Lines that somebody has already' }),
          }),
          ...refusals(401, 403, 422),
        },
      },
    },
    async (request) => importGrants(deps, personOf(request), request.body, languageOf(request)),
  )

  app.get(
    '/api/roles',
    {
      config: { rule },
      schema: {
        operationId: 'listRoles',
        tags: ['people'],
        summary: 'Every role, how many people hold it now, and its other names',
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({ role: Type.String(), holders: Type.Integer(), aliases: Type.Array(Type.String()) }),
            ),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async () => ({ items: await listRoles(deps) }),
  )
}
