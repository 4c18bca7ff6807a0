import { useEffect, useRef, useState } from 'react'
import { discardStartDraft, saveStartDraft, startDraftIsGone } from '../../kernel/api/start-drafts.ts'
import { Problem } from '../../kernel/client/client.ts'
import { newKey } from '../../kernel/client/key.ts'
import { storedAt } from '../../kernel/client/json.ts'
import type { Flow } from '../../kernel/client/types.ts'
import { startingValue, type FormValue } from '../../kernel/form/conditions.ts'
import { useMe } from '../../kernel/session/session.ts'

/** Initial values: `given` without a draft, `chosen` even with one, because a link has named it. */
export interface Initial {
  given: FormValue
  chosen: FormValue
}

interface Draft {
  key: string
  value: FormValue
  /** What the link had named: the reader has seen it, and may have changed it since. */
  named?: FormValue
}

/** Delay between the last key and saving, in milliseconds. */
const pause = 800

/** The key of what is typed in this tab. */
export const placeOf = (person: string, hash: string) => `prakriya.draft.${person}.${hash}`

/** What was typed here, or else kept; what the link names counts until it has been seen. */
function draftOf(here: Draft | undefined, kept: FormValue, { given, chosen }: Initial): Draft {
  const { key, value } = here ?? { key: newKey(), value: kept }
  const isSeen = JSON.stringify(here?.named) === JSON.stringify(chosen)
  return { key, named: chosen, value: { ...given, ...value, ...(isSeen ? {} : chosen) } }
}

/**
 * Unsent input. It survives a reload and a new sign-in in this tab; each pause saves it on the server for other days
 * and devices.
 */
export function useDraft(flow: Flow, kept: FormValue | undefined, { given, chosen }: Initial) {
  const place = placeOf(useMe().id, flow.form.hash)
  const [draft, setDraft] = useState<Draft>(() => {
    const here = storedAt<Draft>(place)
    return draftOf(here, kept ?? startingValue(flow.form.schema), { given, chosen })
  })
  const [saveState, setSaveState] = useState<'none' | 'typed' | 'kept' | 'here'>(kept ? 'kept' : 'none')
  const [sending, setSending] = useState(false)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const saving = useRef<Promise<void>>(Promise.resolve())
  const keep = (next: Draft) => {
    sessionStorage.setItem(place, JSON.stringify(next))
    setDraft(next)
  }
  useEffect(() => {
    if (saveState !== 'typed' || sending) return
    const save = async () => {
      try {
        await saveStartDraft(flow.flow, draft.value)
        setSaveState('kept')
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        setSaveState('here')
      }
    }
    waiting.current = setTimeout(() => {
      saving.current = save()
    }, pause)
    return () => clearTimeout(waiting.current)
  }, [saveState, sending, draft.value, flow.flow])
  return {
    ...draft,
    saveState,
    change: (value: FormValue) => {
      keep({ ...draft, value })
      setSaveState('typed')
    },
    /** Stops saving before sending: a later save would leave a draft of what was sent. */
    async hold() {
      setSending(true)
      clearTimeout(waiting.current)
      await saving.current
    },
    /** Sending failed; after a refusal the next attempt is a new request with a new key. */
    goOn: (refused: boolean) => {
      if (refused) keep({ ...draft, key: newKey() })
      setSending(false)
    },
    forget: () => {
      startDraftIsGone(flow.flow)
      setSaveState('none')
      sessionStorage.removeItem(place)
    },
    async discard() {
      await discardStartDraft(flow.flow)
      sessionStorage.removeItem(place)
      setDraft({ key: newKey(), named: chosen, value: { ...given, ...startingValue(flow.form.schema), ...chosen } })
      setSaveState('none')
    },
  }
}
