import { Link } from 'wouter'
import { useRead } from '../api/read.ts'
import type { Count } from '../client/types.ts'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'

interface WaitingNumberProps {
  /** Text key. */
  title: string
  /** The answer with the number, and the number in it. */
  path: string
  countIn(answer: unknown): Count
  /** The list that it counts. */
  leadsTo: string
  className?: string | undefined
  /** Text key of what is said below, if there are none. */
  none?: string
  /** Nothing is shown if there are none. */
  whenSome?: boolean | undefined
}

/** How much waits in a list, as a row that leads to it. */
export function WaitingNumber({ title, path, countIn, leadsTo, className, none, whenSome }: WaitingNumberProps) {
  const { t } = useTexts()
  const { count } = useFormats()
  const { data, error } = useRead<unknown>(path)
  const found = data === undefined ? undefined : countIn(data)
  if (whenSome && !found?.value) return null
  return (
    <li>
      <Link href={leadsTo} className={className}>
        <strong>{t(title)}</strong>
        <em>{found ? (found.more ? count(found) : found.value) : error ? '–' : '…'}</em>
        {none !== undefined && found?.value === 0 && <span>{t(none)}</span>}
      </Link>
    </li>
  )
}
