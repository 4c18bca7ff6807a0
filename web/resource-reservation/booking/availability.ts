import { useEffect, useState } from 'react'
import { askAvailability, type Availability } from '../catalogue/resources.ts'
import type { Span } from './slot.ts'
import { parsed } from '../../platform/kernel/client/json.ts'

/** Delay between the last change and the request, in milliseconds. */
const rest = 250

interface Asked {
  about: string
  answer: Availability | undefined
}

/**
 * Checks a range against the resource's rules: opening hours, advance notice, duration and conflicts. `asking` until
 * answered. Without an answer the range may still be tried: the hold decides.
 */
export function useAvailability(
  resource: string,
  span: Span | undefined,
  event: Record<string, unknown>,
): { asking: boolean; answer: Availability | undefined } {
  const { association_to_uni } = event
  const about = span && JSON.stringify({ resource, ...span, ...(association_to_uni ? { association_to_uni } : {}) })
  const [asked, setAsked] = useState<Asked>()
  useEffect(() => {
    if (about === undefined) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      askAvailability(parsed<Parameters<typeof askAvailability>[0]>(about), stop.signal).then(
        (answer) => setAsked({ about, answer }),
        (error: unknown) => {
          if (stop.signal.aborted) return
          console.warn('whether it is free could not be asked; holding it will tell', error)
          setAsked({ about, answer: undefined })
        },
      )
    }, rest)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [about])
  if (about === undefined) return { asking: false, answer: undefined }
  return asked?.about === about ? { asking: false, answer: asked.answer } : { asking: true, answer: undefined }
}
