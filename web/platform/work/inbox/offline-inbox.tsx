import { Button } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import { useNow } from '../../kernel/clock/now.ts'
import type { KeptList } from './kept-list.ts'
import { lastSignedIn } from '../../kernel/session/last.ts'
import { startSession } from '../../kernel/session/session.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { kept } from '../offline/kept.ts'
import css from './offline-inbox.module.css'

/** How often to retry the connection, in milliseconds. */
const retryEvery = 5000

/** The inbox as last seen on this device, read-only; `otherwise` if there is none. */
export default function OfflineInbox({ otherwise }: { otherwise: ReactNode }) {
  const { t } = useTexts()
  const { moment, count, waited, due } = useFormats()
  const now = useNow()
  const [list, setList] = useState<KeptList | null>()
  useEffect(() => {
    const account = lastSignedIn()
    const read = account ? kept<KeptList>(account) : Promise.resolve(undefined)
    void read.then((found) => setList(found ?? null))
  }, [])
  useEffect(() => {
    const again = () => void startSession(true)
    // Browsers do not report every reconnect.
    const timer = setInterval(again, retryEvery)
    window.addEventListener('online', again)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', again)
    }
  }, [])
  if (list === undefined) return <Skeleton lines={6} />
  if (list === null) return otherwise
  return (
    <div className={css['page']}>
      <p className={css['notice']} role="status">
        <strong>{t('platform.offline.as-of', { moment: moment(list.at) })}</strong> {t('platform.offline.detail')}{' '}
        <Button size="small" onClick={() => void startSession(true)}>
          {t('platform.trouble.retry')}
        </Button>
      </p>
      <h1>
        {t(`platform.inbox.queue.${list.queue}`)} {list.count && <span>{count(list.count)}</span>}
      </h1>
      {list.rows.length === 0 ? (
        <p>{t(`platform.inbox.empty.${list.queue}`)}</p>
      ) : (
        <ol>
          {list.rows.map((row) => (
            <li key={row.id}>
              <strong>{row.title}</strong>
              <span>
                {row.requester.name} · {row.name} · {row.reference}
              </span>
              <em>{row.dueAt ? due(row.dueAt, now).text : waited(row.createdAt, now)}</em>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
