import { useEffect, useState } from 'react'

/** The typed text, once typing pauses. */
export function useDebounced(typed: string): string {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), 250)
    return () => clearTimeout(timer)
  }, [typed])
  return rested
}
