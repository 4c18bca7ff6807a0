import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'
import { TICKETS } from './tickets.ts'

interface Row {
  number: string
  name: string
  regNo: string
  season: string
  station: string
  route: string
  km: number
  from: string
  until: string
  state: string
}

/** The tickets for a station: those to print, to issue and issued. Replaced and cancelled ones are not listed. */
const report: Report = {
  async rows({ db, filter: { station, season, state }, limit }) {
    const only = (field: string, value: string | number | undefined) =>
      value === undefined ? sql`true` : sql`t.data ->> ${sql.lit(field)} = ${value}`
    const { rows } = await sql<Row>`
      select t.title as number, t.data ->> 'name' as name, t.data ->> 'reg_no' as "regNo", s.title as season,
        p.title as station, r.title as route, (t.data ->> 'km')::integer as km, t.data ->> 'from' as from,
        t.data ->> 'until' as until, coalesce(c.status, 'issued') as state
      from register_item t
        join register_item s on s.id = (t.data ->> 'season')::uuid
        join register_item p on p.id = (t.data ->> 'station')::uuid
        join register_item r on r.id = (t.data ->> 'route')::uuid
        left join flow_case c on c.reference = t.data ->> 'case_reference' and c.flow like 'season-tickets/%'
      where t.register = ${TICKETS} and t.status in ('In Preparation', 'Issued')
        and ${only('station', station)} and ${only('season', season)}
        and ${state === undefined ? sql`true` : sql`coalesce(c.status, 'issued') = ${state}`}
      order by t.data ->> 'from' desc, p.title, t.data ->> 'name', t.title limit ${limit}`.execute(db)
    return rows.map((row) => ({ ...row, state: `season-tickets.status.season-ticket-request.${row.state}` }))
  },
}

export default report
