import { dayInColombo } from '../platform/kernel/colombo.ts'
import { DAY_MS } from '../platform/kernel/units.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'

/** Days before today on which what is asked for may begin; a request that was returned began earlier. */
const MOST_DAYS_AGO = 45
/** Days that one certificate covers, both counted: `x-most-days` of the register. */
const MOST_DAYS = 30

const rules: Rules = {
  check({ data, now, before }) {
    const isAsked = before === undefined || before['from'] !== data['from']
    return isAsked && String(data['from']) < dayInColombo(now.getTime() - MOST_DAYS_AGO * DAY_MS)
      ? [{ field: '/from', code: 'platform.check-x-most-days-ago', values: { limit: MOST_DAYS_AGO } }]
      : []
  },
  answers: {
    'medical/certification': {
      // The form of an earlier version has no such bound, and the paper is issued before the register sees it.
      check({ data }) {
        const [from, until] = [data['unfit_from'], data['unfit_until']].map((day) => Date.parse(String(day)))
        return data['outcome'] === 'certify' && Number(until) - Number(from) >= MOST_DAYS * DAY_MS
          ? [{ field: '/unfit_until', code: 'platform.check-x-most-days', values: { limit: MOST_DAYS } }]
          : []
      },
    },
  },
}

export default rules
