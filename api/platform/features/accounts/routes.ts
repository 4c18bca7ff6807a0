import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { BusinessError } from '../../kernel/errors.ts'
import {
  applyForAccount,
  askForConfirmation,
  checkEmail,
  confirmEmail,
  forgotPassword,
  lookAtToken,
  registerAccount,
  setPassword,
} from './registration.ts'
import { STUDENT_OFFICE, listStudents, sendPasswordLinks } from './students.ts'
import { DEAREST } from '../../people/identity/throttle.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { SignInElsewhere } from './foreign-sessions.ts'
import type { Library } from '../../model/library/library.ts'
import type { Vault } from '../../kernel/keys.ts'
import { personOf } from '../../http/auth.ts'
import { networkOf } from '../../http/network.ts'
import { languageOf } from '../../http/problems.ts'
import { ProofChallenge, proofs } from '../../http/proof.ts'
import { FormData, Id, Nullable, Query, paging, refusals } from '../../http/schemas.ts'
import { ProofHeader, anonymousWrites } from '../../http/anonymous-writes.ts'
import { component } from '../../kernel/components.ts'

/** Bodies of these routes are small; strangers need not send more. */
const BODY_LIMIT = 16 * 1024
/**
 * How often one token may come in a minute. Not by address: there, one machine would keep all others from their links.
 * For the same reason what wants a proof has no such limit; it grows dearer.
 */
const PER_TOKEN = { max: 40, timeWindow: '1 minute' }
/** What one person may ask for in a minute. */
const seldom = { max: 40, timeWindow: '1 minute' }

const Token = Type.Object({ token: Type.String({ maxLength: 200 }) }, { additionalProperties: false })
const Account = component('Account', Type.Object({ id: Id, username: Type.String() }))
/** Which students are meant, by what stands in the register. */
const studentFilter = {
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  status: Type.Optional(Type.String({ maxLength: 40 })),
  faculty: Type.Optional(Id),
  department: Type.Optional(Id),
  programme: Type.Optional(Type.String({ maxLength: 120 })),
  intake: Type.Optional(Type.String({ maxLength: 20 })),
  year: Type.Optional(Type.Integer({ minimum: 1, maximum: 6 })),
}
/** Why a student is sent nothing. */
const unreached = ['not-active', 'has-password', 'account-closed', 'address-in-use'] as const

/** How people make themselves an account, and come by a password. */
export function accountRoutes(
  app: App,
  {
    db,
    definitions,
    identity,
    library,
    publicUrl,
    vault,
  }: {
    db: Kysely<DB>
    definitions: Definitions
    identity?: SignInElsewhere | undefined
    library: Library
    publicUrl: string
    vault: Vault
  },
): void {
  const context = { db, definitions, library, publicUrl }
  const studentContext = { db, definitions, library, publicUrl, identity }
  const proof = proofs({ db, vault })
  const { due, demandProof } = anonymousWrites({ db, vault })
  const secure = publicUrl.startsWith('https:')
  const COOKIE = secure ? '__Secure-prakriya_setup' : 'prakriya_setup'
  const cookie = {
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'strict',
    secure,
  } as const

  const ofToken = app.createRateLimit({
    ...PER_TOKEN,
    keyGenerator: (request) => tokenOf(request as FastifyRequest<{ Body: { token?: string } }>),
  })

  function tokenOf(request: FastifyRequest<{ Body: { token?: string } }>): string {
    const token = request.body.token ?? request.cookies[COOKIE]
    return token === undefined ? networkOf(request.ip) : createHash('sha256').update(token).digest('base64url')
  }

  async function expectSeldom(request: FastifyRequest): Promise<void> {
    const limit = await ofToken(request)
    if (!limit.isAllowed && limit.isExceeded) throw new BusinessError('platform.too-many-requests')
  }

  app.get(
    '/api/public/proof',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getProofChallenge',
        tags: ['accounts'],
        summary: 'A challenge that a browser solves in a moment; its solution goes along as the header x-proof',
        querystring: Query({
          difficulty: Type.Optional(
            Type.Integer({ minimum: 0, maximum: DEAREST, description: 'As a `platform.proof-wanted` has named it' }),
          ),
        }),
        response: { 200: ProofChallenge, ...refusals() },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return proof.challenge(Math.max(request.query.difficulty ?? 0, await due(request)))
    },
  )

  app.get(
    '/api/auth/email',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'checkEmail',
        tags: ['accounts'],
        summary: 'Whether an e-mail address can be used for a new account',
        querystring: Query({ email: Type.String({ maxLength: 300 }) }),
        headers: ProofHeader,
        response: { 200: Type.Object({ valid: Type.Boolean(), message: Type.String() }), ...refusals(422, 428) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      await demandProof(request)
      const found = await checkEmail(context, request.query.email)
      const texts = {
        valid: 'platform.email-valid',
        taken: 'platform.email-taken',
        invalid: 'platform.email-invalid',
      }
      return { valid: found === 'valid', message: library.text(texts[found], {}, languageOf(request)) }
    },
  )

  app.post(
    '/api/auth/register',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'register',
        tags: ['accounts'],
        summary: 'Makes an account with a password at once; a link to confirm the address is mailed',
        headers: ProofHeader,
        body: Type.Object(
          {
            email: Type.String({ maxLength: 300 }),
            username: Type.Optional(
              Type.String({ maxLength: 254, description: 'The e-mail address, where it is absent' }),
            ),
            password: Type.String({ maxLength: 1000 }),
          },
          { additionalProperties: false },
        ),
        response: { 201: Account, ...refusals(409, 413, 422, 428) },
      },
    },
    async (request, reply) => {
      await demandProof(request)
      const made = await registerAccount(context, request.body, languageOf(request))
      return reply.code(201).send(made)
    },
  )

  app.post(
    '/api/auth/accounts',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'createApplicantAccount',
        tags: ['accounts'],
        summary: 'Makes an applicant’s account; the password follows from this browser, or by the link that is mailed',
        description: 'The body is what the form `applicant-accounts/account` takes.',
        headers: ProofHeader,
        body: FormData,
        response: { 201: Account, ...refusals(409, 413, 422, 428) },
      },
    },
    async (request, reply) => {
      await demandProof(request)
      const { id, username, setUp, seconds } = await applyForAccount(context, request.body, languageOf(request))
      reply.setCookie(COOKIE, setUp, { ...cookie, maxAge: seconds })
      return reply.code(201).send({ id, username })
    },
  )

  app.post(
    '/api/auth/reset-password',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'setPassword',
        tags: ['accounts'],
        summary:
          'Sets the password: with the token of a mailed link, or from the browser that has just made the account',
        body: Type.Object(
          {
            username: Type.String({ maxLength: 300 }),
            password: Type.String({ maxLength: 1000 }),
            token: Type.Optional(Type.String({ maxLength: 200 })),
          },
          { additionalProperties: false },
        ),
        response: { 201: Type.Object({ message: Type.String() }), ...refusals(403, 410, 413, 422) },
      },
    },
    async (request, reply) => {
      await expectSeldom(request)
      const { token, ...data } = request.body
      const done = await setPassword(context, data, { token, setUp: request.cookies[COOKIE] })
      reply.clearCookie(COOKIE, cookie)
      const key = done === 'created' ? 'platform.password-created' : 'platform.password-reset'
      return reply.code(201).send({ message: library.text(key, {}, languageOf(request)) })
    },
  )

  app.post(
    '/api/auth/forgot-password',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'forgotPassword',
        tags: ['accounts'],
        summary: 'Has a link mailed to the address, if it is somebody’s; the answer does not tell',
        description: 'The body is what the form `applicant-accounts/forgot-password` takes.',
        headers: ProofHeader,
        body: FormData,
        response: { 202: Type.Null(), ...refusals(413, 422, 428) },
      },
    },
    async (request, reply) => {
      await demandProof(request)
      await forgotPassword(context, request.body)
      return reply.code(202).send(null)
    },
  )

  app.post(
    '/api/auth/tokens/look',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'lookAtToken',
        tags: ['accounts'],
        summary: 'What the token of a mailed link is for, and whose; it stays good',
        body: Token,
        response: {
          200: Type.Object({ purpose: Type.Enum(['set-password', 'confirm-email']), email: Type.String() }),
          ...refusals(410),
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      await expectSeldom(request)
      return lookAtToken(context, request.body.token)
    },
  )

  app.post(
    '/api/auth/confirm-email',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'confirmEmail',
        tags: ['accounts'],
        summary: 'Shows with the token of a mailed link that the address is one’s own',
        body: Token,
        response: { 204: Type.Null(), ...refusals(410) },
      },
    },
    async (request, reply) => {
      await expectSeldom(request)
      await confirmEmail(context, request.body.token)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/me/confirm-email',
    {
      config: { rule: 'signed-in', rateLimit: seldom },
      schema: {
        operationId: 'askToConfirmEmail',
        tags: ['accounts'],
        summary: 'Mails the link to confirm one’s address again',
        response: { 202: Type.Null(), ...refusals(401) },
      },
    },
    async (request, reply) => {
      await askForConfirmation(context, personOf(request).id)
      return reply.code(202).send(null)
    },
  )

  app.get(
    '/api/students/password-links',
    {
      config: { rule: { group: STUDENT_OFFICE } },
      schema: {
        operationId: 'listStudentLinks',
        tags: ['accounts'],
        summary: 'Students whom one looks after, each with what a link to a password would be to them',
        querystring: Query({ ...paging, ...studentFilter }),
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Id,
                name: Type.String(),
                regNo: Type.String(),
                faculty: Id,
                department: Nullable(Id),
                intake: Type.String(),
                year: Nullable(Type.Integer()),
                status: Type.String(),
                link: Type.Enum(['first', 'again', ...unreached], {
                  description: 'The first link, another one, or why none is sent',
                }),
              }),
            ),
            next: Nullable(Type.String()),
            total: Type.Integer({ description: 'All that fit, counted exactly' }),
            titles: Type.Record(Type.String(), Type.String()),
            intakes: Type.Array(Type.String(), { description: 'Of all students whom one looks after' }),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => listStudents(studentContext, personOf(request), request.query),
  )

  app.post(
    '/api/students/password-links',
    {
      config: { rule: { group: STUDENT_OFFICE }, rateLimit: seldom },
      schema: {
        operationId: 'sendPasswordLinks',
        tags: ['accounts'],
        summary: 'Mails students the link to their first password, and makes accounts where there are none',
        body: Type.Union([
          Type.Object({ items: Type.Array(Id, { minItems: 1, maxItems: 1000 }) }, { additionalProperties: false }),
          Type.Object(
            {
              filter: Type.Object(studentFilter, { additionalProperties: false }),
            },
            { additionalProperties: false },
          ),
        ]),
        response: {
          202: Type.Object({
            sent: Type.Integer(),
            resent: Type.Integer({ description: 'Had been sent one before and had not used it' }),
            skipped: Type.Array(
              Type.Object({
                id: Id,
                name: Nullable(Type.String()),
                reason: Type.Enum(['not-found', ...unreached]),
              }),
            ),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await sendPasswordLinks(studentContext, personOf(request), request.body)),
  )
}
