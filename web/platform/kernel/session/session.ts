import { useSyncExternalStore } from 'react'
import { Problem, request, setAccess } from '../client/client.ts'
import type { Me } from '../client/types.ts'
import { forget } from './forget.ts'
import { languages, presentLanguage, setLanguage, type Language } from '../texts/texts.ts'
import { exclusively } from './exclusively.ts'
import { rememberSignedIn, lastSignedIn } from './last.ts'
import { parsed } from '../client/json.ts'
import { forgetKeptOfOthers } from './typed.ts'

/**
 * Who is signed in. The access token is in memory only; the refresh token is an HttpOnly cookie. `starting` lasts until
 * the first answer about that cookie; `problem` is why there is none yet.
 */
export type Session =
  | { state: 'starting'; problem?: unknown }
  | { state: 'out'; expired: boolean }
  | { state: 'in'; me: Me }

/** The token endpoint's response. */
export interface Tokens {
  access_token: string
  expires_in: number
}

/** The language that a visitor chose in this tab before signing in. */
const chosen = 'prakriya.language-chosen'

let session: Session = { state: 'starting' }
let held: { token: string; renewAt: number } | undefined
let renewing: Promise<string | undefined> | undefined
/** The account of this page: the data it has read is for them only. */
let reader: string | undefined
const listeners = new Set<() => void>()

function become(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

function keep(tokens: Tokens): string {
  held = { token: tokens.access_token, renewAt: Date.now() + Math.max(5, tokens.expires_in - 60) * 1000 }
  return held.token
}

/** Calls the token endpoint; throws the API's problem. */
export function askForToken(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Tokens> {
  return fetch('/api/auth/token', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { accept: 'application/json', 'accept-language': presentLanguage(), ...headers },
    body: new URLSearchParams({ client_id: 'web', ...fields }),
  }).then(
    async (response) => {
      const body = parsed<Tokens & Partial<Problem>>(await response.text())
      if (!response.ok) throw new Problem(response.status, body)
      return body
    },
    () => {
      throw new Problem(0, {})
    },
  )
}

/** Tabs share one refresh cookie, so requests that replace it run one at a time. */
export const inTurn = <T>(ask: () => Promise<T>): Promise<T> => exclusively('prakriya.refresh', ask)

/**
 * A used cookie ends the session everywhere, so a second tab must wait and send the cookie that the first one received.
 */
function renew(): Promise<string | undefined> {
  renewing ??= inTurn(async () => {
    try {
      const token = keep(await askForToken({ grant_type: 'refresh_token' }))
      // Somebody else has signed in in another tab: the token is theirs, so the page reloads for them.
      if (reader !== undefined && lastSignedIn() !== reader) return await reloadPage()
      return token
    } catch (error) {
      // Only a refusal ends the session, not an API that is down or asks to wait.
      if (!(error instanceof Problem) || error.status !== 401) throw error
      end(true)
      return undefined
    }
  }).finally(() => (renewing = undefined))
  return renewing
}

function end(expired: boolean): void {
  held = undefined
  // During page load, only the hint says that somebody was signed in here. A second end keeps the first one's
  // `expired`.
  const known = session.state === 'in' || (session.state === 'out' && session.expired)
  const was = known || lastSignedIn() !== null
  rememberSignedIn(null)
  void forget()
  become({ state: 'out', expired: expired && was })
}

setAccess({
  async token() {
    if (!held) return undefined
    return Date.now() < held.renewAt ? held.token : renew()
  },
  renew: async (refused) => (held && held.token !== refused ? held.token : renew()),
})

/** Reloads the page, so that nothing stays of the previous person's data. */
function reloadPage(): Promise<never> {
  window.location.reload()
  return new Promise(() => {})
}

const enter = async () => {
  const me = await request<Me>('GET', '/api/me')
  // Nobody gets to see data that the previous person left on this device.
  if (lastSignedIn() !== me.id) await forget()
  rememberSignedIn(me.id)
  forgetKeptOfOthers(me.id)
  if (reader !== undefined && reader !== me.id) {
    announcer.postMessage(me.id)
    return reloadPage()
  }
  reader = me.id
  become({ state: 'in', me })
}

/** Checks whether the browser still holds a session. `sure` asks even without the hint. */
export async function startSession(sure: boolean): Promise<void> {
  if (!sure && !lastSignedIn()) return become({ state: 'out', expired: false })
  try {
    if (await renew()) await enter()
  } catch (problem) {
    become({ state: 'starting', problem })
  }
}

/** Reads the reader's account and permissions again: grants, name or photo may have changed. */
export async function rereadMe(): Promise<void> {
  const me = await request<Me>('GET', '/api/me')
  if (session.state === 'in') become({ state: 'in', me })
}

/** As `rereadMe`, in the background after a hint. */
export async function lookAgain(): Promise<void> {
  if (session.state !== 'in') return
  try {
    await rereadMe()
  } catch (problem) {
    // A 401 has ended the session by now; after other failures the next hint asks again.
    if (!(problem instanceof Problem)) throw problem
  }
}

/** Changes the language here and, for signed-in people, on their account: it applies to the next device too. */
export async function chooseLanguage(language: Language): Promise<void> {
  await setLanguage(language)
  if (session.state !== 'in') return sessionStorage.setItem(chosen, language)
  if (session.me.language === language) return
  await request('PATCH', '/api/me', { body: { language } })
  await rereadMe()
}

/** Starts the session of the account with these tokens; the browser's other tabs follow. */
export async function enterWith(tokens: Tokens): Promise<void> {
  keep(tokens)
  await enter()
  if (session.state !== 'in') return
  announcer.postMessage(session.me.id)
  await speakTo(session.me)
}

/**
 * Applies the account's language. If the visitor has just chosen another and the account still has the default, the
 * choice becomes the account's.
 */
async function speakTo({ language, secondFactor }: Me): Promise<void> {
  const choice = languages.find((each) => each === sessionStorage.getItem(chosen))
  sessionStorage.removeItem(chosen)
  if (!choice || language !== 'en') return setLanguage(language)
  // Until the second factor is set up the account accepts no changes; the page keeps the chosen language all the same.
  return secondFactor.wanted ? setLanguage(choice) : chooseLanguage(choice)
}

/** Ends the session here and on the server. */
export async function signOut(): Promise<void> {
  await request('POST', '/api/auth/logout')
  leave()
  announcer.postMessage(null)
}

/** Deletes unsent input too: the next person may use the same machine. */
function leave(): void {
  sessionStorage.clear()
  forgetKeptOfOthers()
  end(false)
}

/**
 * Tells the other tabs who has signed in, or null for nobody. The message itself names the account: what this tab has
 * just stored may reach the others later than the message.
 */
const announcer = new BroadcastChannel('prakriya.session')
announcer.addEventListener('message', ({ data: account }: MessageEvent<string | null>) => {
  if (account === null) leave()
  else if (session.state !== 'in') void startSession(true)
  else if (account !== session.me.id) void reloadPage()
})

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session)
}

/** The signed-in person; only pages behind the guard may call it. */
export function useMe(): Me {
  const present = useSession()
  if (present.state !== 'in') throw new Error('nobody is signed in')
  return present.me
}
