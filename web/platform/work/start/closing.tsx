import { Alert } from 'antd'
import { useEffect, useState } from 'react'
import { Problem } from '../../kernel/client/client.ts'
import { storedAt } from '../../kernel/client/json.ts'
import type { BegunForm } from '../../kernel/client/types.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './start.module.css'

const MINUTE_MS = 60_000
/** Milliseconds before closing from which the page says when it is. */
const SAID_BEFORE_MS = 60 * MINUTE_MS

/** A form that was begun in this tab. */
export interface Begun extends BegunForm {
  /** Milliseconds by which the server's clock is ahead of the browser's. */
  ahead: number
}

const placeOf = (flow: string, item: string) => `prakriya.begun.${flow}.${item}`

/** The time of the server. */
const serverTime = ({ ahead }: Begun) => Date.now() + ahead

/** What this tab has begun and may still send; undefined if there is nothing. */
export function stillBegun(flow: string, item: string): Begun | undefined {
  const begun = storedAt<Begun>(placeOf(flow, item))
  return begun && serverTime(begun) < Date.parse(begun.finishUntil ?? begun.closesAt) ? begun : undefined
}

/**
 * Tells the server that the form about an entry has been begun, once per tab; who has begun may send it some minutes
 * after its closing. Tries again when the line is back.
 */
export function useBegun(
  flow: string,
  item: string | undefined,
  begin: (flow: string, item: string) => Promise<BegunForm>,
): Begun | undefined {
  const [known, setKnown] = useState<{ item: string; begun: Begun }>()
  useEffect(() => {
    if (item === undefined) return undefined
    let gone = false
    const keep = (begun: Begun) => {
      if (!gone) setKnown({ item, begun })
    }
    const tell = async () => {
      const before = stillBegun(flow, item)
      if (before) return keep(before)
      try {
        const answer = await begin(flow, item)
        const begun = { ...answer, ahead: Date.parse(answer.now) - Date.now() }
        sessionStorage.setItem(placeOf(flow, item), JSON.stringify(begun))
        keep(begun)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        console.warn('the server does not know that the form was begun', error)
      }
    }
    const again = () => void tell()
    again()
    window.addEventListener('online', again)
    return () => {
      gone = true
      window.removeEventListener('online', again)
    }
  }, [flow, item, begin])
  return known?.item === item ? known?.begun : undefined
}

/** How much time is left, from an hour before the closing. */
export function ClosingNotice({ begun }: { begun: Begun | undefined }) {
  const { t } = useTexts()
  const { duration, time } = useFormats()
  const [, tick] = useState(0)
  useEffect(() => {
    const ticking = setInterval(() => tick((count) => count + 1), MINUTE_MS / 4)
    return () => clearInterval(ticking)
  }, [])
  if (!begun) return null
  const now = serverTime(begun)
  const closes = Date.parse(begun.closesAt)
  const until = begun.finishUntil === null ? closes : Date.parse(begun.finishUntil)
  if (now < closes - SAID_BEFORE_MS) return null
  const values = { closes: time(closes), until: time(until), left: duration((now < closes ? closes : until) - now) }
  if (now >= until)
    return <Alert className={css['closing']} type="error" role="status" title={t('platform.start.over')} />
  return now < closes ? (
    <Alert
      className={css['closing']}
      type="info"
      role="status"
      title={t('platform.start.closes', values)}
      description={until > closes && t('platform.start.closes-finish', values)}
    />
  ) : (
    <Alert
      className={css['closing']}
      type="warning"
      role="status"
      title={t('platform.start.finish', values)}
      description={t('platform.start.finish-detail', values)}
    />
  )
}
