import { useState } from 'react'
import type { FormValue } from './conditions.ts'

const prefix = 'prakriya.typed.'

/**
 * What somebody types as an answer to a task, kept in the tab until it is sent: it outlives a reload and a time that
 * ran out. Without a task nothing is kept beyond the page.
 */
export function useKept(task: string | undefined) {
  const place = task && prefix + task
  const [typed, setTyped] = useState<FormValue | undefined>(() => {
    const kept = place && sessionStorage.getItem(place)
    return kept ? (JSON.parse(kept) as FormValue) : undefined
  })
  return {
    typed,
    keep(value: FormValue) {
      if (place) sessionStorage.setItem(place, JSON.stringify(value))
      setTyped(value)
    },
    forget() {
      if (place) sessionStorage.removeItem(place)
    },
  }
}

/** Nobody else at this browser shall find what was typed. */
export function forgetAllKept(): void {
  for (const place of Object.keys(sessionStorage)) if (place.startsWith(prefix)) sessionStorage.removeItem(place)
}
