import fastifyJwt from '@fastify/jwt'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import { BusinessError } from '../errors.ts'
import { accounts } from '../identity/accounts.ts'
import type { Person } from '../identity/person.ts'
import { type Session, sessions } from '../identity/sessions.ts'
import type { SigningKey } from '../keys.ts'

/**
 * Who may use a route at all: anybody, whoever is signed in, or holders of one of the roles (ADMIN and SA always).
 * What they may do with which object is decided in the services.
 */
export type Rule = 'public' | 'signed-in' | { roles: string[] }

/** Life of an access token in seconds. */
export const ACCESS_SECONDS = 900

/** The claims of an access token; `realm_access` and `preferred_username` are named as Keycloak names them. */
interface Claims {
  sub: string
  userId: string
  sid: string
  preferred_username: string
  name: string
  email: string
  realm_access: { roles: string[] }
  exp: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    rule?: Rule
  }
  interface FastifyRequest {
    /** Who is asking; undefined for visitors. Set before any handler runs. */
    person: Person | undefined
    /** When the access token of this request runs out, in milliseconds since 1970. */
    tokenExpiresAt: number
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: Omit<Claims, 'exp'>
    user: Claims
  }
}

/** The person who asks on a route that only signed-in people reach. */
export function personOf(request: FastifyRequest): Person {
  if (!request.person) throw new BusinessError('platform.not-signed-in')
  return request.person
}

/** Makes the access token of a session. */
export function accessToken(app: FastifyInstance, { person, family }: Session): string {
  const { id, username, name, email, grants } = person
  return app.jwt.sign({
    sub: id,
    userId: id,
    sid: family,
    preferred_username: username,
    name,
    email,
    realm_access: { roles: [...new Set(grants.map(({ role }) => role))] },
  })
}

/**
 * Checks who asks before anything else is looked at. The token says who it is; what they may is read anew with each
 * request, so that a grant that ended or a session that was closed counts at once.
 */
export async function registerAuth(
  app: FastifyInstance,
  { db, key, issuer }: { db: Kysely<DB>; key: SigningKey; issuer: string },
): Promise<void> {
  await app.register(fastifyJwt, {
    secret: {
      private: key.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      public: key.publicKey.export({ type: 'spki', format: 'pem' }) as string,
    },
    sign: { algorithm: 'EdDSA', iss: issuer, aud: issuer, expiresIn: ACCESS_SECONDS, kid: key.id },
    verify: { algorithms: ['EdDSA'], allowedIss: issuer, allowedAud: issuer },
  })
  app.decorateRequest('person', undefined)
  app.decorateRequest('tokenExpiresAt', 0)

  app.addHook('onRequest', async (request) => {
    const rule = request.routeOptions.config.rule ?? 'public'
    if (request.headers.authorization !== undefined || rule !== 'public') await signIn(request)
    if (typeof rule === 'object' && !personOf(request).seesAll) {
      const roles = new Set(personOf(request).grants.map(({ role }) => role))
      if (!rule.roles.some((role) => roles.has(role))) throw new BusinessError('platform.not-allowed')
    }
  })

  async function signIn(request: FastifyRequest): Promise<void> {
    const claims = await request.jwtVerify<Claims>().catch((cause: Error) => {
      request.log.debug({ err: cause }, 'an access token was refused')
      throw new BusinessError('platform.not-signed-in')
    })
    const [person, stands] = await Promise.all([accounts(db).findPerson(claims.sub), sessions(db).stands(claims.sid)])
    if (!person || !stands) throw new BusinessError('platform.not-signed-in')
    request.person = person
    request.tokenExpiresAt = claims.exp * 1000
    request.log = request.log.child({ person: person.id })
  }
}
