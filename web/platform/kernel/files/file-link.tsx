import { Button } from 'antd'
import { useState } from 'react'
import { send } from '../client/client.ts'
import { useTexts } from '../texts/texts.ts'
import { save } from './save.ts'

/** `1.4 MB`. */
export const sizeInWords = (bytes: number): string =>
  bytes >= 1_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`

/** Characters of a file's name that are shown. */
const SHOWN = 25
const shortened = (name: string): string => (name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name)

/** A file by name; it is fetched with the reader's access token, so a copied address opens nothing. */
export function FileLink({ id, name, size }: { id: string; name?: string; size?: number }) {
  const { t } = useTexts()
  const [failed, setFailed] = useState(false)
  const shown = name ?? t('platform.file')

  const open = async () => {
    setFailed(false)
    try {
      const content = await (
        await send('GET', `/api/files/${encodeURIComponent(id)}`, { headers: { accept: '*/*' } })
      ).blob()
      save(shown, content)
    } catch {
      setFailed(true)
    }
  }
  return (
    <>
      <Button type="link" style={{ padding: 0, height: 'auto' }} title={shown} onClick={() => void open()}>
        {shortened(shown)}
      </Button>
      {size !== undefined && ` ${sizeInWords(size)}`}
      {failed && ` · ${t('platform.file.failed')}`}
    </>
  )
}
