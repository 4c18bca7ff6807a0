import { NotTaken } from './adopt.ts'

/** Encodings that a file may say, as they are called in the browser, and what it must not have all the same. */
const encodings: Readonly<Record<string, { decoder: string; refused?: RegExp }>> = {
  'utf-8': { decoder: 'utf-8' },
  utf8: { decoder: 'utf-8' },
  'us-ascii': { decoder: 'utf-8', refused: /[^\0-\x7F]/ },
  // The browser reads it as windows-1252, others do not: where the two differ, nobody knows what was meant.
  'iso-8859-1': { decoder: 'windows-1252', refused: /[^\0-\x7F\xA0-\xFF]/ },
  latin1: { decoder: 'windows-1252', refused: /[^\0-\x7F\xA0-\xFF]/ },
  // What it leaves open, the browser takes for control characters, others do not.
  'windows-1252': { decoder: 'windows-1252', refused: /[\x80-\x9F]/ },
  cp1252: { decoder: 'windows-1252', refused: /[\x80-\x9F]/ },
}

const declaration = /^(<\?xml\s[^>]*?\bencoding\s*=\s*)(["'])([A-Za-z][\w.:-]*)\2/

/**
 * The text of a file by the encoding that it declares, UTF-8 where it declares none; its declaration says UTF-8 then.
 * Throws `NotTaken` for other encodings, and for bytes that are not of the declared one or that readers take differently.
 */
export function textOf(bytes: Uint8Array): string {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const start = marked ? bytes.subarray(3) : bytes
  const [, , , declared = 'utf-8'] = declaration.exec(String.fromCharCode(...start.subarray(0, 200))) ?? []
  const name = declared.toLowerCase()
  const encoding = Object.hasOwn(encodings, name) ? encodings[name]! : undefined
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
    // It throws for nothing but bytes that are not of the encoding.
    return undefined
  }
}
