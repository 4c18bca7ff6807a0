import { useState, type RefObject } from 'react'
import { Problem } from '../client/client.ts'
import type { FormHandle } from './schema-form.tsx'

interface Sending {
  busy: boolean
  problem: unknown
  /** Forgets the problem of the try before. */
  again(): void
  /** Sends what the form holds, if it is right; shows what the API finds at its fields. */
  send(act: () => Promise<void>): Promise<void>
}

/** Sends a form that may not be shown at all; `onRefused` gets what went wrong. */
export function useSending(form: RefObject<FormHandle | null>, onRefused: (problem: unknown) => void): Sending {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const again = () => setProblem(undefined)
  const send = async (act: () => Promise<void>) => {
    if (form.current && !form.current.check()) return
    setBusy(true)
    again()
    try {
      await act()
    } catch (error) {
      setProblem(error)
      if (error instanceof Problem) form.current?.show(error.errors)
      onRefused(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, again, send }
}
