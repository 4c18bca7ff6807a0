import { sql } from 'kysely'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'
import { openVotesOf } from './votes/year-end.ts'

const YEAR_END = 'vouchers/year-end'

const rules: Rules = {
  async check({ data, now, trx, caseId }) {
    const year = Number(data['year'])
    if (year >= Number(dayInColombo(now).slice(0, 4))) return [{ field: '/year', code: 'vouchers.year-not-over' }]
    const asked = await trx
      .selectFrom('flow_case')
      .select('id')
      .where('flow', '=', YEAR_END)
      .where('status', '=', 'Asked for')
      .where('ended_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .where(sql`data ->> 'year'`, '=', String(year))
      .where(sql<boolean>`id is distinct from ${caseId ?? null}`)
      .executeTakeFirst()
    if (asked) return [{ field: '/year', code: 'vouchers.year-asked' }]
    const open = await openVotesOf(trx, year)
    return open.length > 0 ? [] : [{ field: '/year', code: 'vouchers.year-without-votes' }]
  },
}

export default rules
