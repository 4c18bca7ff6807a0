import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { SignInElsewhere } from './foreign-sessions.ts'
import type { Library } from '../../model/library/library.ts'
import type { Vault } from '../../kernel/keys.ts'

/** Bodies of these routes are small; strangers need not send more. */
export const BODY_LIMIT = 16 * 1024

/** What one person may ask for in a minute. */
export const seldom = { max: 40, timeWindow: '1 minute' }

/** What these routes work with. */
export interface AccountRouteDependencies {
  db: Kysely<DB>
  definitions: Definitions
  identity?: SignInElsewhere | undefined
  library: Library
  publicUrl: string
  vault: Vault
}

/** The cookie by which the browser that has just made an account sets its password. */
export function setUpCookie(publicUrl: string) {
  const secure = publicUrl.startsWith('https:')
  return {
    name: secure ? '__Secure-prakriya_setup' : 'prakriya_setup',
    options: { path: '/api/auth', httpOnly: true, sameSite: 'strict', secure },
  } as const
}
