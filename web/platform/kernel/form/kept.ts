import { useState } from 'react'
import type { FormValue } from './conditions.ts'

const prefix = 'prakriya.typed.'

/** Keeps something that is being typed in the tab, under a name of its own: it outlives a reload. */
export const keep = (name: string, value: unknown): void => sessionStorage.setItem(prefix + name, JSON.stringify(value))

/** What is kept under a name. */
export function keptAt<T>(name: string): T | undefined {
  const kept = sessionStorage.getItem(prefix + name)
  return kept === null ? undefined : (JSON.parse(kept) as T)
}

/** Forgets what is kept under a name. */
export const dropKept = (name: string): void => sessionStorage.removeItem(prefix + name)

/** What somebody without an account types as an answer to a task, kept in the tab until it is sent. */
export function useKept(task: string) {
  const [typed, setTyped] = useState(() => keptAt<FormValue>(task))
  return {
    typed,
    keep(value: FormValue) {
      keep(task, value)
      setTyped(value)
    },
    forget: () => dropKept(task),
  }
}

/** Nobody else at this browser shall find what was typed. */
export function forgetAllKept(): void {
  for (const place of Object.keys(sessionStorage)) if (place.startsWith(prefix)) sessionStorage.removeItem(place)
}
