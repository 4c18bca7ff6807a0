import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { BusinessError } from '../../kernel/errors.ts'
import { type Counted, throttle } from '../../people/identity/throttle.ts'
import { trackingMails } from './resending.ts'
import { openTracking } from './tracking.ts'
import type { App } from '../../http/app.ts'
import { networkOf } from '../../http/network.ts'
import { PROOF_HEADER, proofs } from '../../http/proof.ts'
import { Moment, refusals } from '../../http/schemas.ts'
import { ProofHeader, anonymousWrites } from '../../http/anonymous-writes.ts'
import type { TrackingRoutesDependencies } from './context.ts'
import { BODY_LIMIT } from './requests.ts'

const Reference = Type.String({ minLength: 1, maxLength: 60 })

/** Opening a case with its number and secret. */
export function signInRoutes(app: App, deps: TrackingRoutesDependencies): void {
  const { db, vault } = deps
  const counts = throttle(db)
  const proof = proofs({ db, vault })
  const { demandProof } = anonymousWrites({ db, vault })
  /**
   * Wrong secrets raise the cost of the next attempt: soon for the same network, late for everybody. Nobody is locked
   * out.
   */
  async function attempt<T>(request: FastifyRequest, reference: string, act: () => Promise<T>): Promise<T> {
    const of = reference.trim().toUpperCase()
    const network = networkOf(request.ip)
    const counted: Counted[] = [
      { kind: 'tracking-address', of: `${of} ${network}` },
      { kind: 'tracking', of },
      { kind: 'address', of: network },
    ]
    const level = await counts.level(counted)
    if (level > 0) await proof.demand(request.headers[PROOF_HEADER], level)
    try {
      const done = await act()
      await counts.forget(counted.slice(0, 1))
      return done
    } catch (error) {
      if (error instanceof BusinessError && error.code === 'platform.tracking-refused') await counts.note(counted)
      throw error
    }
  }

  app.post(
    '/api/public/tracking',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'trackCase',
        tags: ['tracking'],
        summary:
          'Get a token for tracking a case, valid for half an hour; send it as `Authorization: Tracking <token>`',
        headers: ProofHeader,
        body: Type.Object(
          { reference: Reference, secret: Type.String({ maxLength: 200 }) },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ token: Type.String(), expiresAt: Moment }),
          ...refusals(413, 422, 428),
        },
      },
    },
    async (request) => {
      const { reference, secret } = request.body
      return attempt(request, reference, () => openTracking(deps, reference, secret))
    },
  )

  app.post(
    '/api/public/tracking/resend',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'resendTracking',
        tags: ['tracking'],
        summary: 'Mail the tracking address of a case again; the answer does not reveal whether it was sent',
        headers: ProofHeader,
        body: Type.Object(
          { reference: Reference, email: Type.String({ maxLength: 300 }) },
          { additionalProperties: false },
        ),
        response: { 202: Type.Null(), ...refusals(413, 428) },
      },
    },
    async (request, reply) => {
      await demandProof(request)
      const { reference, email } = request.body
      await trackingMails(db).sendLater(reference.trim(), email.trim())
      return reply.code(202).send(null)
    },
  )
}
