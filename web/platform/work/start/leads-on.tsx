import { useEffect, useState } from 'react'
import useSWR from 'swr'
import { useLocation } from 'wouter'
import { readMe } from '../../kernel/api/me.ts'
import type { Problem } from '../../kernel/client/client.ts'
import type { Me } from '../../kernel/client/types.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './apply.module.css'

/** Interval between checks whether the address is confirmed, in milliseconds. */
const CHECK_EVERY_MS = 5000

/** Leads on to a page some seconds after the reader has confirmed their address, in this window or another. */
export function LeadsOn({ text, to, after }: { text: string; to: string; after: number }) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const [left, setLeft] = useState(after)
  const { data } = useSWR<Me, Problem>('address-confirmed', readMe, { refreshInterval: CHECK_EVERY_MS })
  const confirmed = data?.emailConfirmed === true
  useEffect(() => {
    if (!confirmed) return undefined
    if (left === 0) {
      navigate(to)
      return undefined
    }
    const waiting = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(waiting)
  }, [confirmed, left, navigate, to])
  return (
    <p role="status" className={css['about']}>
      {confirmed && t(text, { seconds: left })}
    </p>
  )
}
