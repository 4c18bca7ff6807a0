import { describe, expect, test } from '@jest/globals'
import type { FormSchema } from '../../web/platform/kernel/client/types.ts'
import { deskOf, outcomeText, partOf } from '../../web/platform/work/case/outcomes.ts'

const approval: FormSchema = {
  required: ['outcome'],
  properties: {
    outcome: {
      oneOf: [
        { const: 'approve', title: 'Approve' },
        { const: 'reject', title: 'Reject…' },
      ],
    },
    reason: { type: 'string', title: 'Reason' },
    note: { type: 'string', title: 'Note' },
  },
  if: { properties: { outcome: { const: 'reject' } }, required: ['outcome'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['reason'] },
}

describe("a desk's form", () => {
  test('makes a button of each outcome and asks for a reason only where needed', () => {
    expect(deskOf(approval).outcomes).toEqual([
      { value: 'approve', title: 'Approve', asks: [], demands: [] },
      { value: 'reject', title: 'Reject…', asks: ['reason'], demands: ['reason'] },
    ])
  })

  test('always shows the fields that no outcome controls', () => {
    expect(deskOf(approval).always).toEqual(['note'])
  })

  test('offers with an outcome what only it shows, without needing it', () => {
    const receipt = { type: 'string', 'x-shown': { properties: { outcome: { const: 'approve' } } } }
    const { always, outcomes } = deskOf({ ...approval, properties: { ...approval.properties, receipt } })
    expect([always, outcomes[0]]).toMatchObject([['note'], { asks: ['receipt'], demands: [] }])
    expect(outcomes[1]?.asks).toEqual(['reason'])
  })

  test('requires of its part what the chosen outcome requires', () => {
    const part = partOf(approval, ['reason'], ['reason'])
    expect(Object.keys(part.properties ?? {})).toEqual(['reason'])
    expect(part.required).toEqual(['reason'])
    expect(part.if).toBeUndefined()
  })

  test('names a chosen outcome without the dots of its button', () => {
    expect(outcomeText(approval, 'reject', (key) => key)).toBe('Reject')
    expect(outcomeText(undefined, 'reject', (key) => key)).toBe('reject')
  })
})
