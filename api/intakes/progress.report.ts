import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'

interface Row {
  faculty: string | null
  students: number
  unregistered: number
  active: number
  suspended: number
  deactivated: number
  password: number
  admission: number
  documents: number
}

/** How far the students of an intake, or of all, are in each faculty: their status, and what those on the roll lack. */
const report: Report = {
  async rows({ db, filter: { intake = null }, limit }) {
    const { rows } = await sql<Row>`
      select f.title as faculty, count(*)::int as students,
        count(*) filter (where s.status = 'unregistered')::int as unregistered,
        count(*) filter (where s.status = 'active')::int as active,
        count(*) filter (where s.status = 'suspended')::int as suspended,
        count(*) filter (where s.status = 'deactivated')::int as deactivated,
        count(*) filter (where s.status <> 'deactivated' and not has.password)::int as password,
        count(*) filter (where s.status <> 'deactivated' and not has.admission)::int as admission,
        count(*) filter (where s.status <> 'deactivated' and has.documents)::int as documents
      from register_item s
      left join register_item f on f.id = (s.data ->> 'faculty')::uuid
      cross join lateral (select
        exists (select from account a where a.record_id = s.id and a.password_hash is not null) as password,
        exists (select from register_reference r join register_item n on n.id = r.item_id
          where r.target_id = s.id and r.path = '/student' and n.register = 'students/admission' and n.status = 'Active') as admission,
        exists (select from register_reference r join register_item n on n.id = r.item_id
          where r.target_id = s.id and r.path = '/student' and n.register = 'students/document' and n.status in ('Pending Upload', 'Rejected')) as documents
      ) has
      where s.register = 'platform/student' and (${intake}::text is null or s.data ->> 'intake' = ${intake})
      group by f.title order by f.title limit ${limit}`.execute(db)
    return rows.map((row) => ({ ...row }))
  },
}

export default report
