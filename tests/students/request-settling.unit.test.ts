import { expect, test } from '@jest/globals'
import rules from '../../api/students/student-request.rules.ts'

const settles = (outcome: string, facts: object) =>
  rules.answers!['students/request-settling']!.check({ data: { outcome }, facts } as never)

test.each([{ newName: 'Piumi Perera' }, { deferredYear: '2027' }])('%o cannot be rejected any more', async (facts) => {
  expect(await settles('reject', facts)).toEqual([{ field: '/outcome', code: 'students.request-took-effect' }])
  expect(await settles('again', facts)).toEqual([])
  expect(await settles('complete', facts)).toEqual([])
})

test('a request that has changed nothing can be rejected', async () => {
  expect(await settles('reject', { letterNumber: 'SL-2026-000001' })).toEqual([])
  expect(await settles('complete', {})).toEqual([{ field: '/outcome', code: 'students.request-without-effect' }])
})
