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
import { type Client, type Session, sessionStands } from '../people/identity/sessions.ts'
import { ACCESS_SECONDS, type TokenKeys } from '../people/identity/token-keys.ts'
import { entersStudio } from '../people/access/process-owners.ts'
import { isOwnAccount } from './schemas.ts'

/**
 * Who may use a route at all: anybody, whoever is signed in, whoever follows a case with its secret, who owns a flow, who
 * holds one of the roles for the whole university, or who holds a permission group anywhere (ADMIN and SA always). What
 * they may do with which object is decided in the services.
 */
export type Rule = 'public' | 'signed-in' | 'tracking' | 'studio' | { roles: string[] } | { group: string }

/** Somebody who follows one case without having signed in: its requester, who may nothing else. */
export interface Tracker {
  caseId: string
  person: Person
}

/** What the identity server says of its tokens and sessions, where people sign in there. */
export interface ForeignSignIn {
  issuer: string
  /** Whose token this is. Throws where it is none of ours. */
  bearer(token: string): Promise<{ accountId: string; expiresAt: number }>
  bearerStands(token: string): Promise<boolean>
  stands(session: string): Promise<boolean>
}

/** The type of our access tokens (RFC 9068): a token made for something else is none. */
const TYPE = 'at+jwt'

/** In place of a session's id, where an access token of the identity server stands for itself. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000'

/** Tokens that are remembered as verified, by each key. */
const VERIFIED = 2000

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
    /** Whether its refusals also say what clients of OAuth read. */
    oauth?: boolean
  }
  interface FastifyRequest {
    /** Who is asking; undefined for visitors. Set before any handler runs. */
    person: Person | undefined
    /** Who follows which case, on the routes for that. */
    tracker: Tracker | undefined
    /** When the access token of this request runs out, in milliseconds since 1970. */
    tokenExpiresAt: number
    /** Whether what let this request in still would: for answers that take long. */
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
  if ('group' in rule) return groups.includes(rule.group)
  return grants.some(({ role, scopeKind }) => scopeKind === null && rule.roles.includes(role))
}

/** The person who asks on a route that only signed-in people reach. */
export function personOf(request: FastifyRequest): Person {
  if (!request.person) throw new BusinessError('platform.not-signed-in')
  return request.person
}

/** What is asking, for the list of sessions. */
export function clientOf(request: FastifyRequest): Client {
  const { ip, headers } = request
  return { userAgent: headers['user-agent']?.slice(0, 300) ?? null, address: isIP(ip) ? ip : null }
}

/** Makes the access token of a session. */
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

/** Whether a person has to set up a second factor before anything else. */
export async function lacksSecondFactor(db: Kysely<DB>, policy: SecondFactorPolicy, person: Person): Promise<boolean> {
  if (policy !== 'staff' || !isStaff(person)) return false
  const { totp, passkeys } = await factorsOf(db, person.id)
  return !totp && passkeys === 0
}

/** Who has to have a second factor: nobody, or whoever holds a role of staff. */
export type SecondFactorPolicy = 'optional' | 'staff'

/** What signing in by a token works with. */
interface AuthContext {
  db: Kysely<DB>
  pool: pg.Pool
  keys: TokenKeys
  issuer: string
  secondFactor: SecondFactorPolicy
  /** Where people sign in at an identity server: how its own access tokens and the sessions it vouches for are checked. */
  foreign?: ForeignSignIn | undefined
  /** Who comes with a token for one case. */
  trackerOf(token: string): Promise<Tracker>
}

/** The person of a session, while both stand. */
type PersonOfSession = ReturnType<typeof personsOfSessions>

/**
 * Checks who asks before anything else is looked at. The token says who it is; what they may is read anew with each
 * request, so that a grant that ended or a session that was closed counts at once.
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
      // What everybody may see they see as everybody does.
      request.person = undefined
    }
    if (typeof rule === 'object' && !meets(personOf(request), rule)) throw new BusinessError('platform.not-allowed')
    if (rule === 'studio' && !entersStudio(personOf(request))) throw new BusinessError('platform.not-allowed')
  })
}

/** How our own access tokens are made and checked. */
function jwtOptions({ keys, issuer }: AuthContext): FastifyJWTOptions {
  return {
    secret: {
      // Whoever signs names the key, because its id has to stand in the token.
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
      // What was verified once is verified until it runs out; whether its key is still good is asked before.
      cache: VERIFIED,
    },
  }
}

async function publicKeyOf(keys: TokenKeys, token: TokenOrHeader): Promise<string> {
  const { kid } = ('header' in token ? token.header : token) as { kid?: unknown }
  const key = typeof kid === 'string' ? await keys.verifying(kid) : undefined
  if (key === undefined) throw new Error('the token names no key that is known')
  return key
}

async function signIn(
  { db, foreign }: AuthContext,
  personOfSession: PersonOfSession,
  request: FastifyRequest,
): Promise<void> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (foreign && token !== undefined && issuerOf(token) === foreign.issuer) {
    const { accountId, expiresAt } = await foreign.bearer(token)
    request.user = { ...decodeJwt<Claims>(token), userId: accountId, sid: NO_SESSION }
    return letIn(request, await findPerson(db, accountId), expiresAt, () => foreign.bearerStands(token))
  }
  const claims = await request.jwtVerify<Claims>().catch((cause: Error) => {
    request.log.debug({ err: cause }, 'an access token was refused')
    throw new BusinessError('platform.not-signed-in')
  })
  const [person, vouched] = await Promise.all([
    personOfSession(claims.sub, claims.sid),
    foreign?.stands(claims.sid) ?? true,
  ])
  letIn(request, vouched ? person : undefined, claims.exp * 1000, async () => {
    const [standing, stillVouched] = await Promise.all([
      sessionStands(db, claims.sid),
      foreign?.stands(claims.sid) ?? true,
    ])
    return standing && stillVouched
  })
}

/**
 * What everybody may see nobody is refused for a token that has run out. Where somebody who is signed in would see
 * more, the header tells that another token may change the answer (RFC 9110, 11.6.1).
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
    if (!(error instanceof BusinessError) || error.code !== 'platform.not-signed-in') throw error
    reply.header('www-authenticate', 'Bearer error="invalid_token"')
  }
}

function letIn(
  request: FastifyRequest,
  person: Person | undefined,
  expiresAt: number,
  stands: () => Promise<boolean>,
): void {
  if (!person) throw new BusinessError('platform.not-signed-in')
  request.person = person
  request.tokenExpiresAt = expiresAt
  request.stillLetIn = stands
  request.log = request.log.child({ person: person.id })
}

/** Who says to have made a token; nothing is believed before it is verified. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}
