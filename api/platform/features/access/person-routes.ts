import { Type } from 'typebox'
import { changePerson, createPerson, decideNameChange } from './person-changes.ts'
import { listPeople, readPerson } from './people.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { isKnown, versionWanted } from '../../http/etag.ts'
import { Id, Moment, Name, NameChange, Nullable, PageOf, Query, paging, refusals, Reason } from '../../http/schemas.ts'
import { Grant, NamedScope, RoleName, ScopeText, scopeOf } from './schemas.ts'
import { component } from '../../kernel/components.ts'
import { Row, rule, ById, type PeopleRouteDependencies } from './people-schemas.ts'

const Whole = component(
  'Person',
  Type.Object({
    ...Row.properties,
    version: Type.Integer(),
    language: Nullable(Type.String()),
    emailConfirmed: Type.Boolean(),
    hasPassword: Type.Boolean(),
    secondFactor: Type.Boolean(),
    sessions: Type.Integer({ description: 'Number of sessions that continue' }),
    record: Nullable(Type.Object({ register: Type.String(), id: Id, title: Type.String() })),
    grants: Type.Array(Grant),
    posts: Type.Array(
      Type.Object({
        holderId: Id,
        post: Type.Object({ id: Id, title: Type.String() }),
        acting: Type.Boolean(),
        startsAt: Moment,
        endsAt: Nullable(Moment),
      }),
    ),
    nameChange: Nullable(NameChange),
    mayChange: Type.Boolean(),
    mayErase: Type.Boolean({ description: 'May request erasure of their details from the audit trail' }),
    mayGrant: Type.Array(
      Type.Object({
        role: Type.String(),
        anywhere: Type.Boolean({ description: 'May be granted at any unit; otherwise only at those listed' }),
        scoped: Type.Enum(['always', 'never', 'either'], { description: 'Whether the role is granted for a unit' }),
        scopes: Type.Array(
          Type.Object({
            ...NamedScope.properties,
            refusal: Nullable(Type.String({ description: 'Error code of the rule that currently prevents it there' })),
          }),
        ),
      }),
    ),
  }),
)

const account = {
  name: Name({ maxLength: 120 }),
  email: Type.String({ maxLength: 254 }),
}
const Post = Nullable(Name({ maxLength: 160 }))

/** Finding, reading, creating and changing accounts. */
export function personRoutes(app: App, deps: PeopleRouteDependencies): void {
  app.get(
    '/api/people',
    {
      config: { rule },
      schema: {
        operationId: 'listPeople',
        tags: ['people'],
        summary: 'List people in your units, or find anybody by name or address',
        querystring: Query({
          ...paging,
          search: Type.Optional(Type.String({ maxLength: 200 })),
          role: Type.Optional(RoleName),
          scope: Type.Optional(ScopeText),
          state: Type.Optional(Type.Enum(['active', 'inactive'])),
        }),
        response: { 200: PageOf(Row), ...refusals(401, 403) },
      },
    },
    async (request) => {
      const { scope, ...query } = request.query
      return listPeople(deps, personOf(request), { ...query, ...(scope !== undefined && { scope: scopeOf(scope) }) })
    },
  )

  app.get(
    '/api/people/:id',
    {
      config: { rule },
      schema: {
        operationId: 'getPerson',
        tags: ['people'],
        summary: 'Get a person with all their grants and posts, and what you may do with the account',
        params: ById,
        response: { 200: Whole, ...refusals(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const person = await readPerson(deps, personOf(request), request.params.id)
      // The tag serves changes only: roles and sessions change without it.
      isKnown(request, reply, person.version)
      return person
    },
  )

  app.post(
    '/api/people',
    {
      config: { rule },
      schema: {
        operationId: 'createPerson',
        tags: ['people'],
        summary: 'Create an account without roles, and mail its owner a link to set a password',
        body: Type.Object(
          {
            ...account,
            username: Type.Optional(Type.String({ maxLength: 60 })),
            post: Type.Optional(Post),
            language: Type.Optional(Type.Enum(['en', 'si', 'ta'])),
            reason: Reason,
          },
          { additionalProperties: false },
        ),
        response: { 201: Whole, ...refusals(401, 403, 409, 422) },
      },
    },
    async (request, reply) => {
      const { post = null, ...data } = request.body
      const made = await createPerson(deps, personOf(request), { ...data, post })
      isKnown(request, reply, made.version)
      return reply.code(201).header('location', `/api/people/${made.id}`).send(made)
    },
  )

  app.put(
    '/api/people/:id',
    {
      config: { rule },
      schema: {
        operationId: 'changePerson',
        tags: ['people'],
        summary: 'Change, close or reopen an account; send the version read as If-Match',
        params: ById,
        body: Type.Object(
          { ...account, post: Post, active: Type.Boolean(), reason: Reason },
          { additionalProperties: false },
        ),
        response: { 200: Whole, ...refusals(401, 403, 404, 409, 412, 422, 428) },
      },
    },
    async (request, reply) => {
      const version = versionWanted(request)
      if (version === undefined) throw new BusinessError('platform.version-wanted')
      const changed = await changePerson(deps, personOf(request), request.params.id, version, request.body)
      isKnown(request, reply, changed.version)
      return changed
    },
  )

  app.post(
    '/api/people/:id/name-changes/:change',
    {
      config: { rule },
      schema: {
        operationId: 'decideNameChange',
        tags: ['people'],
        summary: 'Confirm or reject a requested change of name; not your own',
        params: Type.Object({ id: Id, change: Id }),
        body: Type.Object({ accept: Type.Boolean(), reason: Reason }, { additionalProperties: false }),
        response: { 204: Type.Null(), ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const { id, change } = request.params
      await decideNameChange(deps, personOf(request), id, { change, ...request.body })
      return reply.code(204).send(null)
    },
  )
}
