import { Alert, Button, Input, Modal } from 'antd'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import SignaturePad, { type PointGroup } from 'signature_pad'
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
  const [pad, setPad] = useState<Area>()
  const [signed, setSigned] = useState(false)
  const [name, setName] = useState('')
  const [failed, setFailed] = useState(false)
  const nameId = useId()
  const taken = useRef(false)

  const write = (text: string) => {
    setName(text)
    setSigned(text.trim() !== '')
    pad?.write(text.trim())
  }
  const begin = () => {
    // Who draws after all does not sign across the typed name.
    setName('')
    setSigned(true)
  }
  const use = async (area: HTMLCanvasElement) => {
    // A second tap sends nothing.
    if (taken.current) return
    taken.current = true
    setFailed(false)
    try {
      onDone(await pictureOf(area))
    } catch {
      setFailed(true)
      taken.current = false
    }
  }

  return (
    <Modal
      open
      title={t('platform.signature.sign')}
      okText={t('platform.signature.use')}
      cancelText={t('platform.cancel')}
      okButtonProps={{ disabled: !signed }}
      onOk={() => void (pad && use(pad.area))}
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
      {failed && <Alert type="error" role="alert" title={t('platform.signature.failed')} />}
    </Modal>
  )
}

interface Area {
  area: HTMLCanvasElement
  /** Writes a name in place of what is there; an empty one leaves the area blank. */
  write(name: string): void
}

interface PadProps {
  onReady(pad: Area): void
  onBegin(): void
}

/** The area to sign in; what is drawn or written keeps its place when a phone is turned. */
function Pad({ onReady, onBegin }: PadProps) {
  const { t } = useTexts()
  const canvas = useRef<HTMLCanvasElement>(null)
  const ready = useEffectEvent(onReady)
  const begins = useEffectEvent(onBegin)
  useEffect(() => {
    const area = canvas.current
    if (!area) return undefined
    const strokes = new SignaturePad(area, { backgroundColor: '#fff', penColor: '#000' })
    let [name, drawing] = ['', false]
    // As it was drawn: however often the phone is turned, nothing is cut and nothing shrinks.
    let drawn: Drawing = { groups: [], width: 1, height: 1 }
    let size = { width: 1, height: 1 }
    const fit = () => {
      const ratio = Math.max(1, window.devicePixelRatio)
      const [width, height] = [area.offsetWidth, area.offsetHeight]
      const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)]
      // Another size would end the stroke that is being drawn: the area gets it afterwards.
      if (drawing || (area.width === across && area.height === down)) return
      size = { width, height }
      area.width = across
      area.height = down
      area.getContext('2d')?.scale(ratio, ratio)
      strokes.fromData(within(drawn, width, height))
      if (name) writeOn(area, name)
    }
    const write = (text: string) => {
      name = text
      drawn = { ...drawn, groups: [] }
      strokes.clear()
      writeOn(area, name)
    }
    const begin = () => {
      drawing = true
      // To clear the pad itself would end the stroke that begins.
      if (name) blank(area)
      name = ''
      begins()
    }
    const end = () => {
      drawing = false
      drawn = { groups: strokes.toData().slice(), ...size }
      fit()
    }
    fit()
    strokes.addEventListener('beginStroke', begin)
    strokes.addEventListener('endStroke', end)
    const sizes = new ResizeObserver(fit)
    sizes.observe(area)
    window.addEventListener('resize', fit)
    ready({ area, write })
    return () => {
      strokes.off()
      strokes.removeEventListener('beginStroke', begin)
      strokes.removeEventListener('endStroke', end)
      sizes.disconnect()
      window.removeEventListener('resize', fit)
    }
  }, [])
  return <canvas ref={canvas} className={css['pad']} role="img" aria-label={t('platform.signature.area')} />
}

interface Drawing {
  groups: readonly PointGroup[]
  width: number
  height: number
}

/** What was drawn, as large as it fits into the middle of an area of another size. */
function within({ groups, ...of }: Drawing, width: number, height: number): PointGroup[] {
  const by = Math.min(width / of.width, height / of.height)
  const [left, top] = [(width - of.width * by) / 2, (height - of.height * by) / 2]
  return groups.map((group) => ({
    ...group,
    points: group.points.map((point) => ({ ...point, x: left + point.x * by, y: top + point.y * by })),
  }))
}

/** Nothing but the paper. */
function blank(area: HTMLCanvasElement): void {
  const context = area.getContext('2d')
  if (!context) return
  context.fillStyle = '#fff'
  context.fillRect(0, 0, area.offsetWidth, area.offsetHeight)
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
