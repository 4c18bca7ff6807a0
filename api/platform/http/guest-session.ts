import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Vault } from '../kernel/keys.ts'

/** How long a guest is known again, in seconds. */
const DAY = 86_400

/**
 * Knows a guest again who holds slots before they say who they are. The cookie is an id with our signature and stands for
 * nothing else; no page can read it, and no other site can have it sent.
 */
export function guestSessions({ vault, publicUrl }: { vault: Vault; publicUrl: string }) {
  const key = vault.key('guest cookie')
  const secure = publicUrl.startsWith('https:')
  const COOKIE = secure ? '__Secure-prakriya_guest' : 'prakriya_guest'
  const cookie = { path: '/api/public', httpOnly: true, sameSite: 'strict', secure, maxAge: DAY } as const

  function macOf(id: string, at: string): Buffer {
    return createHmac('sha256', key).update(`${id}.${at}`).digest()
  }

  /** The guest of a request, if it brings a cookie of ours. */
  function of(request: FastifyRequest): string | undefined {
    const [id, at, mac, more] = (request.cookies[COOKIE] ?? '').split('.')
    if (!id || !at || !mac || more !== undefined) return undefined
    const expected = macOf(id, at)
    const given = Buffer.from(mac, 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    return Number(at) + DAY > Date.now() / 1000 ? id : undefined
  }

  return {
    of,

    /** The guest of a request; whoever comes without a cookie gets one. */
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
