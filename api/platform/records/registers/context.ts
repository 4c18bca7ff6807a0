import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { RegisterDefinition } from '../../model/definitions/register.ts'

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
