import { useSyncExternalStore } from 'react'
import { Problem, request, setAccess } from '../api/client.ts'
import type { Me } from '../api/types.ts'
import { exclusively } from './exclusively.ts'

/**
 * Who is signed in. The access token lives in memory only; the refresh token is a cookie that scripts cannot read.
 * `starting` lasts until the first look at that cookie has its answer; `problem` is why it has none yet.
 */
export type Session =
  { state: 'starting'; problem?: unknown } | { state: 'out'; expired: boolean } | { state: 'in'; me: Me }

interface Tokens {
  access_token: string
  expires_in: number
}

/** A hint only, so that a visitor who never signed in costs no request. */
const hint = 'prakriya.signed-in'

let session: Session = { state: 'starting' }
let held: { token: string; renewAt: number } | undefined
let renewing: Promise<string | undefined> | undefined
const listeners = new Set<() => void>()

function become(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

function keep(tokens: Tokens): string {
  held = { token: tokens.access_token, renewAt: Date.now() + Math.max(5, tokens.expires_in - 60) * 1000 }
  return held.token
}

function askForToken(fields: Record<string, string>): Promise<Tokens> {
  return fetch('/api/auth/token', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ client_id: 'web', ...fields }),
  }).then(
    async (response) => {
      const body = (await response.json()) as Tokens & Partial<Problem>
      if (!response.ok) throw new Problem(response.status, body)
      return body
    },
    () => {
      throw new Problem(0, {})
    },
  )
}

/**
 * The tabs of a browser share one refresh cookie, and using a spent one ends the session everywhere: so they take
 * turns, and whoever comes second sends the cookie that the first was given.
 */
function renew(): Promise<string | undefined> {
  renewing ??= exclusively('prakriya.refresh', async () => {
    try {
      return keep(await askForToken({ grant_type: 'refresh_token' }))
    } catch (error) {
      // Only a refusal ends the session; an API that is away or asks to wait does not.
      if (!(error instanceof Problem) || error.status !== 401) throw error
      end(true)
      return undefined
    }
  }).finally(() => (renewing = undefined))
  return renewing
}

function end(expired: boolean): void {
  held = undefined
  localStorage.removeItem(hint)
  become({ state: 'out', expired: expired && session.state === 'in' })
}

setAccess({
  async token() {
    if (!held) return undefined
    return Date.now() < held.renewAt ? held.token : renew()
  },
  renew: async (refused) => (held && held.token !== refused ? held.token : renew()),
})

const enter = async () => {
  const me = await request<Me>('GET', '/api/me')
  localStorage.setItem(hint, '1')
  become({ state: 'in', me })
}

/** Looks whether the browser still holds a session. `sure` asks even where nothing hints at one. */
export async function startSession(sure: boolean): Promise<void> {
  if (!sure && !localStorage.getItem(hint)) return become({ state: 'out', expired: false })
  try {
    if (await renew()) await enter()
  } catch (problem) {
    become({ state: 'starting', problem })
  }
}

/** Signs in; throws the API's problem when the words are wrong. */
export async function signIn(username: string, password: string): Promise<void> {
  keep(await askForToken({ grant_type: 'password', username, password }))
  await enter()
}

/** Ends the session here and on the server. */
export async function signOut(): Promise<void> {
  await request('POST', '/api/auth/logout')
  end(false)
  announcer.postMessage('out')
}

const announcer = new BroadcastChannel('prakriya.session')
announcer.addEventListener('message', () => end(false))

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session)
}

/** The signed-in person; only pages behind the guard may ask. */
export function useMe(): Me {
  const present = useSession()
  if (present.state !== 'in') throw new Error('nobody is signed in')
  return present.me
}
