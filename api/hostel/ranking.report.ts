import { sql } from 'kysely'
import { statusText } from '../../forms/platform/status-text.ts'
import type { Report } from '../platform/model/definitions/report.ts'
import { APPLICATIONS } from './stays.ts'

interface Row {
  id: string
  reference: string
  status: string
  student: string
  intake: string
  sex: string
  eligibility: string
  points: number
  distance: number
  income: number
  priority: number
  km: number
  rank: number | null
}

/** The applications of each intake in the order in which rooms are given; those that are not eligible come last. */
const report: Report = {
  async rows({ db, filter: { intake, sex }, limit }) {
    const only = (field: string, value: string | number | undefined) =>
      value === undefined ? sql`true` : sql`c.data ->> ${sql.lit(field)} = ${value}`
    const { rows } = await sql<Row>`
      select *, case when eligible then (rank() over (partition by intake, sex, eligible
          order by special desc, points desc, km desc, reference))::int end as rank
      from (select c.id, c.reference, c.status, c.subject ->> 'student' as student, c.subject ->> 'intake' as intake,
          c.data ->> 'sex' as sex, c.facts ->> 'eligibility' as eligibility, (c.facts ->> 'points')::int as points,
          (c.facts ->> 'pointsDistance')::int as distance, (c.facts ->> 'pointsIncome')::int as income,
          (c.facts ->> 'pointsPriority')::int as priority, (c.subject ->> 'km')::int as km,
          (c.facts ->> 'special')::boolean as special, c.facts ->> 'eligibility' like 'Eligible%' as eligible
        from flow_case c
        where c.flow = ${APPLICATIONS} and c.withdrawn_at is null and c.facts ? 'points'
          and c.status not in ('rejected', 'lapsed', 'declined')
          and ${only('intake', intake)} and ${only('sex', sex)}) as list
      order by intake desc, sex, eligible desc, rank, reference limit ${limit}`.execute(db)
    return rows.map(({ id, reference, status, sex: of, eligibility, ...row }) => ({
      ...row,
      application: { id, text: reference },
      sex: `hostel.sex.${of}`,
      status: statusText(APPLICATIONS, status),
      result: `hostel.fact.eligibility.${eligibility.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`,
    }))
  },
}

export default report
