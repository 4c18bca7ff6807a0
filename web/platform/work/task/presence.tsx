import { useCallback, useEffect, useRef, useState } from 'react'
import { Problem } from '../../kernel/client/client.ts'
import { lookAt, lookAway } from '../../kernel/api/presence.ts'
import type { Task } from '../../kernel/client/types.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './task.module.css'

/** Whoever only passes by on the way through the list is not told of, in milliseconds. */
const dwell = 1_500
/** How often it is said that one still looks; and for how long after a key one is typing. */
const beat = 15_000
const typingFor = 15_000

/**
 * Tells others who look at the same task that the reader does, as long as the page is seen; gives what is to be called
 * when the reader types.
 */
export function usePresence(task: string, wanted: boolean): (at: number) => void {
  const [typing, setTyping] = useState(false)
  const types = useRef(false)
  const tellNow = useRef<() => void>(undefined)
  const stillness = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(stillness.current), [])
  // Said beside the looking, which goes on: a word of leaving could arrive after it, and take it back.
  useEffect(() => {
    types.current = typing
    tellNow.current?.()
  }, [typing])

  useEffect(() => {
    if (!wanted) return
    let told = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      clearTimeout(timer)
      timer = undefined
      if (document.visibilityState === 'hidden') return
      told = true
      lookAt(task, types.current).catch((error: unknown) => {
        // It is a courtesy: who cannot be told of misses nothing.
        if (!(error instanceof Problem)) throw error
      })
      timer = setTimeout(tell, beat)
    }
    const leave = () => {
      clearTimeout(timer)
      timer = undefined
      if (!told) return
      told = false
      lookAway(task).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error
      })
    }
    const turn = () => {
      if (document.visibilityState === 'hidden') leave()
      else if (!timer) tell()
    }
    tellNow.current = tell
    timer = setTimeout(tell, dwell)
    document.addEventListener('visibilitychange', turn)
    window.addEventListener('pagehide', leave)
    return () => {
      document.removeEventListener('visibilitychange', turn)
      window.removeEventListener('pagehide', leave)
      tellNow.current = undefined
      leave()
    }
  }, [task, wanted])

  return useCallback(() => {
    setTyping(true)
    clearTimeout(stillness.current)
    stillness.current = setTimeout(() => setTyping(false), typingFor)
  }, [])
}

/** Who else looks at the task now, in one quiet line. */
export function Looking({ at }: { at: Task['looking'] }) {
  const { t } = useTexts()
  const typing = at.filter((each) => each.typing)
  const others = at.filter((each) => !each.typing)
  const names = (some: Task['looking']) => some.map(({ name }) => name).join(', ')
  return (
    <p className={css['looking']} role="status">
      {typing.length > 0 && (
        <span data-typing="">{t('platform.looking.typing', { count: typing.length, names: names(typing) })}</span>
      )}
      {others.length > 0 && <span>{t('platform.looking.at', { count: others.length, names: names(others) })}</span>}
    </p>
  )
}
