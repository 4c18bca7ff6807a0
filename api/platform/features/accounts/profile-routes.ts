import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { entryOf } from '../../people/identity/own-entry.ts'
import { scopeFrom } from '../../people/access/units.ts'
import { oneOf } from '../../kernel/one-of.ts'
import { languages } from '../../model/library/library.ts'
import { unitTitles } from '../../people/identity/accounts.ts'
import { askForName, withdrawName, waitingName } from '../../people/identity/names.ts'
import { choosePhoto, choosePreferences, facultyOf, readOwnAccount } from '../../people/identity/own-account.ts'
import { ownData } from '../../people/identity/own-data.ts'
import { factorsOf } from '../../people/identity/second-factor.ts'
import type { App } from '../../http/app.ts'
import { lacksSecondFactor, personOf } from '../../http/auth.ts'
import { Id, Moment, Name, NameChange, Nullable, refusals } from '../../http/schemas.ts'
import type { MeRouteDependencies } from './me-schemas.ts'

const Mails = { tasks: Type.Boolean(), cases: Type.Boolean(), newTasks: Type.Boolean(), digest: Type.Boolean() }

/** Profile, and all data stored about the reader. */
function ownDataRoutes(app: App, { db, library, secondFactor }: MeRouteDependencies): void {
  app.get(
    '/api/me',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getMe',
        tags: ['me'],
        summary: 'Get your account, with what you may act as now',
        response: {
          200: Type.Object({
            id: Id,
            username: Type.String(),
            name: Type.String(),
            email: Type.String(),
            post: Nullable(Type.String()),
            seesAll: Type.Boolean(),
            grants: Type.Array(
              Type.Object({
                role: Type.String(),
                scope: Nullable(Type.Object({ kind: Type.String(), id: Type.String(), name: Type.String() })),
              }),
            ),
            groups: Type.Array(Type.String(), { description: 'Permission groups' }),
            student: Type.Boolean(),
            record: Nullable(Type.Object({ register: Type.String(), id: Id, title: Type.String() })),
            registered: Type.Boolean({ description: 'The name comes from a register entry' }),
            nameChange: Nullable(NameChange),
            faculty: Nullable(
              Type.Object({
                id: Id,
                name: Type.String(),
                theme: Nullable(Type.String({ description: 'Faculty colour of the theme' })),
              }),
            ),
            language: Type.Enum(languages),
            photo: Nullable(Id),
            emailConfirmed: Type.Boolean(),
            mails: Type.Object(Mails),
            secondFactor: Type.Object({
              totp: Type.Boolean(),
              passkeys: Type.Integer(),
              recoveryCodes: Type.Integer({ description: 'Number of unused codes' }),
              wanted: Type.Boolean({ description: 'You must set one up before anything else' }),
            }),
            setPasswordAt: Nullable(Moment),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => {
      const person = personOf(request)
      const { id, username, name, email, post, seesAll, grants, groups } = person
      const [row, titles, has, wanted, nameChange] = await Promise.all([
        readOwnAccount(db, id),
        unitTitles(db, grants),
        factorsOf(db, id),
        lacksSecondFactor(db, secondFactor, person),
        waitingName(db, id),
      ])
      return {
        id,
        username,
        name,
        email,
        post,
        seesAll,
        grants: grants.map(({ role, scopeKind, scopeId }) => {
          const scope = scopeFrom(scopeKind, scopeId)
          return { role, scope: scope && { ...scope, name: titles.get(scope.id) ?? scope.id } }
        }),
        groups,
        student: grants.some(({ role }) => /student$/i.test(role)),
        faculty: await facultyOf(db, grants, row.record_id),
        record: entryOf(row),
        registered: row.registered,
        nameChange,
        language: oneOf(languages, row.language),
        photo: row.photo_id,
        emailConfirmed: row.email_confirmed_at !== null,
        mails: {
          tasks: row.mail_tasks,
          cases: row.mail_cases,
          newTasks: row.mail_new_tasks,
          digest: row.mail_digest,
        },
        secondFactor: { ...has, wanted },
        setPasswordAt: row.password_changed_at?.toISOString() ?? null,
      }
    },
  )

  app.get(
    '/api/me/data',
    {
      config: { rule: 'signed-in', rateLimit: { max: 5, timeWindow: '1 minute' } },
      schema: {
        operationId: 'getMyData',
        tags: ['me'],
        summary: 'Download everything stored about you as one file',
        response: {
          200: { content: { 'application/json': { schema: Type.Unsafe<Readable>({ type: 'object' }) } } },
          ...refusals(401),
        },
      },
    },
    async (request, reply) => {
      const { id, username } = personOf(request)
      const name = encodeURIComponent(`prakriya-${username}.json`)
      reply
        .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
        .header('cache-control', 'no-store')
        .type('application/json; charset=utf-8')
      return reply.send(Readable.from(ownData(db, library.registers, id)))
    },
  )
}

/** Preferences and names. */
function preferenceRoutes(app: App, { db, library, publicUrl }: MeRouteDependencies): void {
  app.patch(
    '/api/me',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'changeMe',
        tags: ['me'],
        summary: 'Change your language, or the emails you receive',
        body: Type.Object(
          {
            language: Type.Optional(Type.Enum(languages)),
            mails: Type.Optional(Type.Partial(Type.Object(Mails))),
          },
          { additionalProperties: false },
        ),
        response: { 204: Type.Null(), ...refusals(401, 422) },
      },
    },
    async (request, reply) => {
      await choosePreferences(db, personOf(request).id, request.body)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/me/name-changes',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'askForMyName',
        tags: ['me'],
        summary: 'Request a change of name, which another person confirms; for people without a register entry',
        body: Type.Object({ name: Name({ minLength: 1, maxLength: 120 }) }, { additionalProperties: false }),
        response: { 201: NameChange, ...refusals(401, 409, 422) },
      },
    },
    async (request, reply) => {
      const asked = await db
        .transaction()
        .execute((trx) => askForName(trx, { library, publicUrl }, personOf(request), request.body.name))
      return reply.code(201).send(asked)
    },
  )

  app.delete(
    '/api/me/name-changes/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'takeBackMyName',
        tags: ['me'],
        summary: 'Withdraw your requested change of name',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null(), ...refusals(401, 404, 409) },
      },
    },
    async (request, reply) => {
      await db.transaction().execute((trx) => withdrawName(trx, personOf(request), request.params.id))
      return reply.code(204).send(null)
    },
  )

  app.put(
    '/api/me/photo',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'changeMyPhoto',
        tags: ['me'],
        summary: 'Use an uploaded picture as your photo, or remove the photo',
        body: Type.Object({ file: Nullable(Id) }, { additionalProperties: false }),
        response: { 204: Type.Null(), ...refusals(401, 422) },
      },
    },
    async (request, reply) => {
      await choosePhoto(db, personOf(request).id, request.body.file)
      return reply.code(204).send(null)
    },
  )
}

/** Profile and preferences. */
export function profileRoutes(app: App, deps: MeRouteDependencies): void {
  ownDataRoutes(app, deps)
  preferenceRoutes(app, deps)
}
