import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { analyseTables } from '../../api/platform/model/bpmn/decisions/analysis.ts'

const root = join(import.meta.dirname, '../..')
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A table of columns `label: type` and rows of tests and, after `→`, results. */
function table(policy: string, columns: string[], rows: string[]): string {
  const inputs = columns.map((column) => {
    const [label, type] = column.split(': ')
    return `<dmn:input label="${label}"><dmn:inputExpression typeRef="${type}"><dmn:text>${label}</dmn:text></dmn:inputExpression></dmn:input>`
  })
  const rules = rows.map((row, index) => {
    const [tests, result] = row.split(' → ') as [string, string]
    const entries = tests
      .split(' | ')
      .map((one) => `<dmn:inputEntry><dmn:text>${escaped(one)}</dmn:text></dmn:inputEntry>`)
    return `<dmn:rule id="r${index + 1}">${entries.join('')}<dmn:outputEntry><dmn:text>${result}</dmn:text></dmn:outputEntry></dmn:rule>`
  })
  return `<dmn:definitions xmlns:dmn="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d"><dmn:decision id="rate"><dmn:decisionTable id="t" hitPolicy="${policy}">${inputs.join('')}<dmn:output name="rate"/>${rules.join('')}</dmn:decisionTable></dmn:decision></dmn:definitions>`
}
const gaps = (...of: Parameters<typeof table>) => analyseTables(table(...of)).gaps.map(({ words }) => words)
const overlaps = (...of: Parameters<typeof table>) => analyseTables(table(...of)).overlaps.map(({ words }) => words)

describe('gaps of a table are described in words', () => {
  test.each([
    ['numbers', ['cost: number'], ['< 100 → 1', '> 100 → 2'], ['cost is 100']],
    ['numbers that meet', ['cost: number'], ['<= 100 → 1', '> 100 → 2'], []],
    ['whole numbers, between which nothing is', ['cost: integer'], ['<= 100 → 1', '>= 101 → 2'], []],
    [
      'numbers between which something is',
      ['cost: number'],
      ['<= 100 → 1', '>= 101 → 2'],
      ['cost is more than 100 and less than 101'],
    ],
    [
      'intervals, each end its own way',
      ['cost: number'],
      ['[0..10) → 1', '(10..20] → 2', '< 0, > 20 → 3'],
      ['cost is 10'],
    ],
    ['single numbers', ['cost: integer'], ['1,2,3 → 1', 'not(1,2,3,5) → 2'], ['cost is 5']],
    ['texts', ['kind: string'], ['"staff","student" → 1'], ['kind is other than “staff” or “student”']],
    ['all but a text', ['kind: string'], ['not("none") → 1'], ['kind is “none”']],
    ['yes and no', ['paid: boolean'], ['true → 1'], ['paid is “false”']],
    ['nothing, where a row asks nothing', ['kind: string', 'paid: boolean'], ['"x" | true → 1', '- |  → 2'], []],
    [
      'two inputs together',
      ['kind: string', 'cost: integer'],
      ['"staff" | < 10 → 1', 'not("staff") | - → 2'],
      ['kind is “staff” and cost is at least 10'],
    ],
  ])('%s', (_what, columns, rows, found) => {
    expect(gaps('FIRST', columns, rows)).toEqual(found.map((words) => `No row applies where ${words}`))
  })

  test('a table that cannot be analysed says so, cell by cell', () => {
    const { problems, gaps: open } = analyseTables(
      table(
        'FIRST',
        ['day: date', 'cost: number'],
        ['date("2026-01-01") | < 5 → 1', '- | > limit → 2', '- | >= 5 → 3'],
      ),
    )
    expect(problems).toEqual([
      { element: 'r1', reason: expect.stringMatching(/^Row 1, day: “date.*” is not looked at.*left out$/) },
      {
        element: 'r2',
        reason: expect.stringMatching(/^Row 2, cost: “> limit” is not looked at: only fixed numbers are/),
      },
    ])
    expect(open.map(({ words }) => words)).toEqual([
      'No row applies where cost is less than 5, unless a row that is left out here does',
    ])
  })

  test('analysis of a table with too many pieces stops', () => {
    const columns = Array.from({ length: 20 }, (_, index) => `c${index}: integer`)
    const rows = Array.from(
      { length: 150 },
      (_, row) => `${columns.map((_c, place) => `not(${(row * 7 + place) % 97})`).join(' | ')} → 1`,
    )
    const began = performance.now()
    expect(gaps('FIRST', columns, rows).length).toBeGreaterThan(0)
    expect(performance.now() - began).toBeLessThan(30_000)
  })
})

describe('overlapping rows of a table', () => {
  test('are reported if it allows one row', () => {
    expect(overlaps('UNIQUE', ['cost: integer'], ['<= 100 → 1', '>= 100 → 2', '> 500 → 3'])).toEqual([
      'Rows 1 and 2 both apply where cost is 100, and the table allows only one (UNIQUE)',
      'Rows 2 and 3 both apply where cost is at least 501, and the table allows only one (UNIQUE)',
    ])
  })

  test('are reported if the rows differ, and not if they agree', () => {
    expect(overlaps('ANY', ['cost: integer'], ['<= 100 → 1', '>= 100 → 1', '100 → 2'])).toEqual([
      expect.stringMatching(/^Rows 1 and 3 .* answer differently$/),
      expect.stringMatching(/^Rows 2 and 3 /),
    ])
  })

  test('do not matter if the first row counts, but a row that never applies does', () => {
    expect(
      overlaps('FIRST', ['cost: integer', 'kind: string'], ['<= 9 | - → 1', '> 9 | - → 2', '5 | "x" → 3']),
    ).toEqual(['Row 3 never gets its turn: row 1 takes everything before'])
    expect(overlaps('FIRST', ['cost: integer'], ['<= 9 → 1', '>= 10 → 2', '> 5 → 3'])).toEqual([
      'Row 3 never gets its turn: rows 1 and 2 take everything before',
    ])
  })
})

describe('a hostile table blocks nothing, and what was not analysed is named', () => {
  const wide = Array.from({ length: 60 }, (_, index) => `c${index}: integer`)
  const anything = (rows: number, columns = wide) =>
    Array.from({ length: rows }, () => `${columns.map(() => '-').join(' | ')} → 1`)
  const list = Array.from({ length: 240 }, (_, index) => 2 * index).join(',')

  test.each([
    [
      'thousands of rows that all apply',
      'UNIQUE',
      ['cost: integer'],
      anything(3900, ['cost: integer']),
      /^Rows 1 and 2 /,
    ],
    [
      'rows that agree, so that no pair is told',
      'ANY',
      ['cost: integer'],
      anything(3900, ['cost: integer']),
      /too entangled/,
    ],
    [
      'long lists, compared number by number',
      'UNIQUE',
      ['cost: integer'],
      Array.from({ length: 300 }, (_, row) => `${row % 2 ? list : `not(${list})`} → 1`),
      /too entangled/,
    ],
    [
      'long lists, one above the other',
      'FIRST',
      ['cost: integer'],
      Array.from({ length: 300 }, () => `not(${list}) → 1`),
      /too entangled/,
    ],
    ['many inputs, each asked nothing', 'FIRST', wide, anything(60), /^Row 2 never/],
    [
      'nearly as many inputs as cells',
      'UNIQUE',
      Array.from({ length: 1900 }, (_, index) => `c${index}: integer`),
      [1, 2].map((row) => `${Array.from({ length: 1900 }, () => row).join(' | ')} → ${row}`),
      undefined,
    ],
  ] as [string, string, string[], string[], RegExp | undefined][])('%s', (_what, policy, columns, rows, first) => {
    const began = performance.now()
    const found = analyseTables(table(policy, columns, rows))
    expect(performance.now() - began).toBeLessThan(30_000)
    expect(found.overlaps.length).toBeLessThanOrEqual(20)
    if (first) expect(found.overlaps.map(({ words }) => words)).toContainEqual(expect.stringMatching(first))
    else expect([found.overlaps, found.gaps[0]!.words]).toEqual([[], expect.stringMatching(/too entangled/)])
  })
})

test.each(['resignations/resignation-desks', 'resource-reservation/booking-desks', 'vouchers/voucher-desks'])(
  'the table %s of the repository always has a row, and no useless ones',
  (file) => {
    const found = analyseTables(readFileSync(join(root, 'processes', `${file}.dmn`), 'utf8'))
    expect(found).toEqual({ problems: [], gaps: [], overlaps: [] })
  },
)
