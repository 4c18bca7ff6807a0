import { CameraOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../texts/texts.ts'

const PhotoDialog = lazy(() => import('./photo-dialog.tsx'))

interface PhotoButtonProps {
  disabled: boolean
  onTaken(photo: File): void
}

/** Takes a photo with the camera, instead of choosing a file. */
export function PhotoButton({ disabled, onTaken }: PhotoButtonProps) {
  const { t } = useTexts()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<CameraOutlined />} disabled={disabled} onClick={() => setOpen(true)}>
        {t('platform.camera.take')}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <PhotoDialog
            onDone={(photo) => {
              setOpen(false)
              if (photo) onTaken(photo)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
