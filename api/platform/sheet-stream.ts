import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, deflateRawSync, createDeflateRaw } from 'node:zlib'
import { csvOf } from '../../forms/platform/csv.ts'
import { type Cell, ofHouse, plain } from './inbox/sheet.ts'

/** Rows that a part of a file is made of. */
const ROWS = 500

/** Rows that a workbook takes beside its head and a last word. */
const MOST = 1_048_574

/** A list as a file that is written while it is read, however long it is. */
export interface StreamedSheet {
  format: 'csv' | 'xlsx'
  name: string
  content: Readable
}

/** Streams rows as a file; `name` without its ending, `rest` what is said where a workbook cannot take them all. No more than some hundred rows are in memory at a time. */
export function streamed(
  format: StreamedSheet['format'],
  { name, head, body, rest }: { name: string; head: string[]; body: AsyncIterable<Cell[]>; rest: string },
): StreamedSheet {
  const parts = format === 'csv' ? csv(head, body) : xlsx(head, upTo(MOST, body, rest))
  return { format, name: `${name}.${format}`, content: Readable.from(parts, { objectMode: false }) }
}

async function* csv(head: string[], body: AsyncIterable<Cell[]>): AsyncGenerator<string> {
  yield csvOf([head])
  // The mark of the beginning stands once.
  for await (const rows of inParts(body)) yield csvOf(rows.map((row) => row.map(plain))).slice(1)
}

/** As many rows; where there are more, the last one says so. */
async function* upTo(most: number, body: AsyncIterable<Cell[]>, rest: string): AsyncGenerator<Cell[]> {
  let rows = 0
  for await (const row of body) {
    rows += 1
    if (rows > most) {
      yield [rest]
      return
    }
    yield row
  }
}

async function* inParts(body: AsyncIterable<Cell[]>): AsyncGenerator<Cell[][]> {
  let rows: Cell[][] = []
  for await (const row of body) {
    rows.push(row)
    if (rows.length < ROWS) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

// ---- a workbook: a ZIP archive of XML (ECMA-376), its sheet compressed on the way ------------------------------

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The small files around the sheet. Styles: plain, bold, a moment, an amount. */
const around: Record<string, string> = {
  '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="4" applyNumberFormat="1"/></cellXfs></styleSheet>`,
}

async function* xlsx(head: string[], body: AsyncIterable<Cell[]>): AsyncGenerator<Buffer> {
  const written: { name: string; crc: number; packed: number; size: number; at: number }[] = []
  let at = 0
  const counted = (part: Buffer): Buffer => {
    at += part.length
    return part
  }
  for (const [name, content] of Object.entries(around)) {
    const plainly = Buffer.from(xml + content)
    const packed = deflateRawSync(plainly)
    const entry = { name, crc: crc32(plainly), packed: packed.length, size: plainly.length, at }
    written.push(entry)
    yield counted(Buffer.concat([localHeader(name), packed, descriptor(entry)]))
  }
  const sheet = { name: 'xl/worksheets/sheet1.xml', crc: 0, packed: 0, size: 0, at }
  yield counted(localHeader(sheet.name))
  const pressed = createDeflateRaw()
  const text = async function* () {
    for await (const part of sheetXml(head, body)) {
      const bytes = Buffer.from(part)
      sheet.crc = crc32(bytes, sheet.crc)
      sheet.size += bytes.length
      yield bytes
    }
  }
  const through = pipeline(text, pressed)
  // What fails comes out of `pressed` below. Where whoever reads has gone before, nobody is left to wait for `through`:
  // a rejection that nobody handles ends the process.
  through.catch(() => undefined)
  for await (const part of pressed) {
    const bytes = part as Buffer
    sheet.packed += bytes.length
    yield counted(bytes)
  }
  await through
  yield counted(descriptor(sheet))
  written.push(sheet)
  const directory = Buffer.concat(written.map(directoryEntry))
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(written.length, 8)
  end.writeUInt16LE(written.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  yield Buffer.concat([directory, end])
}

async function* sheetXml(head: string[], body: AsyncIterable<Cell[]>): AsyncGenerator<string> {
  yield `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${head.length}" width="24" customWidth="1"/></cols><sheetData><row>${head.map((title) => textCell(title, 1)).join('')}</row>`
  for await (const rows of inParts(body)) yield rows.map((row) => `<row>${row.map(cellXml).join('')}</row>`).join('')
  yield '</sheetData></worksheet>'
}

// oxlint-disable-next-line no-control-regex -- exactly these have no place in XML
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Signs that a cell takes: spreadsheets refuse more than 32,767. */
const LONGEST = 32_000

/** A text stays one, whatever it looks like; what XML cannot say is left out. */
function textCell(text: string, style = 0): string {
  // Cut before anything is escaped, so that nothing is cut in the middle of an escape.
  const said = text
    .replace(unwritable, '')
    .slice(0, LONGEST)
    .replace(/[&<>]/g, (one) => escapes[one]!)
  return `<c t="inlineStr"${style ? ` s="${style}"` : ''}><is><t xml:space="preserve">${said}</t></is></c>`
}

/** The first day of spreadsheets, in milliseconds. */
const EPOCH = Date.UTC(1899, 11, 30)

function cellXml(cell: Cell): string {
  if (cell === null) return '<c/>'
  if (typeof cell === 'string') return textCell(cell)
  if ('number' in cell) return `<c><v>${cell.number}</v></c>`
  if ('rupees' in cell) return `<c s="3"><v>${cell.rupees}</v></c>`
  return `<c s="2"><v>${(ofHouse(cell.moment).getTime() - EPOCH) / 86_400_000}</v></c>`
}

interface Zipped {
  name: string
  crc: number
  packed: number
  size: number
  at: number
}

/** Sizes follow behind the content, since it is written before they are known. */
const FOLLOWING = 0x0808
/** Midnight of the first day that ZIP knows: files of the same rows are the same. */
const DAY_ONE = 0x0021

function localHeader(name: string): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(FOLLOWING, 6)
  header.writeUInt16LE(8, 8)
  header.writeUInt16LE(DAY_ONE, 12)
  header.writeUInt16LE(Buffer.byteLength(name), 26)
  return Buffer.concat([header, Buffer.from(name)])
}

function descriptor({ crc, packed, size }: Zipped): Buffer {
  const after = Buffer.alloc(16)
  after.writeUInt32LE(0x08074b50, 0)
  after.writeUInt32LE(crc, 4)
  after.writeUInt32LE(packed, 8)
  after.writeUInt32LE(size, 12)
  return after
}

function directoryEntry({ name, crc, packed, size, at }: Zipped): Buffer {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(20, 4)
  entry.writeUInt16LE(20, 6)
  entry.writeUInt16LE(FOLLOWING, 8)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt16LE(DAY_ONE, 14)
  entry.writeUInt32LE(crc, 16)
  entry.writeUInt32LE(packed, 20)
  entry.writeUInt32LE(size, 24)
  entry.writeUInt16LE(Buffer.byteLength(name), 28)
  entry.writeUInt32LE(at, 42)
  return Buffer.concat([entry, Buffer.from(name)])
}
