import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Rules } from '../../model/deployed/rules.ts'
import type { Vault } from '../../kernel/keys.ts'

export interface PublicRouteDependencies {
  db: Kysely<DB>
  library: Library
  rules: ReadonlyMap<string, Rules>
  vault: Vault
  publicUrl: string
}
