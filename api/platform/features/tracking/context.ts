import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Cases } from '../../work/cases/service.ts'
import type { Tasks } from '../../work/tasks/service.ts'
import type { ObjectStore } from '../../records/files/store.ts'
import type { Vault } from '../../kernel/keys.ts'

export interface TrackingRoutesDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  cases: Cases
  tasks: Tasks
  store: ObjectStore
  vault: Vault
  publicUrl: string
}
