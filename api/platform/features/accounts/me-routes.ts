import { Readable } from 'node:stream'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import qrcode from 'qrcode'
import { Type } from 'typebox'
import { BusinessError } from '../../kernel/errors.ts'
import { languages, type Library } from '../../model/library/library.ts'
import { unitTitles } from '../../people/identity/accounts.ts'
import { askForName, withdrawName, waitingName } from '../../people/identity/names.ts'
import {
  changeOwnPassword,
  choosePhoto,
  choosePreferences,
  expectPassword,
  facultyOf,
  readOwnAccount,
} from '../../people/identity/own-account.ts'
import { ownData } from '../../people/identity/own-data.ts'
import { beginPasskey, listPasskeys, registerPasskey, removePasskey } from '../../people/identity/passkeys.ts'
import {
  factorsOf,
  beginTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
  tellOfSecurity,
} from '../../people/identity/second-factor.ts'
import { endSessions, listSessions } from '../../people/identity/sessions.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Vault } from '../../kernel/keys.ts'
import { type SecondFactorPolicy, lacksSecondFactor, personOf } from '../../http/auth.ts'
import { Id, Moment, Name, NameChange, Nullable, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const Password = Type.String({ minLength: 1, maxLength: 200 })
const WithPassword = component('PasswordGiven', Type.Object({ password: Password }, { additionalProperties: false }))
const RecoveryCodes = Type.Array(Type.String(), { description: 'Shown this once; each is good once' })
const PasskeyId = Type.String({ maxLength: 1400, pattern: '^[A-Za-z0-9_-]+$' })
const Passkey = component(
  'Passkey',
  Type.Object({ id: PasskeyId, name: Type.String(), createdAt: Moment, lastUsedAt: Nullable(Moment) }),
)
const Mails = { tasks: Type.Boolean(), cases: Type.Boolean(), newTasks: Type.Boolean(), digest: Type.Boolean() }

/** What a browser's authenticator said; the library looks at it closely. */
const Answer = Type.Unsafe<RegistrationResponseJSON>(
  Type.Object({ id: Type.String({ maxLength: 1400 }), response: Type.Object({}) }),
)

/** Passwords are not guessed here either. */
const guarded = { rule: 'signed-in', rateLimit: { max: 10, timeWindow: '1 minute' } } as const

/** One's own account: who one is, what one chose, one's sessions and second factors, and all that is kept about one. */
export function meRoutes(
  app: App,
  {
    db,
    library,
    publicUrl,
    vault,
    secondFactor,
  }: { db: Kysely<DB>; library: Library; publicUrl: string; vault: Vault; secondFactor: SecondFactorPolicy },
): void {
  const letters = { library, publicUrl }
  const factorContext = { db, vault, letters }
  const keyContext = { db, letters, publicUrl, log: app.log }

  app.get(
    '/api/me',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getMe',
        tags: ['me'],
        summary: 'The person who asks, with what they may act as now',
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
            registered: Type.Boolean({ description: 'An entry of a register answers for the name' }),
            nameChange: Nullable(NameChange),
            faculty: Nullable(
              Type.Object({
                id: Id,
                name: Type.String(),
                theme: Nullable(Type.String({ description: 'Which of the house’s faculty colours' })),
              }),
            ),
            language: Type.Enum(languages),
            photo: Nullable(Id),
            emailConfirmed: Type.Boolean(),
            mails: Type.Object(Mails),
            secondFactor: Type.Object({
              totp: Type.Boolean(),
              passkeys: Type.Integer(),
              recoveryCodes: Type.Integer({ description: 'Codes that are left' }),
              wanted: Type.Boolean({ description: 'One has to be set up before anything else' }),
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
        grants: grants.map(({ role, scopeKind, scopeId }) => ({
          role,
          scope: scopeKind === null ? null : { kind: scopeKind, id: scopeId!, name: titles.get(scopeId!) ?? scopeId! },
        })),
        groups,
        student: grants.some(({ role }) => /student$/i.test(role)),
        faculty: await facultyOf(db, grants, row.record_id),
        record: row.record_id === null ? null : { id: row.record_id, register: row.register!, title: row.title! },
        registered: row.registered,
        nameChange,
        language: row.language as (typeof languages)[number],
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

  app.patch(
    '/api/me',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'changeMe',
        tags: ['me'],
        summary: 'Changes the language, or which mails come',
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
        summary: 'Asks for another name, which holds once somebody else has confirmed it; for who is in no register',
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
        summary: 'Takes back the name that one has asked for',
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
        summary: 'Makes a picture that one has uploaded one’s photo, or takes the photo away',
        body: Type.Object({ file: Nullable(Id) }, { additionalProperties: false }),
        response: { 204: Type.Null(), ...refusals(401, 422) },
      },
    },
    async (request, reply) => {
      await choosePhoto(db, personOf(request).id, request.body.file)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/me/password',
    {
      config: guarded,
      schema: {
        operationId: 'changeMyPassword',
        tags: ['me'],
        summary: 'Changes the password and ends all other sessions',
        body: Type.Object({ current: Password, password: Password }, { additionalProperties: false }),
        response: { 204: Type.Null(), ...refusals(401, 422) },
      },
    },
    async (request, reply) => {
      const person = personOf(request)
      await changeOwnPassword(db, person, { ...request.body, session: request.user.sid }, (trx) =>
        tellOfSecurity(letters, trx, person.id, 'platform.mail.password-changed', '/session/forgot-password'),
      )
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/api/me/sessions',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listMySessions',
        tags: ['me'],
        summary: 'Where one is signed in',
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Id,
                current: Type.Boolean({ description: 'The session that asks' }),
                method: Type.Enum(['password', 'totp', 'recovery-code', 'passkey', 'oidc']),
                userAgent: Nullable(Type.String()),
                address: Nullable(Type.String()),
                createdAt: Moment,
                lastSeenAt: Moment,
              }),
            ),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => ({
      items: (await listSessions(db, personOf(request).id)).map((row) => ({
        id: row.id,
        current: row.id === request.user.sid,
        method: row.method as 'password',
        userAgent: row.user_agent,
        address: row.address,
        createdAt: row.created_at.toISOString(),
        lastSeenAt: row.last_seen_at.toISOString(),
      })),
    }),
  )

  app.delete(
    '/api/me/sessions/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'endMySession',
        tags: ['me'],
        summary: 'Signs out somewhere',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null(), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      const { id: by } = personOf(request)
      const ended = await db
        .transaction()
        .execute((trx) =>
          endSessions(trx, by, { only: request.params.id, by, reason: 'signed out from another session' }),
        )
      if (ended === 0) throw new BusinessError('platform.not-found')
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/me/sessions/end-others',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'endMyOtherSessions',
        tags: ['me'],
        summary: 'Signs out everywhere else',
        response: { 204: Type.Null(), ...refusals(401) },
      },
    },
    async (request, reply) => {
      const { id: by } = personOf(request)
      const { sid: except } = request.user
      await db
        .transaction()
        .execute((trx) => endSessions(trx, by, { except, by, reason: 'signed out from another session' }))
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/api/me/data',
    {
      config: { rule: 'signed-in', rateLimit: { max: 5, timeWindow: '1 minute' } },
      schema: {
        operationId: 'getMyData',
        tags: ['me'],
        summary: 'Everything that is kept about the person who asks, as one file',
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
      return reply.send(Readable.from(ownData(db, id)))
    },
  )

  app.post(
    '/api/me/totp',
    {
      config: guarded,
      schema: {
        operationId: 'beginTotp',
        tags: ['me'],
        summary: 'Begins with an authenticator app; it counts when its first code is confirmed',
        body: WithPassword,
        response: {
          200: Type.Object({
            secret: Type.String(),
            uri: Type.String(),
            qr: Type.String({ description: 'The address as a picture (SVG)' }),
          }),
          ...refusals(401, 403, 409, 422),
        },
      },
    },
    async (request, reply) => {
      const { id, username } = personOf(request)
      await expectPassword(db, id, request.body.password)
      const { secret, uri } = await beginTotp(factorContext, id, username)
      reply.header('cache-control', 'no-store')
      return { secret, uri, qr: await qrcode.toString(uri, { type: 'svg', margin: 1 }) }
    },
  )

  app.post(
    '/api/me/totp/confirm',
    {
      config: guarded,
      schema: {
        operationId: 'confirmTotp',
        tags: ['me'],
        summary: 'Confirms the authenticator app by a code, which sign-in asks for from then on',
        body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 40 }) }, { additionalProperties: false }),
        response: { 200: Type.Object({ recoveryCodes: RecoveryCodes }), ...refusals(401, 403, 409, 422) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return { recoveryCodes: await confirmTotp(factorContext, personOf(request).id, request.body.code) }
    },
  )

  app.delete(
    '/api/me/totp',
    {
      config: guarded,
      schema: {
        operationId: 'removeTotp',
        tags: ['me'],
        summary: 'Takes the authenticator app away',
        body: WithPassword,
        response: { 204: Type.Null(), ...refusals(401, 422) },
      },
    },
    async (request, reply) => {
      const { id } = personOf(request)
      await expectPassword(db, id, request.body.password)
      await removeTotp(factorContext, id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/me/recovery-codes',
    {
      config: guarded,
      schema: {
        operationId: 'renewRecoveryCodes',
        tags: ['me'],
        summary: 'New recovery codes; the old ones are good for nothing from then on',
        body: WithPassword,
        response: { 200: Type.Object({ recoveryCodes: RecoveryCodes }), ...refusals(401, 409, 422) },
      },
    },
    async (request, reply) => {
      const { id } = personOf(request)
      await expectPassword(db, id, request.body.password)
      reply.header('cache-control', 'no-store')
      return { recoveryCodes: await renewRecoveryCodes(factorContext, id) }
    },
  )

  app.post(
    '/api/me/passkeys/options',
    {
      config: guarded,
      schema: {
        operationId: 'beginPasskey',
        tags: ['me'],
        summary: 'What a browser needs to make a passkey',
        body: WithPassword,
        response: {
          200: Type.Object({ challenge: Id, options: Type.Record(Type.String(), Type.Unknown()) }),
          ...refusals(401, 403, 409, 422),
        },
      },
    },
    async (request) => {
      const person = personOf(request)
      await expectPassword(db, person.id, request.body.password)
      const { challenge, options } = await beginPasskey(keyContext, person)
      return { challenge, options: { ...options } }
    },
  )

  app.post(
    '/api/me/passkeys',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'addPasskey',
        tags: ['me'],
        summary: 'Keeps a passkey that the browser made; from then on the password alone does not sign in',
        body: Type.Object(
          { challenge: Id, name: Name({ minLength: 1, maxLength: 100 }), response: Answer },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            ...Passkey.properties,
            recoveryCodes: Nullable(RecoveryCodes),
          }),
          ...refusals(401, 403, 410, 422),
        },
      },
    },
    async (request, reply) => {
      const made = await registerPasskey(keyContext, personOf(request).id, request.body)
      reply.header('cache-control', 'no-store')
      return reply.code(201).send({ ...made, createdAt: made.createdAt.toISOString(), lastUsedAt: null })
    },
  )

  app.get(
    '/api/me/passkeys',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listMyPasskeys',
        tags: ['me'],
        summary: 'One’s passkeys',
        response: { 200: Type.Object({ items: Type.Array(Passkey) }), ...refusals(401) },
      },
    },
    async (request) => ({
      items: (await listPasskeys(keyContext, personOf(request).id)).map((one) => ({
        ...one,
        createdAt: one.createdAt.toISOString(),
        lastUsedAt: one.lastUsedAt?.toISOString() ?? null,
      })),
    }),
  )

  app.delete(
    '/api/me/passkeys/:id',
    {
      config: guarded,
      schema: {
        operationId: 'removePasskey',
        tags: ['me'],
        summary: 'Takes a passkey away',
        params: Type.Object({ id: PasskeyId }),
        body: WithPassword,
        response: { 204: Type.Null(), ...refusals(401, 404, 422) },
      },
    },
    async (request, reply) => {
      const { id } = personOf(request)
      await expectPassword(db, id, request.body.password)
      await removePasskey(keyContext, id, request.params.id)
      return reply.code(204).send(null)
    },
  )
}
