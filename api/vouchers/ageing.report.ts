import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'
import { FLOW } from './payments/voucher.ts'

interface Row {
  id: string
  reference: string
  payee: string | null
  section: string | null
  status: string
  sent: string
  days: number
  total: number
}

const report: Report = {
  async rows({ db, filter: { section }, today, limit }) {
    const { rows } = await sql<Row>`
      select c.id, c.reference, c.subject ->> 'payee' as payee, s.title as section, c.status,
        to_char(c.created_at at time zone 'Asia/Colombo', 'YYYY-MM-DD') as sent,
        ${today}::date - (c.created_at at time zone 'Asia/Colombo')::date as days,
        coalesce((c.data ->> 'total')::float8, 0) as total
      from flow_case c left join register_item s on s.id::text = c.data ->> 'section'
      where c.flow = ${FLOW} and c.ended_at is null and c.withdrawn_at is null
        and (${section ?? null}::text is null or c.data ->> 'section' = ${section ?? null})
      order by c.created_at, c.id limit ${limit}`.execute(db)
    return rows.map(({ id, reference, total, ...row }) => ({
      ...row,
      voucher: { id, text: reference },
      upto30: row.days <= 30 ? total : null,
      upto60: row.days > 30 && row.days <= 60 ? total : null,
      upto90: row.days > 60 && row.days <= 90 ? total : null,
      over90: row.days > 90 ? total : null,
    }))
  },
}

export default report
