import { Button, Input, Modal } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import SignaturePad from 'signature_pad'
import { useTexts } from '../texts/texts.ts'
import css from './signature-dialog.module.css'

/** The largest size of a typed name, in pixels of the page. */
const LETTERS = 40

interface SignatureDialogProps {
  /** With the signature; undefined if the reader cancels. */
  onDone(signature: File | undefined): void
}

/** Lets people sign with a finger, a pen or a mouse; who cannot draw types the name. */
export default function SignatureDialog({ onDone }: SignatureDialogProps) {
  const { t } = useTexts()
  const [pad, setPad] = useState<{ strokes: SignaturePad; area: HTMLCanvasElement }>()
  const [signed, setSigned] = useState(false)
  const [name, setName] = useState('')
  const nameId = useId()
  const typed = useRef(false)

  const write = (text: string) => {
    setName(text)
    setSigned(text.trim() !== '')
    typed.current = text.trim() !== ''
    pad?.strokes.clear()
    if (pad) writeOn(pad.area, text.trim())
  }
  const begin = () => {
    // Who draws after all does not sign across the typed name.
    if (typed.current) write('')
    setSigned(true)
  }

  return (
    <Modal
      open
      title={t('platform.signature.sign')}
      okText={t('platform.signature.use')}
      cancelText={t('platform.cancel')}
      okButtonProps={{ disabled: !signed }}
      onOk={() => void (pad && pictureOf(pad.area).then(onDone))}
      onCancel={() => onDone(undefined)}
    >
      <p>{t('platform.signature.help')}</p>
      <Pad onReady={setPad} onBegin={begin} />
      <Button disabled={!signed} onClick={() => write('')}>
        {t('platform.signature.clear')}
      </Button>
      <div className={css['name']}>
        <label htmlFor={nameId}>{t('platform.signature.name')}</label>
        <Input id={nameId} value={name} maxLength={80} onChange={(event) => write(event.target.value)} />
      </div>
    </Modal>
  )
}

interface PadProps {
  onReady(pad: { strokes: SignaturePad; area: HTMLCanvasElement }): void
  onBegin(): void
}

/** The area to sign in; what is drawn keeps its place when a phone is turned. */
function Pad({ onReady, onBegin }: PadProps) {
  const { t } = useTexts()
  const canvas = useRef<HTMLCanvasElement>(null)
  const present = useRef({ onReady, onBegin })
  useEffect(() => {
    present.current = { onReady, onBegin }
  })
  useEffect(() => {
    const area = canvas.current
    if (!area) return undefined
    const strokes = new SignaturePad(area, { backgroundColor: '#fff', penColor: '#000' })
    const fit = () => {
      const drawn = strokes.toData()
      const ratio = Math.max(1, window.devicePixelRatio)
      area.width = area.offsetWidth * ratio
      area.height = area.offsetHeight * ratio
      area.getContext('2d')?.scale(ratio, ratio)
      strokes.fromData(drawn)
    }
    const begin = () => present.current.onBegin()
    fit()
    strokes.addEventListener('beginStroke', begin)
    window.addEventListener('resize', fit)
    present.current.onReady({ strokes, area })
    return () => {
      strokes.off()
      strokes.removeEventListener('beginStroke', begin)
      window.removeEventListener('resize', fit)
    }
  }, [])
  return <canvas ref={canvas} className={css['pad']} role="img" aria-label={t('platform.signature.area')} />
}

/** Writes a name where others sign, as large as it fits. */
function writeOn(area: HTMLCanvasElement, name: string): void {
  const context = area.getContext('2d')
  if (!context) return
  const { fontFamily } = getComputedStyle(area)
  const [width, height] = [area.offsetWidth, area.offsetHeight]
  context.font = `italic ${LETTERS}px ${fontFamily}`
  const size = Math.min(LETTERS, (LETTERS * width * 0.9) / Math.max(1, context.measureText(name).width))
  context.font = `italic ${size}px ${fontFamily}`
  context.fillStyle = '#000'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(name, width / 2, height / 2)
}

/** What is in the area, as a PNG. */
async function pictureOf(area: HTMLCanvasElement): Promise<File> {
  const content = await new Promise<Blob | null>((done) => area.toBlob(done, 'image/png'))
  if (!content) throw new Error('the browser gives no picture')
  return new File([content], 'signature.png', { type: 'image/png' })
}
