import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Vault } from '../kernel/keys.ts'

/** Lifetime of a guest session, in seconds. */
const SESSION_SECONDS = 86_400

/**
 * Recognises guests who hold slots before they identify themselves. The cookie is a signed id without other meaning.
 * Scripts cannot read it, and other sites cannot send it.
 */
export function guestSessions({ vault, publicUrl }: { vault: Vault; publicUrl: string }) {
  const key = vault.key('guest cookie')
  const secure = publicUrl.startsWith('https:')
  const COOKIE = secure ? '__Secure-prakriya_guest' : 'prakriya_guest'
  const cookie = { path: '/api/public', httpOnly: true, sameSite: 'strict', secure, maxAge: SESSION_SECONDS } as const

  function macOf(id: string, at: string): Buffer {
    return createHmac('sha256', key).update(`${id}.${at}`).digest()
  }

  /** The guest of a request, if it has a valid cookie. */
  function of(request: FastifyRequest): string | undefined {
    const [id, at, mac, more] = (request.cookies[COOKIE] ?? '').split('.')
    if (!id || !at || !mac || more !== undefined) return undefined
    const expected = macOf(id, at)
    const given = Buffer.from(mac, 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    return Number(at) + SESSION_SECONDS > Date.now() / 1000 ? id : undefined
  }

  return {
    of,

    /** The guest of a request; sets a cookie if there is none. */
    begin(request: FastifyRequest, reply: FastifyReply): string {
      const known = of(request)
      if (known) return known
      const id = randomUUID()
      const at = String(Math.floor(Date.now() / 1000))
      reply.setCookie(COOKIE, [id, at, macOf(id, at).toString('base64url')].join('.'), cookie)
      return id
    },
  }
}
