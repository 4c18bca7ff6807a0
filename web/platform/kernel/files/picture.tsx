import { useEffect, useState } from 'react'
import { send } from '../client/client.ts'
import { useTexts } from '../texts/texts.ts'
import css from './picture.module.css'

interface FetchedProps {
  path: string
  /** Media type that is asked for. */
  accept: string
  alt: string
  className?: string | undefined
}

/** An image, fetched with the reader's access token; words in its place if it cannot be shown. */
function Fetched({ path, accept, alt, className }: FetchedProps) {
  const { t } = useTexts()
  const [address, setAddress] = useState<string>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let made: string | undefined
    let left = false
    const read = async () => {
      try {
        const content = await (await send('GET', path, { headers: { accept } })).blob()
        if (left) return
        made = URL.createObjectURL(content)
        setAddress(made)
      } catch {
        setFailed(true)
      }
    }
    void read()
    return () => {
      left = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [path, accept])
  if (failed) return <span className={css['missing']}>{t('platform.picture.failed')}</span>
  return address && <img className={className} src={address} alt={alt} onError={() => setFailed(true)} />
}

/** A picture that somebody has uploaded. */
export function Picture({ id, alt, className }: { id: string; alt: string; className?: string | undefined }) {
  const path = `/api/files/${encodeURIComponent(id)}?size=small`
  return <Fetched path={path} accept="image/*" alt={alt} className={className} />
}

/** A drawing that the server makes (SVG). */
export function Drawing(props: Omit<FetchedProps, 'accept'>) {
  return <Fetched {...props} accept="image/svg+xml" />
}
