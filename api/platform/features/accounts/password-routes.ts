import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isObject } from '../../kernel/objects.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { askForConfirmation, confirmEmail, forgotPassword, lookAtToken, setPassword } from './registration.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { networkOf } from '../../http/network.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, refusals } from '../../http/schemas.ts'
import { ProofHeader, anonymousWrites } from '../../http/anonymous-writes.ts'
import { BODY_LIMIT, seldom, type AccountRouteDependencies, setUpCookie } from './account-schemas.ts'

/**
 * Rate limit per token. A limit per address would let one machine block everybody behind it. Requests with a proof of
 * work have no limit for the same reason; their cost grows instead.
 */
const PER_TOKEN = { max: 40, timeWindow: '1 minute' }

const Token = Type.Object({ token: Type.String({ maxLength: 200 }) }, { additionalProperties: false })

/** Uses of mailed links; their rate limit is shared. */
function tokenUseRoutes(app: App, { db, definitions, library, publicUrl }: AccountRouteDependencies): void {
  const context = { db, definitions, library, publicUrl }
  const { name: COOKIE, options: cookie } = setUpCookie(publicUrl)
  const ofToken = app.createRateLimit({
    ...PER_TOKEN,
    keyGenerator: tokenOf,
  })

  app.post(
    '/api/auth/reset-password',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'setPassword',
        tags: ['accounts'],
        summary:
          'Set the password, with the token of a mailed link or from the browser that has just created the account',
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
    '/api/auth/tokens/look',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'lookAtToken',
        tags: ['accounts'],
        summary: 'Get the purpose and the owner of the token of a mailed link; the token stays valid',
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
        summary: 'Confirm your address with the token of a mailed link',
        body: Token,
        response: { 204: Type.Null(), ...refusals(409, 410) },
      },
    },
    async (request, reply) => {
      await expectSeldom(request)
      await confirmEmail(context, request.body.token)
      return reply.code(204).send(null)
    },
  )

  function tokenOf({ body, cookies, ip }: FastifyRequest): string {
    const given = isObject(body) && typeof body['token'] === 'string' ? body['token'] : undefined
    const token = given ?? cookies[COOKIE]
    return token === undefined ? networkOf(ip) : createHash('sha256').update(token).digest('base64url')
  }

  async function expectSeldom(request: FastifyRequest): Promise<void> {
    const limit = await ofToken(request)
    if (!limit.isAllowed && limit.isExceeded) throw new BusinessError('platform.too-many-requests')
  }
}

/** Requests for a mailed link. */
function linkRoutes(app: App, { db, definitions, library, publicUrl, vault }: AccountRouteDependencies): void {
  const context = { db, definitions, library, publicUrl }
  const { demandProof } = anonymousWrites({ db, vault })

  app.post(
    '/api/auth/forgot-password',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'forgotPassword',
        tags: ['accounts'],
        summary: 'Mail a link to set a password if the address has an account; the answer is the same if not',
        description: 'The body is the data of the form `applicant-accounts/forgot-password`.',
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
    '/api/me/confirm-email',
    {
      config: { rule: 'signed-in', rateLimit: seldom },
      schema: {
        operationId: 'askToConfirmEmail',
        tags: ['accounts'],
        summary: 'Mail the link to confirm your address again',
        response: { 202: Type.Null(), ...refusals(401) },
      },
    },
    async (request, reply) => {
      await askForConfirmation(context, personOf(request).id)
      return reply.code(202).send(null)
    },
  )
}

/** Setting a password, and confirming an address. */
export function passwordRoutes(app: App, deps: AccountRouteDependencies): void {
  tokenUseRoutes(app, deps)
  linkRoutes(app, deps)
}
