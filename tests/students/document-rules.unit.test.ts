import { expect, test } from '@jest/globals'
import { noFile, noneRejected } from '../../api/students/document-rules.ts'

const row = { name: 'Birth certificate', file: 'a-file' }

test('documents are returned only if one of them is rejected', () => {
  const codes = (data: { outcome: string; documents?: { decision: string }[] }) =>
    noneRejected({ data: { ...data, documents: (data.documents ?? []).map((one) => ({ ...row, ...one })) } }).map(
      ({ field }) => field,
    )
  expect(codes({ outcome: 'return', documents: [{ decision: 'approve' }] })).toEqual(['/documents/0/decision'])
  expect(codes({ outcome: 'return' })).toEqual(['/documents'])
  expect(codes({ outcome: 'return', documents: [{ decision: 'approve' }, { decision: 'reject' }] })).toEqual([])
  expect(codes({ outcome: 'approve' })).toEqual([])
})

test('where every document is optional, one is sent all the same', () => {
  expect(noFile([{ name: 'Marriage certificate', needed: 'no' }])).toMatchObject([{ code: 'students.no-file' }])
  expect(noFile([])).toMatchObject([{ code: 'students.no-file' }])
  expect(noFile([{ ...row, needed: 'no' }])).toEqual([])
})
