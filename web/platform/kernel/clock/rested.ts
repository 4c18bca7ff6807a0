import { useEffect, useState } from 'react'

/** What is typed, once it has rested for a moment. */
export function useRested(typed: string): string {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), 250)
    return () => clearTimeout(timer)
  }, [typed])
  return rested
}
