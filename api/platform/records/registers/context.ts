import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'
import type { RegisterDefinition, Selection } from '../../model/definitions/register.ts'

/** The caller's transaction, and the definitions of the registers. */
export interface RegistersContext {
  trx: Transaction<DB>
  library: { registers: ReadonlyMap<string, RegisterDefinition> }
}

/** The definition of a register. */
export function definitionOf({ library }: Pick<RegistersContext, 'library'>, register: string): RegisterDefinition {
  const definition = library.registers.get(register)
  if (!definition) throw new BusinessError('platform.not-found')
  return definition
}

/** The selection of a register that a field names; null if it names none. */
export function selectionOf(
  context: Pick<RegistersContext, 'library'>,
  { register, selection }: { register: string; selection: string | undefined },
): Selection | null {
  if (selection === undefined) return null
  return known(definitionOf(context, register).selections?.[selection], `the selection ${selection} of ${register}`)
}
