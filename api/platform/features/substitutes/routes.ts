import { Type } from 'typebox'
import { acceptSubstitution, declineSubstitution, endSubstitute, findColleagues, listSubstitutes } from './service.ts'
import { askSubstitute } from './ask.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { LinkDependencies } from '../../people/identity/password-links.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Key, Moment, Nullable, PageOf, Query, Who, paging, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const Substitution = component(
  'Substitution',
  Type.Object({
    id: Id,
    absent: Who,
    substitute: Who,
    from: Moment,
    until: Moment,
    flows: Nullable(
      Type.Array(Type.Object({ key: Type.String(), title: Type.String() }), { description: 'Null for every flow' }),
    ),
    amountLimit: Nullable(
      Type.Integer({ description: 'In cents; cases with a higher amount or none stay with the absent person' }),
    ),
    reason: Nullable(Type.String()),
    state: Type.Enum(['asked', 'accepted', 'declined', 'ended']),
    askedBy: Who,
    askedAt: Moment,
    answeredAt: Nullable(Moment),
    endedAt: Nullable(Moment),
    endedBy: Nullable(Who),
    inForce: Type.Boolean({ description: 'Whether the substitute acts for the absent person now' }),
  }),
)

const rule = 'signed-in'
const tags = ['substitutions']
const ById = Type.Object({ id: Id })

export function substitutionRoutes(
  app: App,
  deps: {
    db: Kysely<DB>
    library: Library
    definitions: Definitions
    publicUrl: string
    identity?: LinkDependencies['identity']
  },
): void {
  app.get(
    '/api/substitutions',
    {
      config: { rule },
      schema: {
        operationId: 'listSubstitutions',
        tags,
        summary: 'List your substitutions, as absent person or as substitute, newest first',
        querystring: Query({
          ...paging,
          all: Type.Optional(Type.Boolean({ description: 'Everybody’s, for administrators and auditors' })),
        }),
        response: { 200: PageOf(Substitution), ...refusals(401, 403) },
      },
    },
    async (request) => listSubstitutes(deps, personOf(request), request.query, languageOf(request)),
  )

  app.post(
    '/api/substitutions',
    {
      config: { rule },
      schema: {
        operationId: 'askSubstitute',
        tags,
        summary: 'Ask a colleague to substitute for you while you are away',
        body: Type.Object(
          {
            substitute: Id,
            from: Moment,
            until: Moment,
            flows: Type.Optional(
              Type.Array(Key, { minItems: 1, maxItems: 50, uniqueItems: true, description: 'Omitted for every flow' }),
            ),
            amountLimit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1e14, description: 'In cents' })),
            reason: Type.Optional(Type.String({ maxLength: 500 })),
            absent: Type.Optional({ ...Id, description: 'The absent person, if an administrator makes the request' }),
          },
          { additionalProperties: false },
        ),
        response: { 201: Substitution, ...refusals(401, 403, 409, 422) },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await askSubstitute(deps, personOf(request), request.body, languageOf(request))),
  )

  for (const [verb, operationId, summary, act] of [
    ['accept', 'acceptSubstitution', 'Agrees to stand in', acceptSubstitution],
    ['decline', 'declineSubstitution', 'Refuses to stand in', declineSubstitution],
    [
      'end',
      'endSubstitution',
      'Ends a substitution, or takes back that one has asked; what is held by it is free again',
      endSubstitute,
    ],
  ] as const) {
    app.post(
      `/api/substitutions/:id/${verb}`,
      {
        config: { rule },
        schema: {
          operationId,
          tags,
          summary,
          params: ById,
          response: { 200: Substitution, ...refusals(401, 403, 404, 409) },
        },
      },
      async (request) => act(deps, personOf(request), request.params.id, languageOf(request)),
    )
  }

  app.get(
    '/api/substitutions/people',
    {
      config: { rule },
      schema: {
        operationId: 'listSubstitutes',
        tags,
        summary: 'Find possible substitutes by part of their name',
        querystring: Query({ search: Type.String({ minLength: 2, maxLength: 200 }) }),
        response: {
          200: Type.Array(Type.Object({ id: Id, name: Type.String(), post: Nullable(Type.String()) })),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => findColleagues(deps, personOf(request), request.query.search),
  )
}
