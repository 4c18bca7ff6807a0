import { useEffect, useMemo, useRef, useState } from 'react'
import { checkModel, type ModelProblem, type Table } from '../../kernel/api/studio.ts'

const afterChange = 600

/** Asks the server to check the drawing, a moment after each change; an older answer never replaces a newer one. */
export function useCheck(process: string, write: () => Promise<string>, tables: { current: Table[] }) {
  const [problems, setProblems] = useState<ModelProblem[]>()
  const [failed, setFailed] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asking = useRef<AbortController>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      asking.current?.abort()
    },
    [],
  )
  const check = useMemo(() => {
    const ask = async () => {
      asking.current?.abort()
      const mine = new AbortController()
      asking.current = mine
      try {
        const answer = await checkModel(process, await write(), tables.current, mine.signal)
        setProblems(answer.problems)
        setFailed(false)
      } catch {
        // The drawing is still saved; the list says that it was not checked.
        if (!mine.signal.aborted) setFailed(true)
      }
    }
    return (delay = afterChange) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void ask(), delay)
    }
  }, [process, write, tables])
  return { problems, check, failed }
}
