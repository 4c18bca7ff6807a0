import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'
import { FLOW } from './payments/voucher.ts'

interface Row {
  desk: string
  decided: number
  median: number | null
  slowest: number | null
  open: number
}

const report: Report = {
  defaults: (today) => ({ from: `${today.slice(0, 4)}-01-01`, until: today }),

  async rows({ db, filter: { from, until }, limit }) {
    const { rows } = await sql<Row>`
      with looked as (
        select t.desk, t.name, t.state,
          t.state = 'done' and (t.decided_at at time zone 'Asia/Colombo')::date between ${from}::date and ${until}::date as counts,
          extract(epoch from t.decided_at - t.created_at)::float8 / 3600 as hours
        from task t join flow_case c on c.id = t.case_id where c.flow = ${FLOW})
      select max(name) as desk, (count(*) filter (where counts))::integer as decided,
        percentile_cont(0.5) within group (order by hours) filter (where counts) as median,
        max(hours) filter (where counts) as slowest, (count(*) filter (where state in ('open', 'held')))::integer as open
      from looked group by looked.desk
      having count(*) filter (where counts or state in ('open', 'held')) > 0
      order by max(name) limit ${limit}`.execute(db)
    return rows.map(({ median, slowest, ...row }) => ({ ...row, median: tenth(median), slowest: tenth(slowest) }))
  },
}

function tenth(hours: number | null): number | null {
  return hours === null ? null : Math.round(hours * 10) / 10
}

export default report
