import { useState, type RefObject } from 'react'
import { Problem } from '../client/client.ts'
import { inWords } from '../states/trouble.tsx'
import { useTexts } from '../texts/texts.ts'
import type { FormValue } from './conditions.ts'
import type { FormHandle } from './schema-form.tsx'

/** Sends a form: whether a request is in progress, and the last problem. */
export interface Sending {
  busy: boolean
  problem: unknown
  /** The problem for the reader: a heading and a sentence. */
  words: { title: string; detail: string } | undefined
  /** Sends the value if it passes the form's check; errors of single fields are shown at them. */
  send(what: (data: FormValue) => Promise<void>, refused?: (error: unknown) => void): Promise<void>
}

export function useSending(form: RefObject<FormHandle | null>): Sending {
  const { t } = useTexts()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  return {
    busy,
    problem,
    words: problem === undefined ? undefined : inWords(problem, t),
    async send(what, refused) {
      if (!form.current?.check()) return
      setBusy(true)
      setProblem(undefined)
      try {
        await what(form.current.data())
      } catch (error) {
        setProblem(error)
        refused?.(error)
        if (error instanceof Problem) form.current?.show(error.errors)
      } finally {
        setBusy(false)
      }
    },
  }
}
