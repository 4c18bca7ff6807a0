import { sql } from 'kysely'
import { statusText } from '../../forms/platform/status-text.ts'
import type { Report } from '../platform/model/definitions/report.ts'
import { criteria, pointsIn } from './points.ts'

const FLOW = 'scholarships/scholarship-submission'

/** Applications for one scholarship with the same points. */
const alike = sql`partition by c."of", c.points`

/** Maximum applications that a row names among those with the same points. */
const NAMED_TIES = 3

/** The references of the others with the same points; of many, the first and how many more. */
function tiedWith(others: readonly string[], count: number): string | null {
  if (count === 0) return null
  const named = others.slice(0, NAMED_TIES)
  return named.join(', ') + (count > named.length ? ` +${count - named.length}` : '')
}

const report: Report = {
  async rows({ db, filter: { scholarship }, limit }) {
    const only = scholarship === undefined ? null : String(scholarship)
    const applied = db
      .selectFrom('flow_case as c')
      .where('c.flow', '=', FLOW)
      .where('c.withdrawn_at', 'is', null)
      .where('c.status', '<>', 'Not Completed')
      // Students who were called and have not applied have no income.
      .where(sql<boolean>`c.data ? 'income'`)
      .where(sql<boolean>`(${only}::text is null or c.data ->> 'scholarship' = ${only})`)
      .select(['c.id', 'c.reference', 'c.status'])
      .select([
        sql<string>`c.data ->> 'scholarship'`.as('of'),
        sql<string>`c.subject ->> 'student'`.as('student'),
        sql<string>`c.subject ->> 'scholarship'`.as('scholarship'),
        // By the bands of now, for all alike.
        pointsIn(sql`c.data`).as('reached'),
      ])
    const rows = await db
      .with('reaching', () => applied)
      .with('pointed', (made) =>
        made
          .selectFrom('reaching as r')
          .selectAll()
          .select(
            criteria.map((criterion) => sql<number>`coalesce((r.reached ->> ${criterion})::int, 0)`.as(criterion)),
          ),
      )
      .with('c', (made) =>
        made
          .selectFrom('pointed as p')
          .selectAll()
          .select(sql<number>`income + results + distance + siblings`.as('points')),
      )
      .selectFrom('c')
      .select(['c.id', 'c.reference', 'c.status', 'c.student', 'c.scholarship', 'c.points', ...criteria])
      .select([
        sql<number>`(rank() over (partition by c."of" order by c.points desc))::int`.as('rank'),
        sql<number>`(count(*) over (${alike}))::int`.as('alike'),
        sql<string[]>`(array_agg(c.reference) over (${alike} order by c.reference
          rows between unbounded preceding and unbounded following))[1:${sql.lit(NAMED_TIES + 1)}]`.as('firstAlike'),
      ])
      .orderBy('c.scholarship')
      .orderBy('rank')
      .orderBy('c.reference')
      .limit(limit)
      .execute()
    return rows.map(({ id, reference, status, alike: count, firstAlike, ...row }) => ({
      ...row,
      application: { id, text: reference },
      status: statusText('scholarships/scholarship-submission', status),
      tie: tiedWith(
        firstAlike.filter((one) => one !== reference),
        count - 1,
      ),
    }))
  },
}

export default report
