import { expect, test } from '@jest/globals'
import type { Manifest } from '../../api/platform/model/definitions/manifest.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { closingOf, refuseClosed, refuseLate } from '../../api/platform/work/cases/requester.ts'

const open = { from: '/opens', until: '/closes' }
const about = (finish?: true) => ({ once: { per: '/item' }, open: { ...open, ...(finish && { finish }) } }) as Manifest
const data = { opens: '2026-11-01', closes: '2026-11-26' }
const items = new Map()

/** The code of the refusal at this moment; undefined if there is none. */
function refusal(manifest: Manifest, moment: string): string | undefined {
  try {
    refuseClosed(manifest, data, items, new Date(moment))
    return undefined
  } catch (error) {
    return error instanceof BusinessError ? error.fields[0]?.code : String(error)
  }
}

test.each([
  ['2026-10-31T23:59:59+05:30', 'platform.not-open-yet', 'platform.not-open-yet'],
  ['2026-11-26T23:59:59+05:30', undefined, undefined],
  ['2026-11-27T00:09:59+05:30', 'platform.closed', undefined],
  ['2026-11-27T00:10:00+05:30', 'platform.closed', 'platform.closed'],
])('at %s a flow refuses with %s, and one that lets people finish with %s', (moment, plain, finishing) => {
  expect([refusal(about(), moment), refusal(about(true), moment)]).toEqual([plain, finishing])
})

test('the last day ends at midnight in Colombo', () => {
  expect(closingOf(about(true), data, items)).toEqual({
    at: new Date('2026-11-27T00:00:00+05:30'),
    finishUntil: new Date('2026-11-27T00:10:00+05:30'),
    item: null,
  })
  expect(closingOf({} as Manifest, data, items)).toBeUndefined()
})

test('a late case that the database refuses gets the same answer, and other errors stay as they are', () => {
  const late = Object.assign(new Error('requests have closed'), { constraint: 'flow_case_in_time' })
  const fields = [{ field: '/item', code: 'platform.closed', values: { from: '2026-11-01', until: '2026-11-26' } }]
  expect(() => refuseLate(late, about(), data, items)).toThrow(expect.objectContaining({ fields }))
  const other = new Error('connection lost')
  expect(() => refuseLate(other, about(), data, items)).toThrow(other)
})
