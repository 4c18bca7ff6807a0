import { Problem, request } from '../../kernel/client/client.ts'
import { provedIfAsked } from '../../kernel/session/proof.ts'
import { askForToken, enterWith, inTurn, type Tokens } from '../../kernel/session/session.ts'

export type SecondMethod = 'totp' | 'passkey' | 'recovery-code'

/** A sign-in with a correct password that needs a second factor. */
export interface SecondStep {
  challenge: string
  methods: SecondMethod[]
}

/**
 * Signs in with a password. Returns the required second step, or undefined when signed in. Calls `slow` if the API
 * requires a proof of work first. Throws the API's problem.
 */
export async function signIn(username: string, password: string, slow: () => void): Promise<SecondStep | undefined> {
  try {
    const fields = { grant_type: 'password', username, password }
    await enterWith(await provedIfAsked((headers) => inTurn(() => askForToken(fields, headers)), slow))
    return undefined
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'platform.second-factor-wanted') throw error
    const { challenge, methods } = error.more
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this problem always names both
    return { challenge, methods } as SecondStep
  }
}

/** The second step with a code of the authenticator app or a recovery code. */
export const answerWithCode = async (challenge: string, code: string): Promise<void> =>
  enterWith(await inTurn(() => askForToken({ grant_type: 'second_factor', challenge, code })))

/** Whether this browser supports passkeys; only in secure contexts. */
export const knowsPasskeys = (): boolean => window.PublicKeyCredential !== undefined

/** Signs in with a passkey, without a password. False if the person cancelled. */
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
    // Browsers report a closed and an expired dialog in the same way.
    if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return false
    throw error
  }
}

type PasskeyOptions = Parameters<typeof import('@simplewebauthn/browser').startAuthentication>[0]['optionsJSON']

/** The sign-in methods of this installation; an older API that does not report them has passwords only. */
export interface SignInMethods {
  password: boolean
  oidc: { name: string } | null
  signUp: boolean
}
