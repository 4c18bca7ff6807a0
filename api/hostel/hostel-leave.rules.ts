import { sql } from 'kysely'
import { dayInColombo, writtenDay } from '../platform/kernel/colombo.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type { RuleInput, Rules } from '../platform/model/deployed/rules.ts'
import { notMovedIn } from './residents.ts'

const rules: Rules = {
  async check(input) {
    const wrong = notMovedIn(input)
    if (wrong.length > 0) return wrong
    const until = String(input.items.get('/stay')?.data['until'])
    if (String(input.data['back']) > until)
      return [{ field: '/back', code: 'hostel.leave-after-stay', values: { until } }]
    const reference = await sameDays(input)
    return reference === undefined ? [] : [{ field: '/from', code: 'hostel.leave-overlaps', values: { reference } }]
  },
  acts: {
    returned: {
      check: async ({ data, current }) => returnedBefore(data, current),
      derive: ({ data }) => ({ facts: { reportedOn: data['returned_on'] ?? null }, variables: {} }),
    },
  },
  answers: {
    'hostel/leave-approval': {
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

/** The number of another leave of the student on some of these days, unless they have reported that they are back. */
async function sameDays({ trx, data, requester, caseId }: RuleInput): Promise<string | undefined> {
  // Two requests that are sent at one moment wait for each other.
  await trx.selectFrom('register_item').select('id').where('id', '=', String(data['stay'])).forNoKeyUpdate().execute()
  const found = await trx
    .selectFrom('flow_case')
    .select('reference')
    .where('flow', '=', 'hostel/hostel-leave')
    .where('requester_id', '=', requester.id)
    .where('state', 'in', ['starting', 'running'])
    .where('withdrawn_at', 'is', null)
    .where('status', '<>', 'return reported')
    .where(sql<string>`data ->> 'from'`, '<=', String(data['back']))
    .where(sql<string>`data ->> 'back'`, '>=', String(data['from']))
    .$if(caseId !== undefined, (query) => query.where('id', '<>', String(caseId)))
    .limit(1)
    .executeTakeFirst()
  return found?.reference
}

/** Nobody is back before they have left. */
function returnedBefore(
  data: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>>,
): FieldError[] {
  return String(data['returned_on']) < String(current['from'])
    ? [{ field: '/returned_on', code: 'hostel.returned-before' }]
    : []
}
