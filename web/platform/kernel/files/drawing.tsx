import { useEffect, useState } from 'react'
import { send } from '../client/client.ts'
import { useTexts } from '../texts/texts.ts'
import css from './picture.module.css'

/** A drawing that the server makes (SVG), fetched with the reader's access token; words if it cannot be shown. */
export function Drawing({ path, alt, className }: { path: string; alt: string; className?: string | undefined }) {
  const { t } = useTexts()
  const [address, setAddress] = useState<string>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let made: string | undefined
    let left = false
    const read = async () => {
      try {
        const content = await (await send('GET', path, { headers: { accept: 'image/svg+xml' } })).blob()
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
  }, [path])
  if (failed) return <span className={css['missing']}>{t('platform.picture.failed')}</span>
  return address && <img className={className} src={address} alt={alt} onError={() => setFailed(true)} />
}
