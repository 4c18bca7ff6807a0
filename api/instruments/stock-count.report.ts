import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'
import { INSTRUMENTS } from './loans.ts'

interface Row {
  finding: string
  barcode: string
  instrument: string
  status: string
  place: string | null
  foundAt: string | null
  condition: string | null
  countedAt: Date | null
  countedBy: string | null
  value: number
}

/** The register of what a count has found. */
const COUNTED = 'instruments/counted'

/**
 * Every instrument of the department as it was when the count was closed, or is now, and what else was found. One that
 * was found has the status that it had then. One that was not is missing only if it was in stock from the beginning to
 * the end; what came back or left meanwhile may have been where nobody looked any more.
 */
const report: Report = {
  async rows({ db, filter: { count, finding }, limit }) {
    if (!count) return []
    const { rows } = await sql<Row>`
      with c as (
        select i.id, i.data ->> 'department' as department, i.created_at as began,
          coalesce((select min(at) from register_item_version v where v.item_id = i.id and v.status = 'Closed'), now()) as ended
        from register_item i where i.register = 'instruments/count' and i.id = ${count}::uuid
      ), found as (
        select (r.data ->> 'instrument')::uuid as instrument, r.data ->> 'place' as place, r.data ->> 'condition' as condition,
          r.created_at as at, a.name as by
        from c join register_item r on r.register = ${COUNTED} and r.status = 'Entered' and r.data ->> 'count' = c.id::text
          left join register_item_version v on v.item_id = r.id and v.version = 1
          left join account a on a.id = v.changed_by
      ), things as (
        select i.id, f.place as found_at, f.condition, f.at, f.by, c.department, last.data, last.status as ended_as,
          coalesce(first.status, last.status) as began_as, coalesce("then".status, last.status) as found_as
        from c cross join register_item i left join found f on f.instrument = i.id
          cross join lateral (select status, data from register_item_version v where v.item_id = i.id and v.at <= c.ended
            order by v.version desc limit 1) as last
          left join lateral (select status from register_item_version v where v.item_id = i.id and v.at <= c.began
            order by v.version desc limit 1) as first on true
          left join lateral (select status from register_item_version v where v.item_id = i.id and v.at <= f.at
            order by v.version desc limit 1) as "then" on true
        where i.register = ${INSTRUMENTS} and (f.instrument is not null
          or (last.data ->> 'department' = c.department and last.status not in ('Lost', 'Written Off')))
      ), told as (
        select data ->> 'barcode' as barcode, data ->> 'name' as instrument, data ->> 'place' as place, found_at as "foundAt",
          condition, at as "countedAt", by as "countedBy", (data ->> 'value')::bigint as value,
          case when at is null then ended_as else found_as end as status,
          case when at is null then case when ended_as = 'In Stock' and began_as = 'In Stock' then 'missing' else 'away' end
            when data ->> 'department' <> department then 'elsewhere'
            when found_as <> 'In Stock' then 'unexpected' else 'in-place' end as finding
        from things
      )
      select * from told where ${finding ?? null}::text is null or finding = ${finding ?? null}
      order by array_position(array['missing', 'unexpected', 'elsewhere', 'away', 'in-place'], finding), barcode
      limit ${limit}`.execute(db)
    return rows.map(({ finding: found, status, condition, countedAt, value, ...row }) => ({
      ...row,
      value: Number(value),
      finding: `instruments.finding.${found}`,
      status: `platform.item-status.${status.toLowerCase().replaceAll(' ', '-')}`,
      condition: condition && `instruments.condition.${condition}`,
      countedAt: countedAt && countedAt.toISOString(),
    }))
  },
}

export default report
