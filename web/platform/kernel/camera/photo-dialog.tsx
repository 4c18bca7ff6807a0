import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { useCamera, type Facing } from './use-camera.ts'
import { Viewfinder } from './viewfinder.tsx'

interface PhotoDialogProps {
  /** With the photo; undefined if the reader cancels. */
  onDone(photo: File | undefined): void
}

/** Takes a photo with the camera that looks away from the reader, or with the one that looks at them. */
export default function PhotoDialog({ onDone }: PhotoDialogProps) {
  const { t } = useTexts()
  const [facing, setFacing] = useState<Facing>('environment')
  const camera = useCamera(facing)
  const { video, isOn } = camera
  const shoot = async () => {
    if (video.current) onDone(await photoOf(video.current))
  }
  return (
    <Modal
      open
      title={t('platform.camera.take')}
      okText={t('platform.camera.shoot')}
      cancelText={t('platform.cancel')}
      okButtonProps={{ disabled: !isOn }}
      onOk={() => void shoot()}
      onCancel={() => onDone(undefined)}
    >
      <p>{t('platform.camera.take-help')}</p>
      <Viewfinder camera={camera} facing={facing}>
        <Button onClick={() => setFacing(facing === 'user' ? 'environment' : 'user')}>
          {t('platform.camera.other')}
        </Button>
      </Viewfinder>
    </Modal>
  )
}

/** What the camera shows, as a JPEG. */
async function photoOf(video: HTMLVideoElement): Promise<File> {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight)
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  const content = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 })
  return new File([content], 'photo.jpg', { type: 'image/jpeg' })
}
