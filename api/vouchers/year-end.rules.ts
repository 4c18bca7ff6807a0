import { dayInColombo } from '../platform/calendar/colombo.ts'
import type { Rules } from '../platform/flows/rules.ts'
import { votes } from './votes.ts'

const rules: Rules = {
  async check({ data, now, trx }) {
    const year = Number(data['year'])
    if (year >= Number(dayInColombo(now).slice(0, 4))) return [{ field: '/year', code: 'vouchers.year-not-over' }]
    const open = await votes(trx).openOf(year)
    return open.length > 0 ? [] : [{ field: '/year', code: 'vouchers.year-without-votes' }]
  },
}

export default rules
