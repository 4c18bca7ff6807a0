import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { DB } from '../kernel/db/database.generated.ts'
import { BusinessError } from '../kernel/errors.ts'
import { findForSignIn, tidyName } from '../people/identity/accounts.ts'
import { type Counted, throttle } from '../people/identity/throttle.ts'
import type { Vault } from '../kernel/keys.ts'
import { turns } from '../kernel/turns.ts'
import { networkOf } from './network.ts'
import { PROOF_HEADER, proofs } from './proof.ts'

const YEAR_SECONDS = 365 * 86_400
/** Errors that count as failed attempts: wrong password or second factor. */
const REFUSALS = ['platform.sign-in-refused', 'platform.second-factor-refused']

/**
 * Slows guessing without locking anybody out. After some failures an attempt needs a proof of work, whose cost grows
 * with the failures. A browser in which the account was signed in before is counted separately, so that failures
 * elsewhere do not affect it. Unknown names are treated like known ones.
 */
export function signInThrottle({ db, vault, publicUrl }: { db: Kysely<DB>; vault: Vault; publicUrl: string }) {
  const counts = throttle(db)
  const proof = proofs({ db, vault })
  const key = vault.key('device cookie')
  const inTurn = turns()
  const secure = publicUrl.startsWith('https:')
  const COOKIE = secure ? '__Secure-prakriya_device' : 'prakriya_device'
  const cookie = {
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'strict',
    secure,
    maxAge: YEAR_SECONDS,
  } as const

  /** Checks the proof if one is due; returns whether it was. */
  async function proved(request: FastifyRequest, counted: readonly Counted[]): Promise<boolean> {
    const level = await counts.level(counted)
    if (level > 0) await proof.demand(request.headers[PROOF_HEADER], level)
    return level > 0
  }

  async function judged<T>(counted: readonly Counted[], refused: () => void, act: () => Promise<T>): Promise<T> {
    try {
      const done = await act()
      await counts.forget(counted.slice(0, 1))
      return done
    } catch (error) {
      if (error instanceof BusinessError && REFUSALS.includes(error.code)) {
        refused()
        await counts.note(counted)
      }
      throw error
    }
  }

  return {
    /** Attempts to sign in as `name`, with a proof if one is due; a refusal counts, a success does not. */
    async attempt<T>(request: FastifyRequest, name: string, act: () => Promise<T>): Promise<T> {
      const { account: meant, counted } = await countedOf(db, name, {
        ip: request.ip,
        known: deviceIn(request.cookies[COOKIE], key),
      })
      const [own, account = own] = counted
      // Log the id and never the input: people sometimes type a password as their name.
      const refused = () => request.log.info({ account: meant, address: request.ip }, 'sign-in refused')
      // An attempt with the required proof does not wait for others.
      const brought = request.headers[PROOF_HEADER] !== undefined
      if (brought && (await proved(request, counted))) return judged(counted, refused, act)
      // Run the others one at a time: otherwise concurrent guesses would pass before the first failure counts.
      return inTurn(`${account.kind} ${account.of}`, async () => {
        await proved(request, counted)
        return judged(counted, refused, act)
      })
    },

    /** Remembers the account in the browser; call it once the sign-in is complete. */
    remember(request: FastifyRequest, reply: FastifyReply, account: string): void {
      const known = deviceIn(request.cookies[COOKIE], key)
      const device = known?.account === account ? known.device : randomUUID()
      const at = String(Math.floor(Date.now() / 1000))
      const value = [account, device, at, macOf(key, account, device, at).toString('base64url')].join('.')
      reply.setCookie(COOKIE, value, cookie)
    },
  }
}

/**
 * The account of a name, and the keys to count by: the name alone, whether or not it exists. Counting by account would
 * reveal which username and address belong together; this way an account has at most two names to guess at.
 */
async function countedOf(
  db: Kysely<DB>,
  name: string,
  { ip, known }: { ip: string; known: Device | undefined },
): Promise<{ account?: string; counted: [Counted, ...Counted[]] }> {
  const account = (await findForSignIn(db, name))?.id
  if (account && known?.account === account) return { account, counted: [{ kind: 'device', of: known.device }] }
  const of = tidyName(name)
  const network = networkOf(ip)
  const counted: [Counted, ...Counted[]] = [
    { kind: 'account-address', of: `${of} ${network}` },
    { kind: 'account', of },
    { kind: 'address', of: network },
  ]
  return { ...(account && { account }), counted }
}

/** A browser in which an account was signed in before. */
interface Device {
  account: string
  device: string
}

/** The account and id of a valid device cookie. */
function deviceIn(cookie: string | undefined, key: Buffer): Device | undefined {
  const [account, device, at, mac, more] = (cookie ?? '').split('.')
  if (!account || !device || !at || !mac || more !== undefined) return undefined
  const expected = macOf(key, account, device, at)
  const given = Buffer.from(mac, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return Number(at) + YEAR_SECONDS > Date.now() / 1000 ? { account, device } : undefined
}

function macOf(key: Buffer, ...parts: string[]): Buffer {
  return createHmac('sha256', key).update(parts.join('.')).digest()
}
