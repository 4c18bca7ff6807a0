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
        summary: 'Give a person a role; a start in the past means now',
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
        summary: 'Preview what giving and ending roles would change for a person',
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
        summary: 'Give roles from a CSV file, all lines or none; without `commit` only check the file',
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
            errorCount: Type.Integer({ description: 'Total number of errors; `errors` holds the first of them' }),
            added: Type.Integer({
              description: 'Number of grants given; without `commit`, the number that would be given',
            }),
            effect: Nullable(
              Type.Object(
                {
                  people: Type.Integer({ description: 'Number of people who receive a grant' }),
                  first: Type.Array(Type.Object({ id: Id, name: Type.String(), ...Effect.properties })),
                },
                { description: 'Without `commit` and without errors: what would change for the first people' },
              ),
            ),
            unchanged: Type.Integer({ description: 'Lines whose grant already exists' }),
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
        summary: 'List roles, with the number of current holders and the other names of each',
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
