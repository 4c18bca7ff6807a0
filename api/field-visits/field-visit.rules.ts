import { dayAway, dayInColombo } from '../platform/kernel/colombo.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'

const DAYS_AHEAD = 7

const rules: Rules = {
  check({ data, now, before }) {
    const errors: FieldError[] = []
    const [from, until] = [String(data['from']), String(data['until'])]
    // A request that is returned may keep its dates.
    const isAsked = before === undefined || before['from'] !== from
    if (isAsked && from < dayAway(dayInColombo(now), DAYS_AHEAD))
      errors.push({ field: '/from', code: 'field-visits.week-ahead' })
    if (until < from) errors.push({ field: '/until', code: 'field-visits.ends-before-it-begins' })
    else if (until > from && data['overnight'] === 'no')
      errors.push({ field: '/overnight', code: 'field-visits.overnight-or-one-day' })
    return errors
  },

  answers: {
    'field-visits/report': {
      check({ data, current }) {
        const students = Number(current['students'])
        return Number(data['took_part']) > students
          ? [{ field: '/took_part', code: 'field-visits.more-than-asked', values: { students } }]
          : []
      },
    },
  },
}

export default rules
