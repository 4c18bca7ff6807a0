import { dayInColombo, writtenDay } from '../platform/kernel/colombo.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'
import { notMovedIn } from './residents.ts'

const rules: Rules = {
  async check(input) {
    const wrong = notMovedIn(input)
    if (wrong.length > 0) return wrong
    const until = String(input.items.get('/stay')?.data['until'])
    return String(input.data['back']) > until
      ? [{ field: '/back', code: 'hostel.leave-after-stay', values: { until } }]
      : []
  },
  acts: {
    returned: {
      check: async ({ data, current }) => returnedBefore(data, current),
      derive: ({ data }) => ({ facts: { reportedOn: data['returned_on'] ?? null }, variables: {} }),
    },
  },
  answers: {
    'hostel/leave-decision': {
      check({ data, current, now }) {
        const from = String(current['from'])
        return data['outcome'] === 'approve' && from < dayInColombo(now) && !data['reason']
          ? [{ field: '/reason', code: 'hostel.leave-begun', values: { from: writtenDay(from) } }]
          : []
      },
    },
    'hostel/leave-return': { check: ({ data, current }) => returnedBefore(data, current) },
    'hostel/return-check': {
      check: ({ data, current }) => (data['outcome'] === 'returned' ? returnedBefore(data, current) : []),
    },
  },
}

export default rules

/** Nobody is back before they have left. */
function returnedBefore(
  data: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>>,
): FieldError[] {
  return String(data['returned_on']) < String(current['from'])
    ? [{ field: '/returned_on', code: 'hostel.returned-before' }]
    : []
}
