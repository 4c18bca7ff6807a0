import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import { checkUntranslated } from './check/untranslated.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'prakriya-words-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const put = (path: string, content: object) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), JSON.stringify(content))
}
const allow = (most: object) => put('tests/platform/check/untranslated.json', most)

beforeEach(() => {
  put('forms/platform/placeholders.json', {
    hostel: [{ route: '/hostel', guard: null, title: { en: 'Hostel', si: 'නේවාසිකාගාරය' } }],
  })
  put('forms/loans/texts.en.json', { 'loans.open': 'Open to all' })
  put('forms/loans/texts.staff.en.json', { 'loans.title': 'Loans', 'loans.name': 'Name' })
  put('forms/loans/texts.staff.si.json', { 'loans.title': 'ණය' })
})

test('the texts that fall back to English are counted by area and reported, placeholders among them', () => {
  const told = jest.spyOn(console, 'log').mockImplementation(() => {})
  allow({ loans: 5, placeholders: 1 })
  expect(checkUntranslated(root)).toEqual([])
  expect(told.mock.calls).toEqual([[expect.stringContaining('loans 5, placeholders 1')]])
  told.mockRestore()
})

test('an area with more fallbacks than before is refused, and one with fewer lowers its number', () => {
  const told = jest.spyOn(console, 'log').mockImplementation(() => {})
  allow({ loans: 4 })
  expect(checkUntranslated(root)).toEqual([
    expect.stringMatching(/^loans has 5 texts without Sinhala or Tamil, 4 are allowed/),
    expect.stringMatching(/^placeholders has 1 texts .* forms\/platform\/placeholders\.json$/),
  ])
  allow({ loans: 6, placeholders: 1 })
  expect(checkUntranslated(root)).toEqual([expect.stringMatching(/^loans has 5 .* lower its 6/)])
  told.mockRestore()
})

test('a text without English is refused by file and key', () => {
  const told = jest.spyOn(console, 'log').mockImplementation(() => {})
  put('forms/loans/texts.ta.json', { 'loans.open': 'அனைவருக்கும்', 'loans.closed': 'மூடப்பட்டது' })
  allow({ loans: 4, placeholders: 1 })
  expect(checkUntranslated(root)).toEqual([
    'forms/loans/texts.ta.json: loans.closed has no English text beside it: delete it',
  ])
  told.mockRestore()
})
