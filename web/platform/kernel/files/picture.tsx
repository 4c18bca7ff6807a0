import { useEffect, useState } from 'react'
import { send } from '../client/client.ts'
import { useTexts } from '../texts/texts.ts'
import css from './picture.module.css'

/** A picture, fetched with the reader's access token; words in its place if it cannot be shown. */
export function Picture({ id, alt }: { id: string; alt: string }) {
  const { t } = useTexts()
  const [address, setAddress] = useState<string>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let made: string | undefined
    let left = false
    const read = async () => {
      try {
        const path = `/api/files/${encodeURIComponent(id)}?size=small`
        const content = await (await send('GET', path, { headers: { accept: 'image/*' } })).blob()
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
  }, [id])
  if (failed) return <span className={css['missing']}>{t('platform.picture.failed')}</span>
  return address && <img src={address} alt={alt} onError={() => setFailed(true)} />
}
