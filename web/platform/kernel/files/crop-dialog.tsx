import { Modal, Slider } from 'antd'
import { useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { useTexts } from '../texts/texts.ts'
import css from './crop-dialog.module.css'

/** How a picture is cut: its shape, and the most pixels that are kept. */
export interface CropSize {
  width: number
  height: number
}

interface CropDialogProps {
  file: File
  /** The object URL of the file. */
  address: string
  size: CropSize
  /** With the cut picture; undefined if the reader cancels. */
  onDone(cut: File | undefined): void
}

/** Lets people choose the part of a picture that is sent: by dragging, with the arrow keys, and with a slider. */
export default function CropDialog({ file, address, size, onDone }: CropDialogProps) {
  const { t } = useTexts()
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area>()
  const [failed, setFailed] = useState(false)

  const cut = async () => {
    if (!area) return
    try {
      onDone(await cutOut(file, area, size))
    } catch {
      setFailed(true)
    }
  }

  return (
    <Modal
      open
      title={t('platform.crop.title')}
      okText={t('platform.crop.done')}
      cancelText={t('platform.cancel')}
      okButtonProps={{ disabled: !area }}
      onOk={() => void cut()}
      onCancel={() => onDone(undefined)}
    >
      <p>{t('platform.crop.help', { width: size.width, height: size.height })}</p>
      <div className={css['area']}>
        <Cropper
          image={address}
          crop={crop}
          zoom={zoom}
          aspect={size.width / size.height}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_share, pixels) => setArea(pixels)}
          mediaProps={{ alt: file.name, onError: () => setFailed(true) }}
        />
      </div>
      <Slider
        min={1}
        max={4}
        step={0.1}
        value={zoom}
        onChange={setZoom}
        tooltip={{ open: false }}
        ariaLabelForHandle={t('platform.crop.zoom')}
      />
      {failed && <p role="alert">{t('platform.crop.failed', { name: file.name })}</p>}
    </Modal>
  )
}

/** The chosen part as a JPEG, with at most the wanted pixels. Throws if the browser cannot read the picture. */
async function cutOut(file: File, area: Area, size: CropSize): Promise<File> {
  const scale = Math.min(1, size.width / area.width)
  const [width, height] = [Math.round(area.width * scale), Math.round(area.height * scale)]
  const picture = await createImageBitmap(file)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('the browser has no canvas')
  context.drawImage(picture, area.x, area.y, area.width, area.height, 0, 0, width, height)
  picture.close()
  const content = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })
  return new File([content], file.name.replace(/\.\w+$/, '.jpg'), { type: 'image/jpeg' })
}
