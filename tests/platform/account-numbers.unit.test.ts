import { expect, test } from '@jest/globals'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))

/** The patterns of every field with a bank account's number, by where it is. */
function patterns(): [string, string][] {
  const registers = [...library.registers].map(([name, { item }]) => [name, item] as const)
  const forms = [...library.forms].map(([name, { schema }]) => [name, schema] as const)
  return [...registers, ...forms].flatMap(([name, { properties }]) =>
    typeof properties?.['account_number']?.pattern === 'string' ? [[name, properties['account_number'].pattern]] : [],
  )
}

test('there are accounts of students, of payees and of the university', () => {
  expect(patterns().map(([name]) => name)).toEqual(
    expect.arrayContaining(['platform/student-account', 'vouchers/payee', 'vouchers/bank-account']),
  )
})

test.each(patterns())('%s takes no account number that a bank would not know', (_, pattern) => {
  const isTaken = (number: string) => new RegExp(pattern, 'u').test(number)
  for (const number of ['----', '    ', '0000', '0000 0000', '42', '12345', '1'.repeat(21), '12 34 5x'])
    expect({ number, isTaken: isTaken(number) }).toEqual({ number, isTaken: false })
  for (const number of ['0001 2345 6789', '123456', '8000-4411-1000', '000000000001', '12345678901234567890'])
    expect({ number, isTaken: isTaken(number) }).toEqual({ number, isTaken: true })
})
