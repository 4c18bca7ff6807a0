import { useEffect, useState } from 'react'

interface Linked<T> {
  found: T | undefined
  /** Why it could not be read, or was refused later. */
  problem: unknown
  refuse(problem: unknown): void
  retry(): void
}

/** What a mailed link leads to, read when the page opens, and again when `per` changes. */
export function useLinked<T>(look: (token: string) => Promise<T>, token: string, per?: string): Linked<T> {
  const [found, setFound] = useState<T>()
  const [problem, setProblem] = useState<unknown>()
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let stale = false
    look(token).then(
      (seen) => !stale && setFound(seen),
      (error: unknown) => !stale && setProblem(error),
    )
    return () => {
      stale = true
    }
  }, [look, token, per, tries])
  const retry = () => {
    setProblem(undefined)
    setTries(tries + 1)
  }
  return { found, problem, refuse: setProblem, retry }
}
