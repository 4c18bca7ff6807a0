import type { JsonObject } from '../../kernel/db/database.generated.ts'
import type { Library } from './library.ts'

/** The page of a case. */
export function casePath(library: Library, id: string): string {
  const screen = library.screens.find(({ page, parameters }) => page === 'case' && !parameters)
  return screen?.route.replace('{id}', id) ?? ''
}

/** The page of a task. */
export function taskPath(library: Library, id: string): string {
  const screen = library.screens.find(({ page, parameters }) => page === 'task' && !parameters)
  return screen?.route.replace('{id}', encodeURIComponent(id)) ?? ''
}

/** The page with the stock of something: of several pages of the register, the one whose filters it meets. */
export function stockPath(library: Library, register: string, data: JsonObject): string | null {
  const screen = library.screens.find(
    ({ page, parameters }) =>
      page === 'stock' &&
      parameters?.['batches'] === register &&
      Object.entries(parameters['only'] ?? {}).every(([field, value]) => data[field] === value),
  )
  return screen?.route ?? null
}
