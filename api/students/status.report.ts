import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'

interface Row {
  faculty: string | null
  intake: string | null
  active: number
  suspended: number
  unregistered: number
  deactivated: number
  all: number
}

/** Students by faculty, intake and status, as the register holds them now. */
const report: Report = {
  async rows({ db, filter: { faculty = null, intake = null }, limit }) {
    const { rows } = await sql<Row>`
      select f.title as faculty, i.title as intake,
        count(*) filter (where s.status = 'active')::int as active,
        count(*) filter (where s.status = 'suspended')::int as suspended,
        count(*) filter (where s.status = 'unregistered')::int as unregistered,
        count(*) filter (where s.status = 'deactivated')::int as deactivated,
        count(*)::int as all
      from register_item s
      left join register_item f on f.id::text = s.data ->> 'faculty'
      left join register_item i on i.id::text = s.data ->> 'intake'
      where s.register = 'platform/student'
        and (${faculty}::text is null or s.data ->> 'faculty' = ${faculty})
        and (${intake}::text is null or s.data ->> 'intake' = ${intake})
      group by f.title, i.title
      order by i.title desc nulls last, f.title limit ${limit}`.execute(db)
    return rows.map((row) => ({ ...row }))
  },
}

export default report
