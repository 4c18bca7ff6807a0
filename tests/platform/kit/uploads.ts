import { randomUUID } from 'node:crypto'
import type { Caller } from './app.ts'
import type { Person } from './people.ts'

/** The smallest PDF. */
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A PDF with a content of its own, such as a slip, which pays once. */
export const aPdf = (): Buffer => Buffer.concat([PDF, Buffer.from(`%${randomUUID()}\n`)])

/** A picture with a content of its own, such as a photograph of a slip. */
export const aPicture = (): Buffer => Buffer.concat([PIXEL, Buffer.from(randomUUID())])

/** Uploads a file, a PDF of its own unless a picture is given, as the forms do; returns its id. */
export async function uploads(who: Person, name: string, picture?: Buffer): Promise<string> {
  const form = new FormData()
  form.set(
    'file',
    new File([new Uint8Array(picture ?? aPdf())], name, { type: picture ? 'image/png' : 'application/pdf' }),
  )
  return (await who.ok<{ id: string }>('POST', '/api/files', form)).id
}

/** Uploads a file to a test's own app: what begins as `PDF` does as a PDF, anything else as a picture; returns its id. */
export async function uploadsTo(who: Caller, name: string, content: Buffer): Promise<string> {
  const form = new FormData()
  const type = content.subarray(0, PDF.length).equals(PDF) ? 'application/pdf' : 'image/png'
  form.set('file', new File([new Uint8Array(content)], name, { type }))
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const body = Buffer.from(await request.arrayBuffer())
  const answer = await who.send('POST', '/api/files', body, {
    'content-type': request.headers.get('content-type') ?? '',
  })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().id
}
