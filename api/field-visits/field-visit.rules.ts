import { dayAway, dayInColombo } from '../platform/kernel/colombo.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'
import { getPerson } from '../platform/people/identity/accounts.ts'
import { admits } from '../platform/people/persons/person.ts'

/** Who leads visits, in their own department or faculty. */
const LEADERS = [
  ...['Lecturer', 'Senior Lecturer 1', 'Senior Lecturer 2'],
  ...['Associate Professor', 'Professor', 'Senior Professor'],
]
const DAYS_AHEAD = 7

const rules: Rules = {
  async check({ data, items, requester, trx, now, before }) {
    const errors: FieldError[] = []
    const place = { department: data['department'], faculty: items.get('/department')?.data['faculty'] }
    if (admits(await getPerson(trx, requester.id), LEADERS, place) === undefined)
      errors.push({ field: '/department', code: 'field-visits.not-your-department' })
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
