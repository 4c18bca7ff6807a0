import { NotTaken } from './adopt.ts'

/** Encodings that a file may declare, by the browser's name, and bytes that are refused all the same. */
const encodings: Readonly<Record<string, { decoder: string; refused?: RegExp }>> = {
  'utf-8': { decoder: 'utf-8' },
  utf8: { decoder: 'utf-8' },
  'us-ascii': { decoder: 'utf-8', refused: /[^\0-\x7F]/ },
  // Browsers read it as windows-1252, other readers do not: where the two differ, the meaning is unknown.
  'iso-8859-1': { decoder: 'windows-1252', refused: /[^\0-\x7F\xA0-\xFF]/ },
  latin1: { decoder: 'windows-1252', refused: /[^\0-\x7F\xA0-\xFF]/ },
  // Browsers read the undefined bytes as control characters, other readers do not.
  'windows-1252': { decoder: 'windows-1252', refused: /[\x80-\x9F]/ },
  cp1252: { decoder: 'windows-1252', refused: /[\x80-\x9F]/ },
}

const declaration = /^(<\?xml\s[^>]*?\bencoding\s*=\s*)(["'])([A-Za-z][\w.:-]*)\2/

/**
 * The text of a file in its declared encoding, UTF-8 by default; the returned declaration says UTF-8. Throws `NotTaken`
 * for other encodings, for invalid bytes, and for bytes that readers decode differently.
 */
export function textOf(bytes: Uint8Array): string {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const start = marked ? bytes.subarray(3) : bytes
  const [, , , declared = 'utf-8'] = declaration.exec(String.fromCharCode(...start.subarray(0, 200))) ?? []
  const name = declared.toLowerCase()
  const encoding = Object.hasOwn(encodings, name) ? encodings[name] : undefined
  if (!encoding) throw new NotTaken(`the encoding ${declared} is not read; save it in UTF-8`)
  const differs = new NotTaken(`it says that its encoding is ${declared}, but its bytes are not`)
  if (marked && encoding.decoder !== 'utf-8') throw differs
  const text = decoded(start, encoding.decoder)
  if (text === undefined || encoding.refused?.test(text)) throw differs
  return text.replace(declaration, '$1$2UTF-8$2')
}

function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // The decoder throws only for invalid bytes.
    return undefined
  }
}
