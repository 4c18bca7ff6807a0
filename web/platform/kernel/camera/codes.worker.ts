import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader'
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'

/** What cards, labels and packages carry. */
const OPTIONS: ReaderOptions = { formats: ['QRCode', 'Code128', 'Code39', 'EAN13', 'EAN8'], maxNumberOfSymbols: 8 }

/** Pixels of the longer side; a photo has more, which cost seconds and add nothing. */
const LARGEST = 1600

prepareZXingModule({ overrides: { locateFile: () => wasm } })

/** Answers a picture with the codes in it, or with the reason why it cannot be read. */
globalThis.addEventListener('message', ({ data }: MessageEvent<{ id: number; picture: ImageBitmap | Blob }>) => {
  const { id, picture } = data
  codesIn(picture).then(
    (codes) => postMessage({ id, codes }),
    (error: unknown) => postMessage({ id, error: String(error) }),
  )
})

async function codesIn(picture: ImageBitmap | Blob): Promise<string[]> {
  const bitmap = picture instanceof Blob ? await createImageBitmap(picture) : picture
  const scale = Math.min(1, LARGEST / Math.max(bitmap.width, bitmap.height))
  const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)]
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('the browser has no canvas')
  context.drawImage(bitmap, 0, 0, width, height)
  bitmap.close()
  const found = await readBarcodes(context.getImageData(0, 0, width, height), OPTIONS)
  return found.filter(({ isValid }) => isValid).map(({ text }) => text)
}
