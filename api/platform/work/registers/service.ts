import { bound } from '../../kernel/bound.ts'
import { definitionStore } from '../../model/deployed/definitions.ts'
import type { RegistersContext, RegistersDependencies } from './context.ts'
import { listPublicItems, listRegisterItems, listRegisters, readItem, readPublicItem, readRegister } from './read.ts'
import { changeItem, createItem, setItemStatus } from './change.ts'
import { importItems, importTemplate } from './import.ts'

/**
 * Registers as people use them: who may see and change what. A register or item that somebody may not see does not
 * exist for them.
 */
export function registersService(dependencies: RegistersDependencies) {
  const { db, library } = dependencies
  const offers = { definitions: definitionStore(db), roles: library.roles }
  const context: RegistersContext = { ...dependencies, offers }
  return bound(context, {
    list: listRegisters,
    get: readRegister,
    items: listRegisterItems,
    item: readItem,
    create: createItem,
    change: changeItem,
    setStatus: setItemStatus,
    template: importTemplate,
    import: importItems,
    publicItems: listPublicItems,
    publicItem: readPublicItem,
  })
}
