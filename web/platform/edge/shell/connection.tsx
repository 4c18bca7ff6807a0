import { useState, useSyncExternalStore } from 'react'
import { useConnection } from '../../kernel/live/live.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './shell.module.css'

const subscribe = (listener: () => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** One line above the page while the connection is lost: since when, and what still works. */
export function ConnectionNotice() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  const connection = useConnection()
  if (online && connection !== 'lost') return null
  return <Notice key={String(online)} state={online ? 'lost' : 'offline'} />
}

function Notice({ state }: { state: 'lost' | 'offline' }) {
  const { t } = useTexts()
  const { time } = useFormats()
  const [since] = useState(() => Date.now())
  return (
    <output className={css['notice']}>
      <strong>{t(`platform.connection.${state}`)}</strong>{' '}
      {t(`platform.connection.${state}-detail`, { time: time(since) })}
    </output>
  )
}
