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
  answers: {
    'hostel/leave-return': {
      check: ({ data, current }) =>
        String(data['returned_on']) < String(current['from'])
          ? [{ field: '/returned_on', code: 'hostel.returned-before' }]
          : [],
    },
  },
}

export default rules
