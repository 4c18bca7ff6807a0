import type { Person } from './people.ts'

/** The smallest PDF. */
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')

/** Uploads a file, a PDF unless a picture is given, as the forms do; returns its id. */
export async function uploads(who: Person, name: string, picture?: Buffer): Promise<string> {
  const form = new FormData()
  form.set(
    'file',
    new File([new Uint8Array(picture ?? PDF)], name, { type: picture ? 'image/png' : 'application/pdf' }),
  )
  return (await who.ok<{ id: string }>('POST', '/api/files', form)).id
}
