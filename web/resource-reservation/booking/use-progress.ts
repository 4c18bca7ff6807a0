import { useEffect, useEffectEvent, useState } from 'react'
import { mutate } from 'swr'
import { Problem } from '../../platform/kernel/client/client.ts'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import type { Hold } from '../catalogue/resources.ts'
import { slotRefusal } from './booking-form.ts'

export interface Progress {
  /** 0: the dates, 1: the estimate, 2: the event. */
  step: number
  toStep(step: number): void
  busy: boolean
  /** Does something that takes a moment; what went wrong before is forgotten. */
  during(what: () => Promise<void>): Promise<void>
  /** Why one is back at the dates. */
  lost: string | undefined
  problem: unknown
  /** Forgets what went wrong. */
  clear(): void
  /** Says why something was refused; true when that is the slot's fault, and one is back at the dates. */
  refused(error: unknown): boolean
}

/** How far a booking is; `over` once it is made. A hold that ends leads back to the dates. */
export function useProgress(hold: Hold | undefined, over: boolean): Progress {
  const { t } = useTexts()
  const [step, toStep] = useState(0)
  const [busy, setBusy] = useState(false)
  const [lost, setLost] = useState<string>()
  const [problem, setProblem] = useState<unknown>()

  /** The hold's id stays known: should it still stand on the server, it is one's own and in nobody's way. */
  const backToDates = (why: string) => {
    toStep(0)
    setProblem(undefined)
    setLost(why)
    void mutate((key) => typeof key === 'string' && key.startsWith('/api/public/allocations'))
  }
  // The hold ends by itself: then say so at once and not when everything has been typed.
  const lapse = useEffectEvent(() => {
    if (step > 0 && !over) backToDates(t('resource-reservation.hold-lapsed'))
  })
  useEffect(() => {
    if (!hold) return
    const timer = setTimeout(() => lapse(), Math.max(0, Date.parse(hold.expiresAt) - Date.now()))
    return () => clearTimeout(timer)
  }, [hold])

  return {
    ...{ step, toStep, busy, lost, problem },
    async during(what) {
      setBusy(true)
      setProblem(undefined)
      try {
        await what()
      } finally {
        setBusy(false)
      }
    },
    clear() {
      setLost(undefined)
      setProblem(undefined)
    },
    refused(error) {
      const slot = error instanceof Problem && error.status < 500 && slotRefusal(error)
      if (slot) backToDates(slot)
      else setProblem(error)
      return Boolean(slot)
    },
  }
}
