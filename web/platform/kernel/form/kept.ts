import { useState } from 'react'
import type { FormValue } from './conditions.ts'
import { storedAt } from '../client/json.ts'

const prefix = 'prakriya.typed.'

/** Stores unsent input in the tab under a name; it survives a reload. */
export const keep = (name: string, value: unknown): void => sessionStorage.setItem(prefix + name, JSON.stringify(value))

/** The value stored under a name. */
export const keptAt = <T>(name: string): T | undefined => storedAt<T>(prefix + name)

/** Removes the value stored under a name. */
export const dropKept = (name: string): void => sessionStorage.removeItem(prefix + name)

/** The unsent answer of somebody without an account, stored in the tab. */
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

/** The next person at this browser must not find the input. */
export function forgetAllKept(): void {
  for (const place of Object.keys(sessionStorage)) if (place.startsWith(prefix)) sessionStorage.removeItem(place)
}
