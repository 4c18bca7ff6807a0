import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { RegisterDefinition } from '../../model/definitions/register.ts'

/** What reading and changing registers works with: the caller's transaction, and what the registers are. */
export interface RegistersContext {
  trx: Transaction<DB>
  library: { registers: ReadonlyMap<string, RegisterDefinition> }
}

/** What a register is. */
export function definitionOf({ library }: Pick<RegistersContext, 'library'>, register: string): RegisterDefinition {
  const definition = library.registers.get(register)
  if (!definition) throw new BusinessError('platform.not-found')
  return definition
}
