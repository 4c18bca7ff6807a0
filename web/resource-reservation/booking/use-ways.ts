import { App } from 'antd'
import { useState } from 'react'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import { holdSlot, type Alternative } from '../catalogue/resources.ts'
import type { ResourceDialogProps } from '../catalogue/view-resource.tsx'
import { shownFor } from './booking-form.ts'
import { emptyDraft } from './draft.ts'
import { quantitiesAreRight } from './estimate-step.tsx'
import { slotOf, spanOf } from './slot.ts'
import type { KeptDraft } from './use-kept-draft.ts'
import type { Progress } from './use-progress.ts'
import type { Made } from './use-sending.ts'

interface WaysOptions extends Pick<ResourceDialogProps, 'resource' | 'open' | 'close'> {
  guest: boolean
  kept: KeptDraft
  progress: Progress
  booked: Made | undefined
}

/** The booking's navigation: closing, and moving between steps. */
export function useWays({ resource: { id, data }, guest, kept, progress, booked, open, close }: WaysOptions) {
  const { t } = useTexts()
  const { message } = App.useApp()
  /** Whether the reader has tried to leave the estimate: only then are its errors shown. */
  const [tried, setTried] = useState(false)
  const { draft, change } = kept
  const span = spanOf(draft.slot)

  /** Closes, and keeps the input for another time. */
  const leave = () => {
    kept.giveUp()
    if (!booked) kept.keep()
    close()
  }
  const cancel = () => {
    kept.giveUp()
    kept.drop()
    close()
  }
  const take = ({ resource: other, from, until }: Alternative) => {
    progress.clear()
    if (other.id === id) return change({ slot: slotOf({ from, until }) })
    kept.giveUp()
    kept.keep()
    kept.keepFor(other.id, {
      ...emptyDraft,
      slot: slotOf({ from, until }),
      event: draft.event,
      behalf: draft.behalf,
    })
    open('book', other.id)
  }
  const goOn = async () => {
    if (!span) return
    progress.clear()
    await progress.during(async () => {
      try {
        await kept.visited?.givenBack
        change({ hold: await holdSlot({ resource: id, ...span }, guest) })
        progress.toStep(1)
      } catch (error) {
        if (!progress.refused(error)) void message.error(t('platform.error'), shownFor)
      }
    })
  }
  const toEvent = () => {
    setTried(true)
    progress.clear()
    if (quantitiesAreRight(data.amenities ?? [], draft.quantities)) progress.toStep(2)
    else requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-quantity][aria-invalid=true]')?.focus())
  }
  return { leave, cancel, take, goOn, toEvent, tried }
}
