import type { Kysely } from 'kysely'
import { wordsOf } from '../../model/library/words.ts'
import type { Sender } from '../../work/commands/sender.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'

/** Who keeps the product running, beside ADMIN and SA. */
export const OPERATORS = ['System Analyst']

/**
 * What the use cases of operators work with. Nothing here asks what somebody may do with a case: an operator sees that a
 * step is stuck, not what the case says. Every act is an audit entry.
 */
export interface OperationsDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  engine: Pick<Engine, 'retry'>
  sender: Pick<Sender, 'deliver'>
}

/** What a flow is called; its key where it is not here. */
export function titleOf(
  { library }: OperationsDependencies,
  flow: string | null,
  language: Language | undefined,
): string | null {
  const known = flow === null ? undefined : library.flows.get(flow)
  return known ? wordsOf(library, language).flowTitle(known.manifest) : flow
}
