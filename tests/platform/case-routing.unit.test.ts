import { expect, test } from '@jest/globals'
import { amountOf, derivedVariablesOf, filtersOf } from '../../api/platform/work/cases/routing.ts'
import type { Manifest } from '../../api/platform/model/definitions/manifest.ts'

const about = (amount?: string) => ({ amount }) as Manifest

test.each([
  ['a variable that the rules derive', about('total'), {}, { total: 1200 }, 1200],
  ['a field of the start form', about('/costs/sum'), { costs: { sum: 900 } }, {}, 900],
  ['nothing, where the flow is not about money', about(), { costs: { sum: 900 } }, { total: 1200 }, null],
  ['nothing, as long as nothing is known', about('total'), {}, {}, null],
])('a case is about %s', (_, manifest, data, derived, amount) => {
  expect(amountOf(manifest, data, derived)).toBe(amount)
})

test.each([[12.5], [-1], ['1200'], [Number.MAX_SAFE_INTEGER + 1]])('%p is no amount in cents', (total) => {
  expect(() => amountOf(about('total'), {}, { total })).toThrow('total')
})

test('lists can be filtered by the fields that forms mark, and never by sensitive ones', () => {
  const marked = { type: 'string', 'x-filter': true }
  const schema = { properties: { kind: marked, nic: { ...marked, 'x-sensitive': true }, note: { type: 'string' } } }
  expect(filtersOf(schema, { kind: 'current', nic: '200012345678', note: 'x' })).toEqual({ kind: 'current' })
})

test('of what rules derive a case takes what its manifest names, and nothing of that is missing', () => {
  const manifest = { derives: ['total', 'byHead'] } as Manifest
  const derived = { total: 1200, byHead: null, later: 'x' }
  expect(derivedVariablesOf(manifest, derived)).toEqual({ total: 1200, byHead: null })
  expect(() => derivedVariablesOf(manifest, { total: 1200, later: 'x' })).toThrow('do not derive byHead')
})
