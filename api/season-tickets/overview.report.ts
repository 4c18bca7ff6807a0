import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'

interface Row {
  season: string
  transport: string
  opens: string
  closes: string
  new: number
  checked: number
  approved: number
  printed: number
  issued: number
  rejected: number
}

const FLOW = 'season-tickets/season-request'

/** Each season with the number of its requests in each status; those that were withdrawn or lapsed do not count. */
const report: Report = {
  async rows({ db, filter: { transport }, limit }) {
    const inStatus = (status: string) => sql`(count(c.id) filter (where c.status = ${status}))::integer`
    const { rows } = await sql<Row>`
      select s.title as season, s.data ->> 'transport' as transport, s.data ->> 'opens' as opens,
        s.data ->> 'closes' as closes, ${inStatus('new')} as new, ${inStatus('checked')} as checked,
        ${inStatus('approved')} as approved, ${inStatus('printed')} as printed, ${inStatus('issued')} as issued,
        ${inStatus('rejected')} as rejected
      from register_item s left join flow_case c on c.flow = ${FLOW} and c.data ->> 'season' = s.id::text
        and c.withdrawn_at is null and (c.state = 'running' or c.status in ('issued', 'rejected'))
      where s.register = 'season-tickets/season'
        and (${transport ?? null}::text is null or s.data ->> 'transport' = ${transport ?? null})
      group by s.id order by s.data ->> 'opens' desc, s.title limit ${limit}`.execute(db)
    return rows.map((row) => ({ ...row, transport: `season-tickets.transport.${row.transport}` }))
  },
}

export default report
