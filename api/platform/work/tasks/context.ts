import type { Kysely, Transaction } from 'kysely'
import type { Cases } from '../cases/service.ts'
import type { Sender } from '../commands/sender.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Library } from '../../model/library/library.ts'

export interface TasksDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  sender: Sender
  cases: Cases
  clock?: () => Date
}

/** What goes along with an act on a task that is one of many. */
export interface Joint {
  /** Done in the transaction of the act. */
  within?: (trx: Transaction<DB>) => Promise<void>
  /** What the audit says beside. */
  more?: JsonObject
  /** Nobody is written to: whoever does it for many writes once for all of them. */
  quiet?: boolean
}
