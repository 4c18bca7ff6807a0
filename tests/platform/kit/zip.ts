import { inflateRawSync } from 'node:zlib'

/** The text of all files in a ZIP archive, found by their local headers. */
export function contentOf(zip: Buffer): string {
  const texts: string[] = []
  for (let at = zip.indexOf('PK\u0001\u0002'); at >= 0; at = zip.indexOf('PK\u0001\u0002', at + 4)) {
    const [method, size, header] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)]
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
    const data = zip.subarray(start, start + size)
    texts.push((method === 8 ? inflateRawSync(data) : data).toString())
  }
  return texts.join('\n')
}
