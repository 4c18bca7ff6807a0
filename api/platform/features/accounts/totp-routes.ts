import qrcode from 'qrcode'
import { Type } from 'typebox'
import { expectPassword } from '../../people/identity/own-account.ts'
import { beginTotp, confirmTotp, removeTotp, renewRecoveryCodes } from '../../people/identity/second-factor.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { refusals } from '../../http/schemas.ts'
import { WithPassword, RecoveryCodes, guarded, type MeRouteDependencies } from './me-schemas.ts'

/** One’s own authenticator app and recovery codes. */
export function totpRoutes(app: App, { db, library, publicUrl, vault }: MeRouteDependencies): void {
  const letters = { library, publicUrl }
  const factorContext = { db, vault, letters }

  app.post(
    '/api/me/totp',
    {
      config: guarded,
      schema: {
        operationId: 'beginTotp',
        tags: ['me'],
        summary: 'Start setting up an authenticator app; it takes effect when its first code is confirmed',
        body: WithPassword,
        response: {
          200: Type.Object({
            secret: Type.String(),
            uri: Type.String(),
            qr: Type.String({ description: 'The URI as a QR code (SVG)' }),
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
        summary: 'Confirm the authenticator app with a code; sign-in asks for a code from now on',
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
        summary: 'Remove the authenticator app',
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
        summary: 'Create new recovery codes; the old ones stop working',
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
}
