import { sql } from 'kysely'
import { statusText } from '../../forms/platform/status-text.ts'
import type { Report } from '../platform/model/definitions/report.ts'
import { APPLICATIONS } from './vacancies.ts'

const marks = sql<number | null>`(c.facts ->> 'marks')::float8`

const report: Report = {
  async rows({ db, filter: { vacancy }, limit }) {
    const only = vacancy === undefined ? null : String(vacancy)
    const rows = await db
      .selectFrom('flow_case as c')
      .where('c.flow', '=', APPLICATIONS)
      .where('c.withdrawn_at', 'is', null)
      .where(sql<boolean>`(${only}::text is null or c.data ->> 'vacancy' = ${only})`)
      .select(['c.id', 'c.reference', 'c.status'])
      .select([
        sql<string>`c.subject ->> 'applicant'`.as('applicant'),
        sql<string>`c.subject ->> 'vacancy'`.as('vacancy'),
        marks.as('marks'),
        sql<string>`c.data ->> 'vacancy'`.as('key'),
        sql<number | null>`case when ${marks} is not null then (rank() over (
          partition by c.data ->> 'vacancy' order by ${marks} desc nulls last))::int end`.as('rank'),
      ])
      .orderBy('vacancy')
      .orderBy('key')
      .orderBy(sql`rank nulls last`)
      .orderBy('c.reference')
      .limit(limit)
      .execute()
    return rows.map(({ id, reference, status, key: _key, ...row }) => ({
      ...row,
      application: { id, text: reference },
      status: statusText('recruitment/job-application', status),
    }))
  },
}

export default report
