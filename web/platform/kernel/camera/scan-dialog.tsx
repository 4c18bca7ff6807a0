import { Button, Modal } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import css from './camera.module.css'
import { openCodeReader } from './codes.ts'
import { useCamera } from './use-camera.ts'
import { Viewfinder } from './viewfinder.tsx'

/** Milliseconds between two looks at the camera's picture. */
const LOOK_EVERY_MS = 200

/** Milliseconds after which a code that comes back before the camera is read again. */
const GONE_AFTER_MS = 1500

/** Whether a code comes before the camera, and has not been there all the time. */
function isNew(seen: Map<string, number>, code: string): boolean {
  const before = seen.get(code)
  const now = performance.now()
  seen.set(code, now)
  return before === undefined || now - before > GONE_AFTER_MS
}

interface ScanDialogProps {
  /** What a code must match; others are named and passed over. */
  pattern: string | undefined
  /** What came of the last code: the dialog then stays for the next one. */
  came?: string | undefined
  onRead(code: string): void
  onClose(): void
}

/** Reads a code with the camera, or from a picture of it. */
export default function ScanDialog({ pattern, came, onRead, onClose }: ScanDialogProps) {
  const { t } = useTexts()
  const camera = useCamera('environment')
  const [said, setSaid] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const seen = useRef(new Map<string, number>())

  /** Whether it has seen enough. */
  const take = (codes: readonly string[], none: string) => {
    const fitting = codes.find((code) => pattern === undefined || new RegExp(pattern, 'u').test(code))
    if (fitting !== undefined) {
      setSaid('')
      if (came === undefined || isNew(seen.current, fitting)) onRead(fitting)
    } else if (codes[0] !== undefined) setSaid(t('platform.camera.another-code', { code: codes[0].slice(0, 80) }))
    else setSaid(none)
    return fitting !== undefined && came === undefined
  }
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })

  const { video, isOn } = camera
  useEffect(() => {
    if (!isOn) return
    return looking(
      video,
      (codes) => latest.current(codes, ''),
      () => setSaid(t('platform.camera.no-reader')),
    )
  }, [isOn, video, t])

  const isClosed = useRef(false)
  useEffect(() => {
    isClosed.current = false
    return () => void (isClosed.current = true)
  }, [])

  const readFile = async (file: File) => {
    const reader = openCodeReader()
    const codes = await reader.read(file).catch(() => undefined)
    reader.close()
    if (isClosed.current) return
    if (codes) take(codes, t('platform.camera.no-code', { name: file.name }))
    else setSaid(t('platform.camera.unreadable', { name: file.name }))
  }
  return (
    <Modal open title={t('platform.camera.scan')} footer={null} onCancel={onClose} destroyOnHidden>
      <p>{t('platform.camera.scan-help')}</p>
      <Viewfinder camera={camera} facing="environment">
        <input
          ref={input}
          type="file"
          hidden
          accept="image/*"
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) void readFile(file)
            target.value = ''
          }}
        />
        <Button onClick={() => input.current?.click()}>{t('platform.camera.choose')}</Button>
        <Button onClick={onClose}>{t(came === undefined ? 'platform.cancel' : 'platform.camera.enough')}</Button>
      </Viewfinder>
      <output className={css['said']}>{said || came}</output>
    </Modal>
  )
}

/** Looks at the picture again and again until `found` takes a code; returns how to stop. */
function looking(
  video: { current: HTMLVideoElement | null },
  found: (codes: string[]) => boolean,
  failed: () => void,
): () => void {
  const reader = openCodeReader()
  let stopped = false
  let timer: number | undefined
  const look = async () => {
    if (!video.current) return
    // A frame that cannot be taken is passed over; only the reader itself can fail.
    const frame = await createImageBitmap(video.current).catch(() => undefined)
    const codes = frame ? await reader.read(frame) : []
    if (stopped || (codes.length > 0 && found(codes))) return
    timer = window.setTimeout(again, LOOK_EVERY_MS)
  }
  const again = () =>
    void look().catch(() => {
      if (!stopped) failed()
    })
  again()
  return () => {
    stopped = true
    reader.close()
    window.clearTimeout(timer)
  }
}
