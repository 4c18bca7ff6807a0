import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { SignInElsewhere } from './external-sessions.ts'
import type { Library } from '../../model/library/library.ts'
import type { Vault } from '../../kernel/keys.ts'

/** Request bodies are small here; a low limit keeps anonymous callers from sending more. */
export const BODY_LIMIT = 16 * 1024

/** Rate limit per caller. */
export const seldom = { max: 40, timeWindow: '1 minute' }

export interface AccountRouteDependencies {
  db: Kysely<DB>
  definitions: Definitions
  identity?: SignInElsewhere | undefined
  library: Library
  publicUrl: string
  vault: Vault
}

/** The cookie that lets the browser that has just created an account set its password. */
export function setUpCookie(publicUrl: string) {
  const secure = publicUrl.startsWith('https:')
  return {
    name: secure ? '__Secure-prakriya_setup' : 'prakriya_setup',
    options: { path: '/api/auth', httpOnly: true, sameSite: 'strict', secure },
  } as const
}
