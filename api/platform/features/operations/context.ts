import type { Kysely } from 'kysely'
import { wordsOf } from '../../model/library/words.ts'
import type { Sender } from '../../work/commands/sender.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'

/** The roles that operate the system, beside ADMIN and SA. */
export const OPERATORS = ['System Analyst']

/**
 * Nothing here checks rights on cases: an operator sees that a step is stuck, but not the content of the case. Every
 * act is logged in the audit trail.
 */
export interface OperationsDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  engine: Pick<Engine, 'retry'>
  sender: Pick<Sender, 'deliver'>
}

/** The title of a flow, or its key if it is not installed. */
export function titleOf(context: OperationsDependencies, flow: string, language: Language | undefined): string
export function titleOf(
  context: OperationsDependencies,
  flow: string | null,
  language: Language | undefined,
): string | null
export function titleOf(
  { library }: OperationsDependencies,
  flow: string | null,
  language: Language | undefined,
): string | null {
  const known = flow === null ? undefined : library.flows.get(flow)
  return known ? wordsOf(library, language).flowTitle(known.manifest) : flow
}
