import { Type } from 'typebox'
import { applyForAccount, checkEmail, registerAccount } from './registration.ts'
import { HIGHEST_LEVEL } from '../../people/identity/throttle.ts'
import type { App } from '../../http/app.ts'
import { languageOf } from '../../http/problems.ts'
import { ProofChallenge, proofs } from '../../http/proof.ts'
import { FormData, Id, Query, refusals } from '../../http/schemas.ts'
import { ProofHeader, anonymousWrites } from '../../http/anonymous-writes.ts'
import { component } from '../../kernel/components.ts'
import { BODY_LIMIT, type AccountRouteDependencies, setUpCookie } from './account-schemas.ts'

const Account = component('Account', Type.Object({ id: Id, username: Type.String() }))

/** Sign-up. */
export function signUpRoutes(app: App, { db, definitions, library, publicUrl, vault }: AccountRouteDependencies): void {
  const context = { db, definitions, library, publicUrl }
  const proof = proofs({ db, vault })
  const { due, demandProof } = anonymousWrites({ db, vault })
  const { name: COOKIE, options: cookie } = setUpCookie(publicUrl)

  app.get(
    '/api/public/proof',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getProofChallenge',
        tags: ['accounts'],
        summary: 'Get a proof-of-work challenge; send its solution as the header x-proof',
        querystring: Query({
          difficulty: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: HIGHEST_LEVEL,
              description: 'As named in the problem `platform.proof-wanted`',
            }),
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
        summary: 'Check whether an email address can be used for a new account',
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
        summary: 'Create an account with a password; a link to confirm the address is mailed',
        headers: ProofHeader,
        body: Type.Object(
          {
            email: Type.String({ maxLength: 300 }),
            username: Type.Optional(Type.String({ maxLength: 254, description: 'Defaults to the email address' })),
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
        summary: 'Create an applicant account; the password is set from this browser or by the mailed link',
        description: 'The body is the data of the form `applicant-accounts/account`.',
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
}
