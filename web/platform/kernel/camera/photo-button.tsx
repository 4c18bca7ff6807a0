import { lazy } from 'react'
import { useTexts } from '../texts/texts.ts'
import { CameraButton } from './camera-button.tsx'

const PhotoDialog = lazy(() => import('./photo-dialog.tsx'))

interface PhotoButtonProps {
  disabled: boolean
  onTaken(photo: File): void
}

/** Takes a photo with the camera, instead of choosing a file. */
export function PhotoButton({ disabled, onTaken }: PhotoButtonProps) {
  const { t } = useTexts()
  return (
    <CameraButton
      label={t('platform.camera.take')}
      disabled={disabled}
      dialog={(close) => (
        <PhotoDialog
          onDone={(photo) => {
            close()
            if (photo) onTaken(photo)
          }}
        />
      )}
    />
  )
}
