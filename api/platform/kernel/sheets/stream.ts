import { Readable } from 'node:stream'
import { Zip, ZipDeflate } from 'fflate'
import { csvOf } from '../../../../forms/platform/csv.ts'
import { type Cell, ofHouse, plain } from './sheet.ts'

/** Rows per part of a file. */
const ROWS_PER_PART = 500

/** Maximum rows of a workbook, without its header and a final note. */
const MAX_ROWS = 1_048_574

/** A list as a file that is written while its rows are read, whatever its length. */
export interface StreamedSheet {
  format: 'csv' | 'xlsx'
  name: string
  content: Readable
}

/**
 * Streams rows as a file; `name` without extension, `rest` is the note if a workbook cannot hold all rows. Only some
 * hundred rows are in memory at a time.
 */
export function streamed(
  format: StreamedSheet['format'],
  { name, head, body, rest }: { name: string; head: string[]; body: AsyncIterable<Cell[]>; rest: string },
): StreamedSheet {
  const parts = format === 'csv' ? csv(head, body) : xlsx(head, upTo(MAX_ROWS, body, rest))
  return { format, name: `${name}.${format}`, content: Readable.from(parts, { objectMode: false }) }
}

async function* csv(head: string[], body: AsyncIterable<Cell[]>): AsyncGenerator<string> {
  yield csvOf([head])
  // Only the first part has the byte order mark.
  for await (const rows of inParts(body)) yield csvOf(rows.map((row) => row.map(plain))).slice(1)
}

/** Up to `most` rows; if there are more, the note is the last one. */
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
    if (rows.length < ROWS_PER_PART) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

// ---- a workbook: a ZIP archive of XML (ECMA-376), its sheet compressed on the way ------------------------------

/** The earliest date of the ZIP format, so that equal rows give equal files. */
const DAY_ONE = new Date(1980, 0, 1)

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The other files of the workbook. Styles: plain, bold, time, amount. */
const around: Record<string, string> = {
  '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="4" applyNumberFormat="1"/></cellXfs></styleSheet>`,
}

async function* xlsx(head: string[], body: AsyncIterable<Cell[]>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const archive = new Zip((error, part) => {
    if (error) throw error
    ready.push(part)
  })
  const file = (name: string): ZipDeflate => {
    const added = new ZipDeflate(name)
    added.mtime = DAY_ONE
    archive.add(added)
    return added
  }
  for (const [name, content] of Object.entries(around)) file(name).push(Buffer.from(xml + content), true)
  const sheet = file('xl/worksheets/sheet1.xml')
  for await (const part of sheetXml(head, body)) {
    sheet.push(Buffer.from(part))
    yield* ready.splice(0)
  }
  sheet.push(new Uint8Array(), true)
  archive.end()
  yield* ready
}

async function* sheetXml(head: string[], body: AsyncIterable<Cell[]>): AsyncGenerator<string> {
  yield `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${head.length}" width="24" customWidth="1"/></cols><sheetData><row>${head.map((title) => textCell(title, 1)).join('')}</row>`
  for await (const rows of inParts(body)) yield rows.map((row) => `<row>${row.map(cellXml).join('')}</row>`).join('')
  yield '</sheetData></worksheet>'
}

// oxlint-disable-next-line no-control-regex -- exactly these have no place in XML
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
/** Spreadsheets reject cells with more than 32,767 characters. */
const MAX_CELL_LENGTH = 32_000

/** Always a text cell, even if it looks like a number; characters that XML cannot contain are removed. */
function textCell(text: string, style = 0): string {
  // Cut before escaping, so that no escape sequence is split.
  const said = text
    .replace(unwritable, '')
    .slice(0, MAX_CELL_LENGTH)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
  return `<c t="inlineStr"${style ? ` s="${style}"` : ''}><is><t xml:space="preserve">${said}</t></is></c>`
}

/** Day zero of spreadsheets, in milliseconds. */
const EPOCH = Date.UTC(1899, 11, 30)

function cellXml(cell: Cell): string {
  if (cell === null) return '<c/>'
  if (typeof cell === 'string') return textCell(cell)
  if ('number' in cell) return `<c><v>${cell.number}</v></c>`
  if ('rupees' in cell) return `<c s="3"><v>${cell.rupees}</v></c>`
  return `<c s="2"><v>${(ofHouse(cell.moment).getTime() - EPOCH) / 86_400_000}</v></c>`
}
