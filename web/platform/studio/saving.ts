import { useCallback, useEffect, useRef, useState } from 'react'
import { Problem } from '../api/client.ts'
import { saveDraft, type Draft, type Table } from '../api/studio.ts'

/** How what is drawn stands to what the server has. */
export type Saved =
  | { state: 'saved'; at: string }
  | { state: 'unsaved' | 'saving' }
  /** Nothing answered; it is tried again by itself. */
  | { state: 'failed' }
  /** Refused for good: somebody else saved since, or holds the draft; `detail` says who and when. */
  | { state: 'refused'; code: string; detail: string }

/** What is saved of a draft. */
interface Part {
  bpmn?: string
  dmn?: Table[]
}

export interface Saving {
  saved: Saved
  revision(): number
  /** Something has changed; it is read when it is sent, a moment later. */
  change(read: () => Promise<Part>): void
  /** Sends now what waits. True when everything is on the server. */
  flush(): Promise<boolean>
}

const afterChange = 1200
const afterFailure = 5000

/** Saves a draft by itself a moment after each change, each time on top of the revision that it knows. */
export function useSaving(process: string, draft: Draft): Saving {
  const [saved, setSaved] = useState<Saved>({ state: 'saved', at: draft.savedAt })
  const revision = useRef(draft.revision)
  const waiting = useRef<(() => Promise<Part>)[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sending = useRef<Promise<boolean>>(undefined)
  const refused = useRef(false)
  const again = useRef<() => void>(undefined)

  const send = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current)
    if (sending.current) await sending.current
    if (refused.current) return false
    const reads = waiting.current.splice(0)
    if (reads.length === 0) return true
    setSaved({ state: 'saving' })
    const attempt = async () => {
      const parts = await Promise.all(reads.map((read) => read()))
      try {
        const answer = await saveDraft(process, revision.current, Object.assign({}, ...parts) as Part)
        revision.current = answer.revision
        setSaved(waiting.current.length > 0 ? { state: 'unsaved' } : { state: 'saved', at: answer.savedAt })
        return true
      } catch (error) {
        if (error instanceof Problem && error.status >= 400 && error.status < 500) {
          refused.current = true
          setSaved({ state: 'refused', code: error.code, detail: error.detail ?? error.message })
          return false
        }
        waiting.current.unshift(...reads)
        setSaved({ state: 'failed' })
        timer.current = setTimeout(() => again.current?.(), afterFailure)
        return false
      }
    }
    sending.current = attempt()
    const done = await sending.current
    sending.current = undefined
    return done
  }, [process])

  const change = useCallback(
    (read: () => Promise<Part>) => {
      // Of the same kind only the latest counts; both kinds may wait at once.
      if (!waiting.current.includes(read)) waiting.current.push(read)
      setSaved((now) => (now.state === 'refused' ? now : { state: 'unsaved' }))
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void send(), afterChange)
    },
    [send],
  )

  useEffect(() => {
    again.current = () => void send()
    const warn = (event: BeforeUnloadEvent) => {
      if (waiting.current.length > 0 && !refused.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => {
      window.removeEventListener('beforeunload', warn)
      void send()
    }
  }, [send])

  return { saved, revision: () => revision.current, change, flush: send }
}
