import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import qrCode from 'qrcode'
import sharp from 'sharp'
import { barsOf } from '../../../api/platform/records/documents/code-39.ts'

/** A picture of a QR code, with some grey around it, as a camera sees it. */
export async function pictureOfQr(text: string): Promise<Buffer> {
  const code = await qrCode.toBuffer(text, { errorCorrectionLevel: 'M', width: 320, margin: 4 })
  return framed(code)
}

/** A picture of a Code 39 bar code. */
export function pictureOfBars(text: string): Promise<Buffer> {
  let at = 20
  const bars = barsOf(text).map((width, index) => {
    const bar = index % 2 === 0 ? `<rect x="${at}" y="40" width="${width * 2}" height="160"/>` : ''
    at += width * 2
    return bar
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${at + 20}" height="240"><rect width="100%" height="100%" fill="white"/>${bars.join('')}</svg>`
  return framed(Buffer.from(svg))
}

const framed = (picture: Buffer) =>
  sharp(picture)
    .flatten({ background: 'white' })
    .extend({ top: 60, bottom: 60, left: 80, right: 80, background: '#999' })
    .png()
    .toBuffer()

/** A film of this picture for Chromium's fake camera; `end` removes it. */
export async function filmOf(picture: Buffer): Promise<{ args: string[]; end(): void }> {
  const [width, height] = [640, 480]
  const grey = await sharp(picture)
    .resize(width, height, { fit: 'contain', background: '#999' })
    .greyscale()
    .raw()
    .toBuffer()
  const folder = mkdtempSync(join(tmpdir(), 'prakriya-film-'))
  const file = join(folder, 'film.y4m')
  const frame = [Buffer.from('FRAME\n'), grey, Buffer.alloc((width * height) / 2, 128)]
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`)
  writeFileSync(file, Buffer.concat([head, ...frame, ...frame]))
  return {
    args: [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${file}`,
    ],
    end: () => rmSync(folder, { recursive: true }),
  }
}
