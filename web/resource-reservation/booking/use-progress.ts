import { useEffect, useEffectEvent, useState } from 'react'
import { mutate } from 'swr'
import { Problem } from '../../platform/kernel/client/client.ts'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import type { Hold } from '../catalogue/resources.ts'
import { slotRefusal } from './booking-form.ts'

export interface Progress {
  /** 0: dates, 1: estimate, 2: event. */
  step: number
  toStep(step: number): void
  busy: boolean
  /** Runs something asynchronous; clears the last problem. */
  during(what: () => Promise<void>): Promise<void>
  /** Why the booking is back at the dates. */
  lost: string | undefined
  problem: unknown
  /** Clears the problem. */
  clear(): void
  /** Shows a refusal; true if the slot is the reason, and the booking is back at the dates. */
  refused(error: unknown): boolean
}

/** The progress of a booking; `over` once it is made. An expired hold leads back to the dates. */
export function useProgress(hold: Hold | undefined, over: boolean): Progress {
  const { t } = useTexts()
  const [step, toStep] = useState(0)
  const [busy, setBusy] = useState(false)
  const [lost, setLost] = useState<string>()
  const [problem, setProblem] = useState<unknown>()

  /** Keeps the hold's id: if it still exists on the server, it is the reader's own and no conflict. */
  const backToDates = (why: string) => {
    toStep(0)
    setProblem(undefined)
    setLost(why)
    void mutate((key) => typeof key === 'string' && key.startsWith('/api/public/allocations'))
  }
  // Says at once that the hold has expired, not after everything has been typed.
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
