import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { Type } from 'typebox'
import { beginPasskeySignIn, signInByPasskey } from '../../people/identity/passkeys.ts'
import type { App } from '../../http/app.ts'
import { Id, refusals } from '../../http/schemas.ts'
import { Tokens, WEB } from '../../http/session-answers.ts'
import { signInAnswers } from './sign-in-answers.ts'
import type { SessionRouteDependencies } from './session-schemas.ts'

/** The authenticator's response; the library validates it. */
const Answer = Type.Unsafe<AuthenticationResponseJSON>(
  Type.Object({ id: Type.String({ maxLength: 1400 }), response: Type.Object({}) }),
)

export function passkeySignInRoutes(
  app: App,
  { db, library, publicUrl, tokens, vault }: SessionRouteDependencies,
): void {
  const letters = { library, publicUrl }
  const keyContext = { db, letters, publicUrl, log: app.log }
  const { answers, opened, welcome } = signInAnswers(app, { db, publicUrl, tokens, vault })

  app.post(
    '/api/auth/passkey/options',
    {
      config: { rule: 'public', rateLimit: { max: 30, timeWindow: '1 minute' } },
      schema: {
        operationId: 'getPasskeyOptions',
        tags: ['sessions'],
        summary: 'Get the options for signing in with a passkey',
        response: {
          200: Type.Object({ challenge: Id, options: Type.Record(Type.String(), Type.Unknown()) }),
          ...refusals(),
        },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      const { challenge, options } = await beginPasskeySignIn(keyContext)
      return { challenge, options: { ...options } }
    },
  )

  app.post(
    '/api/auth/passkey',
    {
      config: { rule: 'public', rateLimit: { max: 30, timeWindow: '1 minute' } },
      schema: {
        operationId: 'signInWithPasskey',
        tags: ['sessions'],
        summary: 'Sign in with a passkey, which replaces both password and second factor',
        body: Type.Object({
          challenge: Id,
          response: Answer,
          client_id: Type.Optional(
            Type.String({ maxLength: 100, description: 'For `web` the refresh token is in a cookie' }),
          ),
        }),
        response: { 200: Tokens, ...refusals(401, 403, 410, 422) },
      },
    },
    async (request, reply) => {
      if (request.body.client_id === WEB) answers.expectOwnSite(request)
      const accountId = await signInByPasskey(keyContext, request.body)
      return welcome(request, reply, await opened(request, accountId, 'passkey'), request.body.client_id)
    },
  )
}
