import { useSyncExternalStore } from 'react'
import { Problem, request, setAccess } from '../client/client.ts'
import type { Me } from '../client/types.ts'
import { forget } from './forget.ts'
import { languages, presentLanguage, setLanguage, type Language } from '../texts/texts.ts'
import { exclusively } from './exclusively.ts'
import { rememberSignedIn, signedInLast } from './last.ts'

/**
 * Who is signed in. The access token lives in memory only; the refresh token is a cookie that scripts cannot read.
 * `starting` lasts until the first look at that cookie has its answer; `problem` is why it has none yet.
 */
export type Session =
  { state: 'starting'; problem?: unknown } | { state: 'out'; expired: boolean } | { state: 'in'; me: Me }

/** What the API answers to whoever has proved who they are. */
export interface Tokens {
  access_token: string
  expires_in: number
}

/** The language that a visitor chose in this tab before signing in. */
const chosen = 'prakriya.language-chosen'

let session: Session = { state: 'starting' }
let held: { token: string; renewAt: number } | undefined
let renewing: Promise<string | undefined> | undefined
/** Whose page this is: what it has read is for them alone. */
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

/** Asks the token endpoint; throws the API's problem. */
export function askForToken(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Tokens> {
  return fetch('/api/auth/token', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { accept: 'application/json', 'accept-language': presentLanguage(), ...headers },
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

/** The tabs of a browser share one refresh cookie: who is given one waits until no other tab is. */
export const inTurn = <T>(ask: () => Promise<T>): Promise<T> => exclusively('prakriya.refresh', ask)

/** Using a spent cookie ends the session everywhere: whoever comes second sends the one that the first was given. */
function renew(): Promise<string | undefined> {
  renewing ??= inTurn(async () => {
    try {
      const token = keep(await askForToken({ grant_type: 'refresh_token' }))
      // Somebody else has signed in meanwhile, in another tab: the token is theirs, and so is the page from now on.
      if (reader !== undefined && signedInLast() !== reader) return await beginAnew()
      return token
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
  // A page that is only beginning knows by the hint that somebody was signed in here. What ends twice has ended all the same.
  const known = session.state === 'in' || (session.state === 'out' && session.expired)
  const was = known || signedInLast() !== null
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

/** Loads the page anew, so that nothing stays of what it has read for the person before. */
function beginAnew(): Promise<never> {
  window.location.reload()
  return new Promise(() => {})
}

const enter = async () => {
  const me = await request<Me>('GET', '/api/me')
  // What somebody else has seen at this machine stays theirs.
  if (signedInLast() !== me.id) await forget()
  rememberSignedIn(me.id)
  if (reader !== undefined && reader !== me.id) return beginAnew()
  reader = me.id
  become({ state: 'in', me })
}

/** Looks whether the browser still holds a session. `sure` asks even where nothing hints at one. */
export async function startSession(sure: boolean): Promise<void> {
  if (!sure && !signedInLast()) return become({ state: 'out', expired: false })
  try {
    if (await renew()) await enter()
  } catch (problem) {
    become({ state: 'starting', problem })
  }
}

/** Reads anew who the reader is and what they may: their grants, name or photo may have changed. */
export async function rereadMe(): Promise<void> {
  const me = await request<Me>('GET', '/api/me')
  if (session.state === 'in') become({ state: 'in', me })
}

/** As `rereadMe`, for when something says that it changed: nobody waits for the answer. */
export async function lookAgain(): Promise<void> {
  if (session.state !== 'in') return
  try {
    await rereadMe()
  } catch (problem) {
    // A refusal has ended the session by now; what was only not answered is asked again when the line is back.
    if (!(problem instanceof Problem)) throw problem
  }
}

/** Changes the language here and, for somebody signed in, on their account: the next device they sign in at speaks it too. */
export async function chooseLanguage(language: Language): Promise<void> {
  await setLanguage(language)
  if (session.state !== 'in') return sessionStorage.setItem(chosen, language)
  if (session.me.language === language) return
  await request('PATCH', '/api/me', { body: { language } })
  await rereadMe()
}

/** Begins the session of whoever was given these tokens; the browser's other tabs follow. */
export async function enterWith(tokens: Tokens): Promise<void> {
  keep(tokens)
  await enter()
  announcer.postMessage('in')
  if (session.state === 'in') await speakTo(session.me)
}

/**
 * The account's language, except where the visitor has just chosen another and the account still has the one that all
 * begin with: then the choice becomes the account's.
 */
async function speakTo({ language, secondFactor }: Me): Promise<void> {
  const choice = languages.find((each) => each === sessionStorage.getItem(chosen))
  sessionStorage.removeItem(chosen)
  if (!choice || language !== 'en') return setLanguage(language)
  // Until the second step is set up the account takes no changes; the page keeps its language all the same.
  return secondFactor.wanted ? setLanguage(choice) : chooseLanguage(choice)
}

/** Ends the session here and on the server. */
export async function signOut(): Promise<void> {
  await request('POST', '/api/auth/logout')
  leave()
  announcer.postMessage('out')
}

/** Whoever leaves takes along what they had begun to write: the next reader may sit at the same machine. */
function leave(): void {
  sessionStorage.clear()
  end(false)
}

const announcer = new BroadcastChannel('prakriya.session')
announcer.addEventListener('message', ({ data }: MessageEvent<'in' | 'out'>) => {
  if (data === 'out') leave()
  else if (session.state !== 'in') void startSession(true)
  else if (signedInLast() !== session.me.id) void beginAnew()
})

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
