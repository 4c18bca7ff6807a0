import { isIP } from 'node:net'
import fastifyJwt, { type FastifyJWTOptions, type TokenOrHeader } from '@fastify/jwt'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from '../kernel/db/database.generated.ts'
import { BusinessError } from '../kernel/errors.ts'
import { findPerson, personsOfSessions } from '../people/identity/accounts.ts'
import { type Person, isStaff } from '../people/persons/person.ts'
import { factorsOf } from '../people/identity/second-factor.ts'
import { type Client, type Session, isSessionOpen } from '../people/identity/sessions.ts'
import { ACCESS_SECONDS, type TokenKeys } from '../people/identity/token-keys.ts'
import { entersStudio } from '../people/access/process-owners.ts'
import { isOwnAccount } from './schemas.ts'

/**
 * Who may use a route: everybody, signed-in people, people who follow a case with its secret, owners of flows, people
 * with one of the roles for the whole university, or people with a permission group at any unit (always ADMIN and SA).
 * Services decide about single objects.
 */
export type Rule = 'public' | 'signed-in' | 'tracking' | 'studio' | { roles: string[] } | { groups: readonly string[] }

/** A person who follows one case without signing in, as its requester. */
export interface Tracker {
  caseId: string
  person: Person
}

/** Checks of the identity server's tokens and sessions, if there is one. */
export interface ExternalSignIn {
  issuer: string
  /** The account of a token. Throws if it is not one of that server's. */
  bearer(token: string): Promise<{ accountId: string; expiresAt: number }>
  isBearerValid(token: string): Promise<boolean>
  isSessionValid(session: string): Promise<boolean>
}

/** The type of our access tokens (RFC 9068); tokens of other types are rejected. */
const TYPE = 'at+jwt'

/** Session id for an access token of the identity server, which has no session here. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000'

/** Number of verified tokens cached per key. */
const VERIFIED_TOKENS_CACHED = 2000

/** The claims of an access token; `realm_access` and `preferred_username` are Keycloak's names. */
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
    /** Whether its errors also contain what OAuth clients read. */
    oauth?: boolean
  }
  interface FastifyRequest {
    /** The caller; undefined for visitors. Set before any handler runs. */
    person: Person | undefined
    /** The person and case, on routes for tracking. */
    tracker: Tracker | undefined
    /** When the access token of this request expires, in milliseconds since 1970. */
    tokenExpiresAt: number
    /** Whether the request would still be permitted; for long responses. */
    stillLetIn: () => Promise<boolean>
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: Omit<Claims, 'exp'>
    user: Claims
  }
}

function meets({ seesAll, grants, groups }: Person, rule: Exclude<Rule, string>): boolean {
  if (seesAll) return true
  if ('groups' in rule) return rule.groups.some((group) => groups.includes(group))
  return grants.some(({ role, scopeKind }) => scopeKind === null && rule.roles.includes(role))
}

/** The caller of a route that only signed-in people reach. */
export function personOf(request: FastifyRequest): Person {
  if (!request.person) throw new BusinessError('platform.not-signed-in')
  return request.person
}

/** The device, for the list of sessions. */
export function clientOf(request: FastifyRequest): Client {
  const { ip, headers } = request
  return { userAgent: headers['user-agent']?.slice(0, 300) ?? null, address: isIP(ip) ? ip : null }
}

/** Creates the access token of a session. */
export async function accessToken(app: FastifyInstance, keys: TokenKeys, session: Session): Promise<string> {
  const { person, family } = session
  const { id, username, name, email, grants } = person
  const { id: kid, privatePem: key } = await keys.signing()
  return app.jwt.sign(
    {
      sub: id,
      userId: id,
      sid: family,
      preferred_username: username,
      name,
      email,
      realm_access: { roles: [...new Set(grants.map(({ role }) => role))] },
    },
    { kid, key },
  )
}

/** Whether a person has to set up a second factor first. */
export async function lacksSecondFactor(db: Kysely<DB>, policy: SecondFactorPolicy, person: Person): Promise<boolean> {
  if (policy !== 'staff' || !isStaff(person)) return false
  const { totp, passkeys } = await factorsOf(db, person.id)
  return !totp && passkeys === 0
}

/** Who needs a second factor: nobody, or people with a staff role. */
export type SecondFactorPolicy = 'optional' | 'staff'

interface AuthContext {
  db: Kysely<DB>
  pool: pg.Pool
  keys: TokenKeys
  issuer: string
  secondFactor: SecondFactorPolicy
  /** With an identity server: checks of its access tokens and sessions. */
  external?: ExternalSignIn | undefined
  /** The case of a tracking token. */
  trackerOf(token: string): Promise<Tracker>
}

/** The person of a session, while both are valid. */
type PersonOfSession = ReturnType<typeof personsOfSessions>

/**
 * Authenticates a request before anything else. The token only identifies the person; their rights are read with every
 * request, so that an ended grant or session counts at once.
 */
export async function registerAuth(app: FastifyInstance, context: AuthContext): Promise<void> {
  const { db, pool, secondFactor, trackerOf } = context
  await app.register(fastifyJwt, jwtOptions(context))
  const personOfSession = personsOfSessions({ db, pool })
  app.decorateRequest('person', undefined)
  app.decorateRequest('tracker', undefined)
  app.decorateRequest('tokenExpiresAt', 0)
  app.decorateRequest('stillLetIn', async () => false)

  app.addHook('onRequest', async (request, reply) => {
    const rule = request.routeOptions.config.rule ?? 'public'
    if (rule === 'tracking') {
      request.tracker = await trackerOf(/^Tracking +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '')
      return
    }
    if (rule !== 'public') await signIn(context, personOfSession, request)
    else if (request.headers.authorization !== undefined) await signInIfKnown(context, personOfSession, request, reply)
    if (
      request.person &&
      !isOwnAccount(request.routeOptions.url ?? '') &&
      (await lacksSecondFactor(db, secondFactor, request.person))
    ) {
      if (rule !== 'public') throw new BusinessError('platform.second-factor-wanted-setup')
      // Public pages look the same for everybody.
      request.person = undefined
    }
    if (typeof rule === 'object' && !meets(personOf(request), rule)) throw new BusinessError('platform.not-allowed')
    if (rule === 'studio' && !entersStudio(personOf(request))) throw new BusinessError('platform.not-allowed')
  })
}

/** How our access tokens are signed and verified. */
function jwtOptions({ keys, issuer }: AuthContext): FastifyJWTOptions {
  return {
    secret: {
      // The signer adds the key's id to the token.
      private: async () => (await keys.signing()).privatePem,
      public: async (_request: FastifyRequest, token: TokenOrHeader) => publicKeyOf(keys, token),
    },
    decode: { complete: true },
    sign: {
      algorithm: 'EdDSA',
      iss: issuer,
      aud: issuer,
      expiresIn: ACCESS_SECONDS,
      header: { alg: 'EdDSA', typ: TYPE },
    },
    verify: {
      algorithms: ['EdDSA'],
      allowedIss: issuer,
      allowedAud: issuer,
      checkTyp: TYPE,
      requiredClaims: ['iss', 'aud', 'exp', 'sub', 'sid'],
      // A verified token stays valid until it expires; its key is checked before.
      cache: VERIFIED_TOKENS_CACHED,
    },
  }
}

async function publicKeyOf(keys: TokenKeys, token: TokenOrHeader): Promise<string> {
  const { kid }: { kid?: unknown } = 'header' in token ? token.header : token
  const key = typeof kid === 'string' ? await keys.verifying(kid) : undefined
  if (key === undefined) throw new Error('the token is signed by an unknown key')
  return key
}

async function signIn(
  { db, external }: AuthContext,
  personOfSession: PersonOfSession,
  request: FastifyRequest,
): Promise<void> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (external && token !== undefined && issuerOf(token) === external.issuer) {
    const { accountId, expiresAt } = await external.bearer(token)
    request.user = { ...decodeJwt<Claims>(token), userId: accountId, sid: NO_SESSION }
    return letIn(request, await findPerson(db, accountId), expiresAt, () => external.isBearerValid(token))
  }
  const claims = await request.jwtVerify<Claims>().catch((cause: Error) => {
    request.log.debug({ err: cause }, 'an access token was refused')
    throw new BusinessError('platform.not-signed-in')
  })
  const [person, vouched] = await Promise.all([
    personOfSession(claims.sub, claims.sid),
    external?.isSessionValid(claims.sid) ?? true,
  ])
  letIn(request, vouched ? person : undefined, claims.exp * 1000, async () => {
    const [stillOpen, stillVouched] = await Promise.all([
      isSessionOpen(db, claims.sid),
      external?.isSessionValid(claims.sid) ?? true,
    ])
    return stillOpen && stillVouched
  })
}

/**
 * On public routes an expired token is not an error. If signed-in people would see more, the header tells clients to
 * authenticate (RFC 9110, 11.6.1).
 */
async function signInIfKnown(
  context: AuthContext,
  personOfSession: PersonOfSession,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    await signIn(context, personOfSession, request)
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error
    reply.header('www-authenticate', 'Bearer error="invalid_token"')
  }
}

function letIn(
  request: FastifyRequest,
  person: Person | undefined,
  expiresAt: number,
  isValid: () => Promise<boolean>,
): void {
  if (!person) throw new BusinessError('platform.not-signed-in')
  request.person = person
  request.tokenExpiresAt = expiresAt
  request.stillLetIn = isValid
  request.log = request.log.child({ person: person.id })
}

/** The claimed issuer of a token, unverified. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}
