import { Type } from 'typebox'
import type { Library } from '../../model/library/library.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Vault } from '../../kernel/keys.ts'
import type { SecondFactorPolicy } from '../../http/auth.ts'
import { component } from '../../kernel/components.ts'

export const Password = Type.String({ minLength: 1, maxLength: 200 })
export const WithPassword = component(
  'PasswordGiven',
  Type.Object({ password: Password }, { additionalProperties: false }),
)
export const RecoveryCodes = Type.Array(Type.String(), { description: 'Shown only this once; each code works once' })
export const PasskeyId = Type.String({ maxLength: 1400, pattern: '^[A-Za-z0-9_-]+$' })

/** Limits password guessing. */
export const guarded = { rule: 'signed-in', rateLimit: { max: 10, timeWindow: '1 minute' } } as const

export interface MeRouteDependencies {
  db: Kysely<DB>
  library: Library
  publicUrl: string
  vault: Vault
  secondFactor: SecondFactorPolicy
}
