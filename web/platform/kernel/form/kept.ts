import { useState } from 'react'
import { dropKept, keep, keptAt } from '../session/typed.ts'
import type { FormValue } from './conditions.ts'

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
