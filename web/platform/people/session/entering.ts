import { Problem, request } from '../../kernel/client/client.ts'
import { provedIfAsked } from '../../kernel/session/proof.ts'
import { askForToken, enterWith, inTurn, type Tokens } from '../../kernel/session/session.ts'

/** How a second step may be taken. */
export type SecondMethod = 'totp' | 'passkey' | 'recovery-code'

/** A sign-in whose password was right and that wants one thing more. */
export interface SecondStep {
  challenge: string
  methods: SecondMethod[]
}

/**
 * Signs in with a password; the second step that is wanted, or undefined when one is in. `slow` is called when the
 * API wants a proof of work first, which takes a moment. Throws the API's problem.
 */
export async function signIn(username: string, password: string, slow: () => void): Promise<SecondStep | undefined> {
  try {
    const fields = { grant_type: 'password', username, password }
    await enterWith(await provedIfAsked((headers) => inTurn(() => askForToken(fields, headers)), slow))
    return undefined
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'platform.second-factor-wanted') throw error
    const { challenge, methods } = error.more
    return { challenge, methods } as SecondStep
  }
}

/** The second step with the code of an authenticator app, or one of the codes kept for the day it is lost. */
export const answerWithCode = async (challenge: string, code: string): Promise<void> =>
  enterWith(await inTurn(() => askForToken({ grant_type: 'second_factor', challenge, code })))

/** Whether this browser knows passkeys; it does on safe origins only. */
export const knowsPasskeys = (): boolean => window.PublicKeyCredential !== undefined

/** Signs in with a passkey, which needs no password before it. False when the person thought better of it. */
export async function signInByPasskey(): Promise<boolean> {
  const [{ startAuthentication }, { challenge, options }] = await Promise.all([
    import('@simplewebauthn/browser'),
    request<{ challenge: string; options: PasskeyOptions }>('POST', '/api/auth/passkey/options'),
  ])
  try {
    const response = await startAuthentication({ optionsJSON: options })
    await enterWith(
      await request<Tokens>('POST', '/api/auth/passkey', { body: { challenge, response, client_id: 'web' } }),
    )
    return true
  } catch (error) {
    // Browsers tell no more than this of a dialog that was closed or has run out.
    if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return false
    throw error
  }
}

type PasskeyOptions = Parameters<typeof import('@simplewebauthn/browser').startAuthentication>[0]['optionsJSON']

/** How this installation lets people in; what an older API does not tell is a password only. */
export interface SignInMethods {
  password: boolean
  oidc: { name: string } | null
  signUp: boolean
}
