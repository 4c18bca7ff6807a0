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

/** Options of an act on a task that is part of a bulk action. */
export interface Joint {
  /** Runs in the transaction of the act. */
  within?: (trx: Transaction<DB>) => Promise<void>
  /** Additional payload of the audit entry. */
  more?: JsonObject
  /** Send no mails: the bulk action sends one for all tasks. */
  quiet?: boolean
}
