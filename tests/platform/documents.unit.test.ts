import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import * as harfbuzz from 'harfbuzzjs'
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import type { IssuedDocument } from '../../api/platform/records/documents/documents.ts'
import { renderDocument } from '../../api/platform/records/documents/render.ts'
import { rupees } from '../../api/platform/kernel/rupees.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))

function invoice(more: object = {}): IssuedDocument {
  return {
    id: '0',
    caseId: '0',
    kind: 'resource-reservation/invoice',
    number: 'INV-2026-000007',
    issuedAt: new Date('2026-05-01T10:00:00+05:30'),
    endedAt: null,
    data: {
      reference: 'RB-2026-000012',
      booker: 'Mr. Nuwan Jayasinghe',
      event: 'Evening of Kandyan drums',
      resource: 'Main Theatre',
      from: '2026-05-14T14:00:00+05:30',
      until: '2026-05-14T20:30:00+05:30',
      lines: [
        { description: 'Base cost', quantity: 1, unit_price: 1_000_000, amount: 1_000_000, kind: 'hire' },
        { description: 'Microphones', quantity: 2, unit_price: 75_000, amount: 150_000, kind: 'amenity' },
        { description: 'Refundable deposit', quantity: 1, unit_price: 100_000, amount: 100_000, kind: 'deposit' },
      ],
      total: 1_250_000,
      due: '2026-05-15',
      bank: {
        bank_name: 'Demonstration Bank',
        branch: 'Colombo 7',
        account_name: 'Reservations',
        account_number: '42',
      },
      letterhead: { name_en: 'University', name_si: 'විශ්වවිද්‍යාලය', name_ta: 'பல்கலைக்கழகம்', address: 'Colombo 7' },
      ...more,
    },
  }
}

/**
 * The text that an independent reader finds on the pages, and the width of each glyph in thousandths of the font size.
 */
async function read(document: IssuedDocument): Promise<{ pages: number; text: string; widths: number[] }> {
  const { OPS } = await getResolvedPDFJS()
  const pdf = await getDocumentProxy(new Uint8Array(renderDocument(library, document)))
  const found = { pages: pdf.numPages, text: '', widths: [] as number[] }
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    found.text += items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
    const { fnArray, argsArray } = await page.getOperatorList()
    for (const [index, operator] of fnArray.entries())
      if (operator === OPS.showText)
        for (const glyph of argsArray[index][0] as ({ width: number } | number)[])
          if (typeof glyph === 'object') found.widths.push(Math.round(glyph.width))
  }
  return found
}

test('the text of an invoice can be read back: header, number, people, lines, total and payment details', async () => {
  const { text, pages } = await read(invoice())
  expect(pages).toBe(1)
  for (const words of [
    'University',
    'Invoice',
    'INV-2026-000007',
    'RB-2026-000012',
    'Mr. Nuwan Jayasinghe',
    'Main Theatre',
    '14/05/2026 14:00',
    '14/05/2026 20:30',
    '15/05/2026',
    'Microphones',
    'Rs. 750.00',
    'Rs. 1,500.00',
    'Rs. 12,500.00',
    'Demonstration Bank',
  ])
    expect(text).toContain(words)
})

test('missing values leave no row, and many lines continue on further pages', async () => {
  expect((await read(invoice())).text).not.toContain('Remarks')
  const line = { description: 'Chairs', quantity: 1, unit_price: 100, amount: 100, kind: 'amenity' }
  const { pages, text } = await read(invoice({ lines: Array.from({ length: 60 }, () => line) }))
  expect(pages).toBeGreaterThan(1)
  expect(text.match(/Chairs/g)).toHaveLength(60)
})

test('input is text and never markup, and the same document gives the same bytes', async () => {
  const evil = '#panic("x") *bold* $ \\ @ref <label> // no comment'
  expect((await read(invoice({ event: evil }))).text).toContain(evil)
  expect(renderDocument(library, invoice()).equals(renderDocument(library, invoice()))).toBe(true)
})

test('an invalid document says so across each of its pages', async () => {
  const lines = Array.from({ length: 60 }, () => ({ description: 'Chairs', quantity: 1, unit_price: 1, amount: 1 }))
  const { pages, text } = await read({ ...invoice({ lines }), endedAt: new Date() })
  expect(pages).toBeGreaterThan(1)
  expect(text.match(/VOID/g)).toHaveLength(pages)
  expect((await read(invoice())).text).not.toContain('VOID')
})

test('a document of an undefined kind is a fault', () => {
  expect(() => renderDocument(library, { ...invoice(), kind: 'area/none' })).toThrow('no definition of area/none')
})

test('amounts read as rupees and cents', () => {
  expect([1_250_000, 5, 0, -123_456_789].map(rupees)).toEqual([
    'Rs. 12,500.00',
    'Rs. 0.05',
    'Rs. 0.00',
    '−Rs. 1,234,567.89',
  ])
})

describe('Sinhala and Tamil are shaped as HarfBuzz, the browsers’ own shaper, shapes them', () => {
  const require = createRequire(import.meta.url)
  const font = (file: string) =>
    new harfbuzz.Font(
      new harfbuzz.Face(new harfbuzz.Blob(readFileSync(require.resolve(`@expo-google-fonts/noto-sans-${file}`))), 0),
    )
  const sinhala = font('sinhala/400Regular/NotoSansSinhala_400Regular.ttf')
  const tamil = font('tamil/400Regular/NotoSansTamil_400Regular.ttf')

  /** Widths of a text's glyphs: a broken conjunct has different ones, and more of them. */
  function shaped(of: InstanceType<typeof harfbuzz.Font>, text: string): number[] {
    const buffer = new harfbuzz.Buffer()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    harfbuzz.shape(of, buffer)
    return buffer.getGlyphInfos().map(({ codepoint }) => of.glyphHAdvance(codepoint))
  }

  test.each([
    ['ශ්‍රී', sinhala],
    ['ලංකා', sinhala],
    ['ප්‍රක්‍රියා', sinhala],
    ['කෞ', sinhala],
    // Here fontkit, and so pdfkit, writes two glyphs instead of one.
    ['කාර්‍යාලය', sinhala],
    ['සෞන්දර්‍ය', sinhala],
    ['විශ්වවිද්‍යාලය', sinhala],
    ['தமிழ்', tamil],
    ['கட்டணம்', tamil],
    ['க்ஷ', tamil],
    ['கௌ', tamil],
    ['ஸ்ரீ', tamil],
    ['விலைப்பட்டியல்', tamil],
  ])('%s', async (text, of) => {
    const expected = shaped(of, text)
    const { widths } = await read(invoice({ event: text, letterhead: {} }))
    const found = widths.map((_, start) => widths.slice(start, start + expected.length))
    expect(found).toContainEqual(expected)
  })
})
