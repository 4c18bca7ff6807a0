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
