import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { send } from '../client/client.ts'
import { useTexts } from '../texts/texts.ts'
import { FileLink } from './file-link.tsx'
import css from './file-preview.module.css'

interface FilePreviewProps {
  id: string
  name: string
  contentType: string
  size: number
}

/** A file by name with a preview: pictures below it, a PDF in a new window. */
export function FilePreview(file: FilePreviewProps) {
  const { t } = useTexts()
  const [address, setAddress] = useState<string>()
  const [failed, setFailed] = useState<'platform.file.failed' | 'platform.picture.failed'>()
  const isPicture = file.contentType.startsWith('image/')
  useEffect(() => () => URL.revokeObjectURL(address ?? ''), [address])

  const read = async () => {
    const path = `/api/files/${encodeURIComponent(file.id)}`
    const answer = await send('GET', path, { headers: { accept: file.contentType } })
    return new Blob([await answer.arrayBuffer()], { type: file.contentType })
  }
  const look = async () => {
    setFailed(undefined)
    // Browsers open a window only during the click, not after the download.
    const view = isPicture ? null : window.open('', '_blank')
    try {
      const made = URL.createObjectURL(await read())
      setAddress(made)
      if (view) view.location.href = made
    } catch {
      view?.close()
      setFailed('platform.file.failed')
    }
  }

  return (
    <>
      <FileLink {...file} />{' '}
      {(isPicture || file.contentType === 'application/pdf') && !(isPicture && address) && (
        <Button
          size="small"
          aria-label={t('platform.file.look-named', { name: file.name })}
          onClick={() => void look()}
        >
          {t('platform.file.look')}
        </Button>
      )}
      {failed && <span role="alert"> {t(failed)}</span>}
      {isPicture && address && !failed && (
        <img
          className={css['picture']}
          src={address}
          alt={file.name}
          onError={() => setFailed('platform.picture.failed')}
        />
      )}
    </>
  )
}
