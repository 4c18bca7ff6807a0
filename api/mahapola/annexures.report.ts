import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'

interface Row {
  id: string
  reference: string
  month: string
  scheme: string
  faculty: string | null
  students: number
  paid: number
  returned: number | null
}

const report: Report = {
  async rows({ db, filter: { scheme, month }, limit }) {
    const { rows } = await sql<Row>`
      select c.id, c.reference, r.month, s.title as scheme, f.title as faculty, count(*)::integer as students,
        sum(l.total)::float8 as paid, (sum(l.total) filter (where l.state = 'returned'))::float8 as returned
      from run r join flow_case c on c.id = r.case_id join register_item s on s.id = r.scheme_id
      join run_line l on l.case_id = r.case_id and l.state in ('included', 'returned')
      left join register_item f on f.id = l.faculty_id
      where c.flow = 'mahapola/monthly-installment' and r.state = 'paid'
        and (${scheme ?? null}::uuid is null or r.scheme_id = ${scheme ?? null}::uuid)
        and (${month ?? null}::text is null or r.month = ${month ?? null})
      group by c.id, c.reference, r.month, s.title, r.paid_at, f.title
      order by r.month desc, r.paid_at desc, f.title nulls last limit ${limit}`.execute(db)
    return rows.map(({ id, reference, ...row }) => ({ ...row, instalment: { id, text: reference } }))
  },
}

export default report
