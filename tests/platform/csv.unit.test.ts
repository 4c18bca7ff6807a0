import { expect, test } from '@jest/globals'
import { bareCsvOf, csvOf } from '../../forms/platform/csv.ts'

test('cells are never taken for formulas, and quotes, commas and line breaks stay in their cell', () => {
  const cells = [
    '=1+1',
    '+94771231231',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '＝1',
    'plain',
    'a, b',
    'she said "yes"',
    'two\nlines',
  ]
  expect(csvOf([cells])).toBe(
    '\uFEFF\'=1+1,\'+94771231231,\'-1,\'@SUM(A1),\'\t=1,\'＝1,plain,"a, b","she said ""yes""","two\nlines"\r\n',
  )
})

test('a machine gets every cell as it is', () => {
  expect(bareCsvOf([['-1', 'a, b', '=x']])).toBe('-1,"a, b",=x\r\n')
})
