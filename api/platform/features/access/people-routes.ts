import { Type } from 'typebox'
import { importGrants } from './grant-import.ts'
import { effectOfGrants, giveGrant } from './grants.ts'
import {
  changePerson,
  createPerson,
  decideNameChange,
  endSecondFactor,
  listPeople,
  listRoles,
  readPerson,
  sendPasswordLink,
  signOutPerson,
} from './people.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { personOf } from '../../http/auth.ts'
import { isKnown, versionWanted } from '../../http/etag.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Moment, Name, NameChange, Nullable, PageOf, Query, paging, refusals, Reason } from '../../http/schemas.ts'
import { Dates, Effect, Grant, NamedScope, RoleName, ScopeText, WantedScope, scopeOf } from './schemas.ts'
import { component } from '../../kernel/components.ts'

const Row = component(
  'PersonRow',
  Type.Object({
    id: Id,
    username: Nullable(Type.String({ description: 'Null for people outside the units of the person who asks' })),
    name: Type.String(),
    email: Nullable(Type.String()),
    post: Nullable(Type.String()),
    active: Type.Boolean(),
    registered: Type.Boolean({ description: 'An entry of a register answers for the name' }),
    kind: Type.Enum(['staff', 'student', 'temporary', 'other']),
    lastSeenAt: Nullable(Moment),
    grants: Type.Array(Type.Object({ role: Type.String(), scope: Nullable(NamedScope) })),
  }),
)

const Whole = component(
  'Person',
  Type.Object({
    ...Row.properties,
    version: Type.Integer(),
    language: Nullable(Type.String()),
    emailConfirmed: Type.Boolean(),
    hasPassword: Type.Boolean(),
    secondFactor: Type.Boolean(),
    sessions: Type.Integer({ description: 'How many go on' }),
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
    mayErase: Type.Boolean({ description: 'May ask for their details to be erased from the audit' }),
    mayGrant: Type.Array(
      Type.Object({
        role: Type.String(),
        anywhere: Type.Boolean({ description: 'At any unit; else at those named' }),
        scoped: Type.Enum(['always', 'never', 'either'], { description: 'Whether the role is granted for a unit' }),
        scopes: Type.Array(
          Type.Object({
            ...NamedScope.properties,
            refusal: Nullable(Type.String({ description: 'The code of what forbids it there for now' })),
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
const rule = { group: 'roleSetup' }
const ById = Type.Object({ id: Id })

/** People administration: accounts, and the roles that they hold. */
export function peopleRoutes(
  app: App,
  deps: { db: Kysely<DB>; library: Library; definitions: Definitions; publicUrl: string },
): void {
  app.get(
    '/api/people',
    {
      config: { rule },
      schema: {
        operationId: 'listPeople',
        tags: ['people'],
        summary: 'People by name: those of one’s own units, and whoever a name or address finds',
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
        summary: 'Somebody with all their grants and posts, and what the person who asks may do to them',
        params: ById,
        response: { 200: Whole, ...refusals(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const person = await readPerson(deps, personOf(request), request.params.id)
      // The tag is for changes alone: roles and sessions change without it.
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
        summary: 'Makes an account without roles, and mails its owner a link to set a password',
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
        summary: 'Changes an account, or closes and opens it; the version seen goes along as If-Match',
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
        summary: 'Confirms the name that somebody asks for, or refuses it; nobody decides about their own',
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

  app.post(
    '/api/people/:id/sign-out',
    {
      config: { rule },
      schema: {
        operationId: 'signOutPerson',
        tags: ['people'],
        summary: 'Ends every session of somebody',
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
        summary: 'Takes away all second factors of somebody who has lost them, and ends their sessions',
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
        summary: 'Mails somebody a link to set a password',
        params: ById,
        response: { 202: Type.Null(), ...refusals(401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      await sendPasswordLink(deps, personOf(request), request.params.id)
      return reply.code(202).send(null)
    },
  )

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
