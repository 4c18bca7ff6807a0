import { definitionStore } from '../../model/deployed/definitions.ts'
import type { Person } from '../../people/persons/person.ts'
import type { RegistersContext, RegistersDependencies } from './context.ts'
import { type PaperDependencies, drawEntry, printEntry, printSheets } from './paper.ts'

/** Papers of register entries, with the rights of the person who prints them. */
export function registerPapers(dependencies: RegistersDependencies & PaperDependencies) {
  const { db, library } = dependencies
  const offers = { definitions: definitionStore(db), roles: library.roles }
  const context: RegistersContext = { ...dependencies, offers }
  return {
    print: (person: Person, wanted: Parameters<typeof printEntry>[3]) =>
      printEntry(context, dependencies, person, wanted),
    printSheets: (person: Person, wanted: Parameters<typeof printSheets>[3]) =>
      printSheets(context, dependencies, person, wanted),
    draw: (person: Person, wanted: Parameters<typeof drawEntry>[3]) => drawEntry(context, dependencies, person, wanted),
  }
}
