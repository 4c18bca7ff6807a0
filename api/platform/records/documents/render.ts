import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { create as qrCode } from 'qrcode'
import { dayInColombo, writtenDay } from '../../kernel/colombo.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { type Language, languages, type Library } from '../../model/library/library.ts'
import { readable } from '../../model/library/readable.ts'
import { at } from '../../model/definitions/register.ts'
import type { DocumentDefinition, DocumentRow, ValueFormat } from '../../model/definitions/document.ts'
import type { IssuedDocument } from './documents.ts'
import { rupees } from '../../kernel/rupees.ts'

/** The Sinhala font supplies the Latin letters. */
const fonts = [
  '@expo-google-fonts/noto-sans-sinhala/400Regular/NotoSansSinhala_400Regular.ttf',
  '@expo-google-fonts/noto-sans-sinhala/700Bold/NotoSansSinhala_700Bold.ttf',
  '@expo-google-fonts/noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf',
  '@expo-google-fonts/noto-sans-tamil/700Bold/NotoSansTamil_700Bold.ttf',
]
const layout = join(import.meta.dirname, 'document.typ')
/** Pictures by the names under which a layout reads them; there are no such files. */
export type Pictures = ReadonlyMap<string, Uint8Array>

/** The layout of issued documents and statements. */
export const documentLayout = (): string => readFileSync(layout, 'utf8')

let compiler: NodeCompiler | undefined

/**
 * The PDF of an issued document, the same every time; `verify` is printed as QR code and text. It blocks this thread
 * for some milliseconds. Throws if the kind has no definition.
 */
export function renderDocument(
  library: Pick<Library, 'documents' | 'text'>,
  document: IssuedDocument,
  verify?: { code: string; address: string },
): Buffer {
  const definition = library.documents.get(document.kind)
  if (!definition) throw new Error(`no definition of ${document.kind}`)
  const page = { ...pageOf(library, definition, document), verify: verify ? printedCode(library, verify) : null }
  return layOut(documentLayout(), page, document.issuedAt)
}

/** The PDF of data in a layout of ours; `made` is its creation time. */
export function layOut(source: string, page: object, made: Date, pictures?: Pictures): Buffer {
  return compiled(source, page, pictures, (own, what) =>
    own.pdf(what, { creationTimestamp: Math.floor(made.getTime() / 1000) }),
  )
}

/** The same as a drawing (SVG) for pages of the browser. */
export function draw(source: string, page: object, pictures?: Pictures): string {
  return compiled(source, page, pictures, (own, what) => own.plainSvg(what))
}

function compiled<T>(
  source: string,
  page: object,
  pictures: Pictures = new Map(),
  make: (own: NodeCompiler, what: { mainFileContent: string; inputs: Record<string, string> }) => T,
): T {
  compiler ??= prepare()
  const pathOf = (name: string) => join(import.meta.dirname, name)
  for (const [name, content] of pictures) compiler.mapShadow(pathOf(name), Buffer.from(content))
  try {
    return make(compiler, { mainFileContent: source, inputs: { document: JSON.stringify(page) } })
  } finally {
    for (const name of pictures.keys()) compiler.unmapShadow(pathOf(name))
    // Otherwise layouts accumulate in memory.
    compiler.evictCache(2)
  }
}

/** What a thread lays out. */
export interface LaidOut {
  source: string
  page: object
  made: Date
  pictures?: Pictures
}

/** The layout that the next one waits for: each thread has a compiler and fonts of its own, so one at a time. */
let before: Promise<unknown> = Promise.resolve()

/** Lays out a paper of any length in a thread of its own: thousands of rows would hold up all other requests. */
export function layOutAside(paper: LaidOut): Promise<Buffer> {
  const own = before.then(() => inThread(paper))
  // Its own caller learns of a failure; the next layout only waits.
  before = own.catch(() => undefined)
  return own
}

async function inThread(paper: LaidOut): Promise<Buffer> {
  const thread = new Worker(join(import.meta.dirname, 'layout-thread.ts'), { workerData: paper })
  const pdf = await new Promise<Uint8Array>((settle, fail) => {
    thread.once('message', settle)
    thread.once('error', fail)
  })
  return Buffer.from(pdf)
}

function prepare(): NodeCompiler {
  const { resolve } = createRequire(import.meta.url)
  return NodeCompiler.create({
    workspace: import.meta.dirname,
    fontArgs: [{ fontBlobs: fonts.map((file) => readFileSync(resolve(file))) }],
  })
}

/** The address as the modules of a QR code, row by row, with its caption. */
export function printedCode({ text }: Pick<Library, 'text'>, { code, address }: { code: string; address: string }) {
  const { size, data } = qrCode(address, { errorCorrectionLevel: 'M' }).modules
  return {
    code: known(code.match(/.{4}/g), 'the parts of a code').join(' '),
    address: new URL(address).origin + '/verify',
    squares: Array.from({ length: size }, (_, row) => [...data.slice(row * size, (row + 1) * size)].map(Boolean)),
    words: languages.map((language) => text('platform.verify-on-paper', {}, language)),
  }
}

/** Who signed: the title of the desk, the name, and the day. */
interface Signature {
  title: string
  name: string | null
  on: string | null
}

function pageOf(
  library: Pick<Library, 'text'>,
  definition: DocumentDefinition,
  { data, number, endedAt }: IssuedDocument,
) {
  const { language, titles, paragraphs } = letterIn(data)
  const written = (key: string) => library.text(key, {}, language ?? 'en')
  const inOrder = [...new Set([language ?? 'en', ...languages])]
  const rows = (list: readonly DocumentRow[], of: JsonObject) =>
    list.flatMap(({ label, value, format, strong = false }) => {
      const found = at(of, value)
      return found === undefined || found === null
        ? []
        : [{ label: written(label), value: printed(found, format, data), strong }]
    })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever issues a document writes both so
  const {
    subject = {},
    facts = {},
    signatures = [],
  } = data as {
    subject?: JsonObject
    facts?: JsonObject
    signatures?: Signature[]
  }
  const sections = (definition.sections ?? []).map((one) => ({
    title: library.text(one.title),
    rows: rows(one.rows, data),
  }))
  return {
    titles: language ? [titles[language]] : inOrder.map((one) => library.text(definition.title, {}, one)),
    number,
    void: endedAt === null ? null : library.text('platform.document-void'),
    letterhead: data['letterhead'] ?? {},
    body: [
      ...(definition.body ?? []).map((one) => library.text(one, readable({ ...facts, ...subject }, 'en'))),
      ...paragraphs,
    ],
    rows: rows(definition.rows, data),
    signatures: signatures.map(({ title, name, on }) => ({
      titles: inOrder.map((one) => library.text(title, {}, one)),
      name,
      on: on === null ? null : writtenDay(on),
    })),
    lines: definition.lines ? tableOf(library, definition.lines, data) : null,
    totals: rows(definition.totals ?? [], data),
    sections: sections.filter(({ rows: shown }) => shown.length > 0),
    notes: (definition.notes ?? []).map((note) => library.text(note)),
  }
}

/** The table of a document, a line per element of its list. */
function tableOf(
  { text }: Pick<Library, 'text'>,
  { list, columns }: NonNullable<DocumentDefinition['lines']>,
  data: JsonObject,
) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever issues a document writes its lines as a list of objects
  const listed = at(data, list) as JsonObject[]
  return {
    columns: columns.map(({ label, format, wide = false }) => ({
      label: text(label),
      wide,
      right: format === 'money' || format === 'number',
    })),
    rows: listed.map((line) => columns.map(({ value, format }) => printed(at(line, value) ?? '', format, data))),
  }
}

/** The words of a letter that the document keeps. */
export interface KeptLetter {
  language?: Language
  titles: Partial<Record<Language, string>>
  paragraphs: string[]
}

/** The words that an issued letter has; other documents have none. */
export function letterIn(data: JsonObject): KeptLetter {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever issues a letter writes it so
  return (data['letter'] as KeptLetter | undefined) ?? { titles: {}, paragraphs: [] }
}

/** A value as papers print it. */
export function printed(value: unknown, format: ValueFormat | undefined, data: JsonObject): string {
  if (format === 'item') return String(at(data, `/titles/${String(value)}`) ?? '')
  if (format === 'money') return rupees(Number(value))
  if (format === 'date') return writtenDay(String(value))
  if (format === 'date-time') {
    const time = new Date(String(value)).toLocaleTimeString('en-GB', {
      timeZone: 'Asia/Colombo',
      hour: '2-digit',
      minute: '2-digit',
    })
    return `${writtenDay(dayInColombo(new Date(String(value))))} ${time}`
  }
  return String(value)
}
