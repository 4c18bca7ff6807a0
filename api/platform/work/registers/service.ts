import { bound } from '../../kernel/bound.ts'
import { definitionStore } from '../../model/deployed/definitions.ts'
import type { RegistersContext, RegistersDependencies } from './context.ts'
import { listPublicItems, listRegisterItems, listRegisters, readItem, readPublicItem, readRegister } from './read.ts'
import { changeItem, createItem, setItemStatus } from './change.ts'
import { listNews } from './news.ts'
import { importItems, importTemplate } from './import.ts'
import { listWaiting } from './waiting.ts'
import { readImportProgress } from './import-progress.ts'

/**
 * Registers, with the rights of the person who reads or changes them. Registers and entries that a person may not see
 * answer 404.
 */
export function registersService(dependencies: RegistersDependencies) {
  const { db, library } = dependencies
  const offers = { definitions: definitionStore(db), roles: library.roles }
  const context: RegistersContext = { ...dependencies, offers }
  return bound(context, {
    list: listRegisters,
    get: readRegister,
    items: listRegisterItems,
    news: listNews,
    waiting: listWaiting,
    item: readItem,
    create: createItem,
    change: changeItem,
    setStatus: setItemStatus,
    template: importTemplate,
    import: importItems,
    importProgress: readImportProgress,
    publicItems: listPublicItems,
    publicItem: readPublicItem,
  })
}
