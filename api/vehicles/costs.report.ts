import { sql } from 'kysely'
import { dayAway } from '../platform/kernel/colombo.ts'
import type { Report } from '../platform/model/definitions/report.ts'
import { CHARTS, LICENCES, VEHICLES } from './trips.ts'

interface Row {
  vehicle: string
  kilometres: number
  fuel: number
  services: number
  maintenance: number
  licences: number
  hire: number
}

const REPORT_DAYS = 90

/** What each vehicle cost in a period, and per kilometre of its running charts; the dearest first. */
const report: Report = {
  defaults: (today) => ({ from: dayAway(today, -REPORT_DAYS), until: today }),
  async rows({ db, filter: { from, until, ownership }, limit }) {
    const spent = (register: string, day: string, statuses: readonly string[]) => sql<number>`(
      select coalesce(sum((e.data ->> 'cost')::bigint), 0)::double precision from register_item e
      where e.register = ${register} and e.data ->> 'vehicle' = v.id::text and e.status in (${sql.join(statuses)})
        and e.data ->> ${sql.lit(day)} between ${from} and ${until})`
    const { rows } = await sql<Row>`
      with driven as (
        select c.data ->> 'vehicle' as vehicle, sum((c.data ->> 'meter_in')::integer - (c.data ->> 'meter_out')::integer) as km,
          sum(((c.data ->> 'meter_in')::integer - (c.data ->> 'meter_out')::integer)
            * coalesce((case when r.found then r.rate else n.data ->> 'rate' end)::bigint, 0)) as hire
        from register_item c left join register_item n on n.id = (c.data ->> 'vehicle')::uuid left join lateral (
          -- What a kilometre cost when the trip began.
          select true as found, e.data ->> 'rate' as rate from register_item_version e where e.item_id = n.id
          order by e.at > (c.data ->> 'left_at')::timestamptz,
            case when e.at > (c.data ->> 'left_at')::timestamptz then e.version else -e.version end
          limit 1
        ) r on true
        where c.register = ${CHARTS} and c.status = 'Entered'
          and ((c.data ->> 'left_at')::timestamptz at time zone 'Asia/Colombo')::date between ${from}::date and ${until}::date
        group by 1
      )
      select v.title as vehicle, coalesce(d.km, 0)::integer as kilometres,
        ${spent('vehicles/fueling', 'filled_on', ['Entered'])} as fuel,
        ${spent('vehicles/service', 'serviced_on', ['Done'])} as services,
        ${spent('vehicles/maintenance', 'reported_on', ['Approved'])} as maintenance,
        ${spent(LICENCES, 'from', ['Active', 'expired'])} as licences,
        coalesce(d.hire, 0)::double precision as hire
      from register_item v left join driven d on d.vehicle = v.id::text
      where v.register = ${VEHICLES} and (${ownership ?? null}::text is null or v.data ->> 'ownership' = ${ownership ?? null})
      order by v.title`.execute(db)
    return rows
      .map((row) => {
        const total = row.fuel + row.services + row.maintenance + row.licences + row.hire
        return { ...row, total, perKm: row.kilometres > 0 ? Math.round(total / row.kilometres) : null }
      })
      .toSorted((a, b) => (b.perKm ?? 0) - (a.perKm ?? 0))
      .slice(0, limit)
  },
}

export default report
