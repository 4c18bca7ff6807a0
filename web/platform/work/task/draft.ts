import { useEffect, useEffectEvent, useRef, useState, type Dispatch, type RefObject, type SetStateAction } from 'react'
import { flushSync } from 'react-dom'
import { Problem } from '../../kernel/client/client.ts'
import type { Draft } from '../../kernel/api/drafts.ts'
import type { FormValue } from '../../kernel/form/conditions.ts'
import { useMe } from '../../kernel/session/session.ts'
import { dropKept, keep, keptAt, type KeptIn } from '../../kernel/session/typed.ts'

/** Delay between the last key and saving, in milliseconds; a failed save is retried. */
const pause = 800
const again = 5_000

/** Where drafts are saved. */
export interface DraftPlace {
  /** Names the draft in this tab or browser. */
  key: string
  /** Where it is stored until it is saved; the tab if not said. */
  keptIn?: KeptIn
  /** `version` is the last one that this browser knows; `leaving` outlives the page. */
  save(
    value: FormValue,
    version: number | undefined,
    options: { leaving: boolean },
  ): Promise<{ version: number; savedAt: string }>
  discard(): Promise<void>
}

/**
 * The state of the draft: saved; being saved; only in this tab or browser, because saving failed; here, while another
 * device saved later.
 */
export type SaveState = 'kept' | 'on-its-way' | 'here' | 'changed'

interface State {
  typed: FormValue | undefined
  /** The draft's version and time, as far as this page knows. */
  version: number | undefined
  savedAt: string | undefined
  saveState: SaveState
  tries: number
  /** The answer is being sent, or the task is decided. */
  sent: 'going' | 'gone' | undefined
}

export interface Typing {
  /** The input; undefined if there is none. */
  typed: FormValue | undefined
  saveState: SaveState
  keptIn: KeptIn
  /** When the server last saved it. */
  savedAt: string | undefined
  /** When a key was last pressed here; 0 if never. */
  lastKey: number
  type(value: FormValue): void
  /** Discards the draft, here and on the server. */
  discard(): Promise<void>
  /** Replaces the input with the other device's draft. */
  takeOther(): void
  /** Saves the input over the other device's draft. */
  keepOwn(): void
  /**
   * The answer is about to be sent: stops saving, which the decided task would refuse. Resolves when it may be sent, with
   * the draft's version by then, as far as this page knows.
   */
  answers(): Promise<number | undefined>
  /** The answer was refused: it stays a draft. */
  stays(): void
  /** The answer is sent: it is no longer a draft. */
  sent(): void
}

const isLater = (draft: Draft | null, than: string | undefined): draft is Draft =>
  draft !== null && (than === undefined || Date.parse(draft.savedAt) > Date.parse(than))

/** The initial state: unsaved input of this tab or browser, else the server's draft. */
function beginning(place: string, keptIn: KeptIn, kept: Draft | null): State {
  const here = keptAt<Pick<State, 'typed' | 'version' | 'savedAt'>>(place, keptIn)
  const rest = { tries: 0, sent: undefined }
  if (here) return { typed: here.typed, version: here.version, savedAt: here.savedAt, saveState: 'on-its-way', ...rest }
  return { typed: kept?.data, version: kept?.version, savedAt: kept?.savedAt, saveState: 'kept', ...rest }
}

interface SendingOptions {
  at: DraftPlace
  open: boolean
  now: State
  put: Dispatch<SetStateAction<State>>
  /** The answer itself is being sent. */
  answering: RefObject<boolean>
  reload(): void
}

/** A save in progress; resolves with the version that it made, if it did not fail. */
type Saving = Promise<number | undefined>

/** Saves the input after each pause, on leaving and on reconnect; returns the save in progress. */
function useSending({ at, open, now, put, answering, reload }: SendingOptions): RefObject<Saving | undefined> {
  const saving = useRef<Saving>(undefined)
  const onItsWay = useRef<FormValue>(undefined)
  const { typed, version, saveState, sent, tries } = now
  const unsent = saveState !== 'kept'

  const send = async (value: FormValue, base: number | undefined, leaving: boolean) => {
    try {
      const answer = await at.save(value, base, { leaving })
      // Rendered before the save is over, because whatever is sent next is based on this version.
      flushSync(() =>
        put((before) => ({ ...before, ...answer, saveState: before.typed === value ? 'kept' : before.saveState })),
      )
      return answer.version
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const changed = error.code === 'platform.draft-changed'
      const later = error.status === 0 || error.status >= 500 || error.status === 401 || error.status === 429
      put((before) => ({ ...before, saveState: changed ? 'changed' : 'here', tries: before.tries + (later ? 1 : 0) }))
      // Another device saved, or somebody decided first: reload the task.
      if (!later) reload()
      return undefined
    }
  }
  const flush = useEffectEvent((leaving: boolean) => {
    if (answering.current || !open || sent || typed === undefined || !unsent || saveState === 'changed') return
    // One save at a time, because each needs the version of the one before; who leaves queues the last one.
    const before = saving.current
    if (before && (!leaving || onItsWay.current === typed)) return
    onItsWay.current = typed
    const save: Saving = before
      ? before.then((made) => send(typed, made ?? version, leaving))
      : send(typed, version, leaving)
    saving.current = save
    void save.finally(() => {
      if (saving.current === save) saving.current = undefined
    })
  })

  useEffect(() => {
    if (!open || !unsent) return
    const timer = setTimeout(() => flush(false), saveState === 'here' ? again : pause)
    return () => clearTimeout(timer)
  }, [open, unsent, saveState, typed, version, tries])

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

/** Stores the input while it is not saved, and no longer. */
function useStore(place: string, keptIn: KeptIn, { typed, version, savedAt, saveState }: State, open: boolean): void {
  const unsent = saveState !== 'kept'
  useEffect(() => {
    if (typed !== undefined && (unsent || !open)) keep(place, { typed, version, savedAt }, keptIn)
    else dropKept(place, keptIn)
  }, [place, keptIn, typed, version, savedAt, unsent, open])
}

/**
 * What is typed in a form and not yet sent. Each key press stores it in the tab, so that it survives a reload, a lost
 * connection and an expired session, or in the browser, so that it survives a closed tab, too; each pause and leaving save it on the server for other devices. `kept` is the
 * server's last draft. Unless it is `open` to the reader nothing is sent, and the input stays in the tab.
 */
export function useTyping(at: DraftPlace, kept: Draft | null, open: boolean, reload: () => void): Typing {
  const place = `${useMe().id}.${at.key}`
  const { keptIn = 'tab' } = at
  const [now, put] = useState<State>(() => beginning(place, keptIn, kept))
  const [lastKey, setLastKey] = useState(0)
  const answering = useRef(false)
  const { typed, version, savedAt, saveState, sent } = now
  const unsent = saveState !== 'kept'

  // An undone decision gets its draft back.
  if (sent === 'going' && !open) put({ ...now, sent: 'gone' })
  if (sent === 'gone' && open) put({ ...beginning(place, keptIn, kept) })
  // A draft from another device, while nothing is unsaved here.
  if (!sent && !unsent && isLater(kept, savedAt))
    put({ ...now, typed: kept.data, version: kept.version, savedAt: kept.savedAt })

  useStore(place, keptIn, now, open)

  const saving = useSending({ at, open, now, put, answering, reload })

  return {
    typed: sent ? undefined : typed,
    saveState,
    keptIn,
    savedAt,
    lastKey,
    type(value) {
      setLastKey(Date.now())
      if (sent) answering.current = false
      put((before) => ({
        ...before,
        typed: value,
        saveState: before.saveState === 'changed' ? 'changed' : 'on-its-way',
        sent: undefined,
      }))
    },
    async discard() {
      await saving.current
      if (savedAt !== undefined) await at.discard()
      dropKept(place, keptIn)
      put((before) => ({ ...before, typed: undefined, version: undefined, saveState: 'kept' }))
    },
    takeOther: () => kept && put({ ...now, ...keptAs(kept), saveState: 'kept' }),
    keepOwn: () => put({ ...now, version: kept?.version, savedAt: kept?.savedAt, saveState: 'on-its-way' }),
    async answers() {
      answering.current = true
      return (await saving.current) ?? version
    },
    stays() {
      answering.current = false
    },
    sent() {
      dropKept(place, keptIn)
      put((before) => ({
        ...before,
        typed: undefined,
        version: undefined,
        savedAt: undefined,
        saveState: 'kept',
        sent: 'going',
      }))
    },
  }
}

const keptAs = ({ data, version, savedAt }: Draft) => ({ typed: data as FormValue, version, savedAt })
