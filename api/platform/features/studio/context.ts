import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Engine } from '../../kernel/engine/port.ts'

export interface StudioDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  engine: Pick<Engine, 'deploy'>
  publicUrl: string
}
