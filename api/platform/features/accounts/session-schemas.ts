import type { TokenKeys } from '../../people/identity/token-keys.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { SignInElsewhere } from './external-sessions.ts'
import type { Library } from '../../model/library/library.ts'
import type { Vault } from '../../kernel/keys.ts'

export interface SessionRouteDependencies {
  db: Kysely<DB>
  identity?: SignInElsewhere | undefined
  library: Library
  publicUrl: string
  tokens: TokenKeys
  vault: Vault
}
