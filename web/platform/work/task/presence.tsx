import { useCallback, useEffect, useRef, useState } from 'react'
import { Problem } from '../../kernel/client/client.ts'
import { lookAt, lookAway } from '../../kernel/api/presence.ts'
import type { Task } from '../../kernel/client/types.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './task.module.css'

/** Shorter views are not reported, in milliseconds. */
const dwell = 1_500
/** Interval of the reports; and how long a key press counts as typing, both in milliseconds. */
const beat = 15_000
const typingFor = 15_000

/**
 * Reports to others at the same task that the reader is there, while the page is visible; returns a function to call
 * when the reader types.
 */
export function usePresence(task: string, wanted: boolean): (at: number) => void {
  const [typing, setTyping] = useState(false)
  const types = useRef(false)
  const tellNow = useRef<() => void>(undefined)
  const stillness = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(stillness.current), [])
  // Reports typing without leaving first: the leave request could arrive later and end the view.
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
        // Presence is optional: nothing depends on it.
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

/** Who else views the task now, in one line. */
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
