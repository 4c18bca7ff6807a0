import type { FieldError } from '../platform/kernel/errors.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'
import { getPerson } from '../platform/people/identity/accounts.ts'
import { admits } from '../platform/people/persons/person.ts'

/** Who leads visits, in their own department. */
const LEADERS = ['Lecturer@department', 'Senior Lecturer 1@department', 'Senior Lecturer 2@department']

const rules: Rules = {
  async check({ data, requester, trx }) {
    const errors: FieldError[] = []
    const place = { department: data['department'] }
    if (admits(await getPerson(trx, requester.id), LEADERS, place) === undefined)
      errors.push({ field: '/department', code: 'field-visits.not-your-department' })
    const [from, until] = [String(data['from']), String(data['until'])]
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
