import { sql } from 'kysely'
import { statusText } from '../../forms/platform/status-text.ts'
import type { Report } from '../platform/model/definitions/report.ts'

const FLOW = 'scholarships/scholarship-submission'

/** A number that the rules noted about an application. */
const fact = (name: string) => sql<number>`(c.facts ->> ${name})::int`

const report: Report = {
  async rows({ db, filter: { scholarship }, limit }) {
    const only = scholarship === undefined ? null : String(scholarship)
    const rows = await db
      .selectFrom('flow_case as c')
      .where('c.flow', '=', FLOW)
      .where('c.withdrawn_at', 'is', null)
      .where('c.status', '<>', 'Not Completed')
      // Students who were called and have not applied have no income.
      .where(sql<boolean>`c.data ? 'income'`)
      .where(sql<boolean>`(${only}::text is null or c.data ->> 'scholarship' = ${only})`)
      .select(['c.id', 'c.reference', 'c.status'])
      .select([
        sql<string>`c.subject ->> 'student'`.as('student'),
        sql<string>`c.subject ->> 'scholarship'`.as('scholarship'),
        fact('points').as('points'),
        fact('pointsIncome').as('income'),
        fact('pointsResults').as('results'),
        fact('pointsDistance').as('distance'),
        fact('pointsSiblings').as('siblings'),
        sql<number>`(rank() over (partition by c.data ->> 'scholarship'
          order by (c.facts ->> 'points')::int desc))::int`.as('rank'),
        sql<boolean>`count(*) over (partition by c.data ->> 'scholarship', c.facts ->> 'points') > 1`.as('isTied'),
      ])
      .orderBy(sql`c.subject ->> 'scholarship'`)
      .orderBy('rank')
      .orderBy('c.reference')
      .limit(limit)
      .execute()
    return rows.map(({ id, reference, status, isTied, ...row }) => ({
      ...row,
      application: { id, text: reference },
      status: statusText('scholarships/scholarship-submission', status),
      tie: isTied ? 'scholarships.tie.tie' : null,
    }))
  },
}

export default report
