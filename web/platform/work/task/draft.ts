import { useEffect, useEffectEvent, useRef, useState, type Dispatch, type RefObject, type SetStateAction } from 'react'
import { Problem } from '../../kernel/client/client.ts'
import { discardDraft, saveDraft, type Draft } from '../../kernel/api/drafts.ts'
import type { FormValue } from '../../kernel/form/conditions.ts'
import { dropKept, keep, keptAt } from '../../kernel/form/kept.ts'
import { useMe } from '../../kernel/session/session.ts'

/** What is typed goes to the server after so long a pause, in milliseconds; what did not arrive is sent again. */
const pause = 800
const again = 5_000

/**
 * Where what is typed is kept: by the server; on its way there; in this tab alone, because it could not be sent; here,
 * while another device has kept something later.
 */
export type Standing = 'kept' | 'on-its-way' | 'here' | 'changed'

interface State {
  typed: FormValue | undefined
  /** The draft's version and time, as far as this page knows. */
  version: number | undefined
  savedAt: string | undefined
  standing: Standing
  tries: number
  /** The answer was sent: on its way out, or gone. */
  sent: 'going' | 'gone' | undefined
}

export interface Typing {
  /** What was typed; undefined where nothing was. */
  typed: FormValue | undefined
  standing: Standing
  /** When the server last kept it. */
  savedAt: string | undefined
  /** When a key was last pressed here; 0 if never. */
  lastKey: number
  type(value: FormValue): void
  /** Forgets what was typed, here and on the server. */
  discard(): Promise<void>
  /** Shows what the other device has kept in the place of what stands here. */
  takeOther(): void
  /** Keeps what stands here, over what the other device has kept. */
  keepOwn(): void
  /** The answer is on its way: nothing is kept beside it, which the decided task would refuse. Settles when it may go. */
  answers(): Promise<void>
  /** The answer was not taken: it goes on as a draft. */
  stays(): void
  /** The answer is sent: it is no draft any more. */
  sent(): void
}

const isLater = (draft: Draft | null, than: string | undefined): draft is Draft =>
  draft !== null && (than === undefined || Date.parse(draft.savedAt) > Date.parse(than))

/** What a page begins with: what this tab still has to send, or else what the server has. */
function beginning(place: string, kept: Draft | null): State {
  const here = keptAt<Pick<State, 'typed' | 'version' | 'savedAt'>>(place)
  const rest = { tries: 0, sent: undefined }
  if (here) return { typed: here.typed, version: here.version, savedAt: here.savedAt, standing: 'on-its-way', ...rest }
  return { typed: kept?.data, version: kept?.version, savedAt: kept?.savedAt, standing: 'kept', ...rest }
}

interface SendingOptions {
  task: string
  open: boolean
  now: State
  put: Dispatch<SetStateAction<State>>
  /** The answer itself is on its way. */
  answering: RefObject<boolean>
  reload(): void
}

/** Sends what is typed after each pause, on leaving and when there is a line again; gives the sending that is under way. */
function useSending({ task, open, now, put, answering, reload }: SendingOptions): RefObject<Promise<void> | undefined> {
  const saving = useRef<Promise<void>>(undefined)
  const onItsWay = useRef<FormValue>(undefined)
  const { typed, version, standing, sent, tries } = now
  const unsent = standing !== 'kept'

  const send = async (value: FormValue, leaving: boolean) => {
    try {
      const answer = await saveDraft(task, value, version, { leaving })
      put((before) => ({ ...before, ...answer, standing: before.typed === value ? 'kept' : before.standing }))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const changed = error.code === 'platform.draft-changed'
      const later = error.status === 0 || error.status >= 500 || error.status === 401 || error.status === 429
      put((before) => ({ ...before, standing: changed ? 'changed' : 'here', tries: before.tries + (later ? 1 : 0) }))
      // Another device, or somebody who was faster: the task itself tells.
      if (!later) reload()
    }
  }
  const flush = useEffectEvent((leaving: boolean) => {
    if (answering.current || !open || sent || typed === undefined || !unsent || standing === 'changed') return
    // One after the other, or the second would name a version that the first has made old; nobody waits when leaving.
    if (saving.current && (!leaving || onItsWay.current === typed)) return
    onItsWay.current = typed
    saving.current = send(typed, leaving).finally(() => (saving.current = undefined))
  })

  useEffect(() => {
    if (!open || !unsent) return
    const timer = setTimeout(() => flush(false), standing === 'here' ? again : pause)
    return () => clearTimeout(timer)
  }, [open, unsent, standing, typed, version, tries])

  useEffect(() => {
    const hide = () => document.visibilityState === 'hidden' && flush(true)
    const leave = () => flush(true)
    const back = () => flush(false)
    document.addEventListener('visibilitychange', hide)
    window.addEventListener('pagehide', leave)
    window.addEventListener('online', back)
    return () => {
      document.removeEventListener('visibilitychange', hide)
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('online', back)
      flush(true)
    }
  }, [])

  return saving
}

/**
 * What somebody types as an answer to a task. It is in the tab with every key, so that it outlives a reload, a lost
 * connection and a session that ran out; and on the server whenever they pause or leave, so that another device finds it.
 * `kept` is what the server said last. While it is not `open` to the reader's decision nothing is sent, and what was typed
 * stays in the tab.
 */
export function useTyping(task: string, kept: Draft | null, open: boolean, reload: () => void): Typing {
  const place = `${useMe().id}.${task}`
  const [now, put] = useState<State>(() => beginning(place, kept))
  const [lastKey, setLastKey] = useState(0)
  const answering = useRef(false)
  const { typed, version, savedAt, standing, sent } = now
  const unsent = standing !== 'kept'

  // Taken back after it was sent, it is found again.
  if (sent === 'going' && !open) put({ ...now, sent: 'gone' })
  if (sent === 'gone' && open) put({ ...beginning(place, kept) })
  // From another device, while nothing waits here.
  if (!sent && !unsent && isLater(kept, savedAt))
    put({ ...now, typed: kept.data, version: kept.version, savedAt: kept.savedAt })

  useEffect(() => {
    if (typed !== undefined && (unsent || !open)) keep(place, { typed, version, savedAt })
    else dropKept(place)
  }, [place, typed, version, savedAt, unsent, open])

  const saving = useSending({ task, open, now, put, answering, reload })

  return {
    typed: sent ? undefined : typed,
    standing,
    savedAt,
    lastKey,
    type(value) {
      setLastKey(Date.now())
      if (sent) answering.current = false
      put((before) => ({
        ...before,
        typed: value,
        standing: before.standing === 'changed' ? 'changed' : 'on-its-way',
        sent: undefined,
      }))
    },
    async discard() {
      await saving.current
      if (savedAt !== undefined) await discardDraft(task)
      dropKept(place)
      put((before) => ({ ...before, typed: undefined, version: undefined, standing: 'kept' }))
    },
    takeOther: () => kept && put({ ...now, ...keptAs(kept), standing: 'kept' }),
    keepOwn: () => put({ ...now, version: kept?.version, savedAt: kept?.savedAt, standing: 'on-its-way' }),
    async answers() {
      answering.current = true
      await saving.current
    },
    stays() {
      answering.current = false
    },
    sent() {
      dropKept(place)
      put((before) => ({
        ...before,
        typed: undefined,
        version: undefined,
        savedAt: undefined,
        standing: 'kept',
        sent: 'going',
      }))
    },
  }
}

const keptAs = ({ data, version, savedAt }: Draft) => ({ typed: data as FormValue, version, savedAt })
