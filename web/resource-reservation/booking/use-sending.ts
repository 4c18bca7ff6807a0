import { App } from 'antd'
import { useRef, useState, type RefObject } from 'react'
import { mutate } from 'swr'
import { submitCase } from '../../platform/kernel/api/cases.ts'
import { checkAsGuest, submitAsGuest, type GuestCase } from '../../platform/kernel/api/guests.ts'
import { Problem } from '../../platform/kernel/client/client.ts'
import type { Case } from '../../platform/kernel/client/types.ts'
import type { FormValue } from '../../platform/kernel/form/conditions.ts'
import type { FormHandle } from '../../platform/kernel/form/schema-form.tsx'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import { bookingFlow } from '../catalogue/resources.ts'
import { accountFor } from './bookers.ts'
import { accountOf, inBooking, shownFor } from './booking-form.ts'
import type { Behalf } from './draft.ts'
import type { Progress } from './use-progress.ts'

/** A completed booking: a case to open, or a guest's case with its secret. */
export type Made = { case: Case } | { guest: GuestCase; body: FormValue }

interface SendingOptions {
  guest: boolean
  behalf: Behalf | undefined
  form: RefObject<FormHandle | null>
  progress: Progress
  onMade(made: Made): void
}

interface Sending {
  /** Asks a guest to agree once the booking passes all checks. */
  ask(body: FormValue): Promise<void>
  /** The booking for which a guest is asked to agree to a temporary account. */
  asked: FormValue | undefined
  decline(): void
  send(body: FormValue): Promise<void>
}

/** Sends a booking, and shows a refusal in the step where it can be corrected. */
export function useSending({ guest, behalf, form, progress, onMade }: SendingOptions): Sending {
  const { t } = useTexts()
  const { message } = App.useApp()
  const [asked, setAsked] = useState<FormValue>()
  const sent = useRef<{ body: string; key: string }>(undefined)

  const failed = (error: unknown) => {
    const told = guest && error instanceof Problem && error.status > 0 && error.status < 500
    void message.error((told && (error.errors[0]?.message ?? error.detail)) || t('platform.error'), shownFor)
    // The booking dialog returns unchanged.
    setAsked(undefined)
    if (progress.refused(error)) return
    if (!(error instanceof Problem)) return
    const found = error.errors.map(({ field, ...rest }) => ({ ...rest, field: inBooking(field) }))
    if (found.some(({ field }) => field.startsWith('/resource_booking_items'))) progress.toStep(1)
    else requestAnimationFrame(() => form.current?.show(found))
  }

  return {
    asked,
    decline: () => setAsked(undefined),
    ask: (body) =>
      progress.during(async () => {
        try {
          await checkAsGuest(bookingFlow, body, accountOf(body))
          setAsked(body)
        } catch (error) {
          failed(error)
        }
      }),
    send: (body) =>
      progress.during(async () => {
        const text = JSON.stringify([body, behalf])
        // The same booking sent again after a lost connection stays one booking.
        if (sent.current?.body !== text) sent.current = { body: text, key: crypto.randomUUID() }
        try {
          const made = await (guest ? asGuest(body, sent.current.key) : asPerson(body, sent.current.key, behalf))
          if (guest) void message.success(t('resource-reservation.account-created'), shownFor)
          void message.success(t('resource-reservation.created'), shownFor)
          onMade(made)
          void mutate((path) => typeof path === 'string' && /^\/api\/(public\/allocations|cases)/.test(path))
        } catch (error) {
          // After a refusal the next attempt is a new booking; after a lost answer it is the same one.
          if (error instanceof Problem && error.status > 0 && error.status < 500) sent.current = undefined
          failed(error)
        }
      }),
  }
}

const asGuest = async (body: FormValue, key: string): Promise<Made> => ({
  guest: await submitAsGuest(bookingFlow, body, accountOf(body), key),
  body,
})

async function asPerson(body: FormValue, key: string, behalf: Behalf | undefined): Promise<Made> {
  const other = behalf && (behalf.accountId ?? (await accountFor(accountOf(body))))
  return {
    case: await submitCase(bookingFlow, body, key, { other: other === undefined ? undefined : { accountId: other } }),
  }
}
