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

/**
 * Every instrument of the department as it was when the count was closed, or is now, and what else was found, as it was
 * then. What was not found is missing only if it was in stock in this department from the beginning to the end; what came
 * back or left meanwhile may have been where nobody looked any more. Rows that are changed later change nothing.
 * Entries of one transaction, such as the first ones, were there together.
 */
const report: Report = {
  async rows({ db, filter: { count, finding }, limit }) {
    if (!count) return []
    const { rows } = await sql<Row>`
      with c as (
        select i.id, i.status = 'Open' as open, i.data ->> 'department' as department, i.created_at as made,
          (select min(at) from register_item_version v where v.item_id = i.id) as began,
          coalesce((select min(at) from register_item_version v where v.item_id = i.id and v.status <> 'Open'), now()) as ended
        from register_item i where i.register = 'instruments/count' and i.id = ${count}::uuid
      ), found as (
        select (r.data ->> 'instrument')::uuid as instrument, r.data ->> 'place' as place, r.data ->> 'condition' as condition,
          first.at, a.name as by
        from c join register_reference n on n.path = '/count' and n.target_id = c.id
          join register_item_version first on first.item_id = n.item_id and first.version = 1 and first.at <= c.ended
          cross join lateral (select status, data from register_item_version v
            where v.item_id = n.item_id and v.at <= c.ended order by v.version desc limit 1) as r
          left join account a on a.id = first.changed_by
        where r.status = 'Entered'
      ), things as (
        select f.place as found_at, f.condition, f.at, f.by, c.department, c.open, was.data, was.status,
          coalesce(stayed.every, false) as stayed
        from c cross join register_item i left join found f on f.instrument = i.id
          cross join lateral (select status, data from register_item_version v
            where v.item_id = i.id and v.at <= coalesce(f.at, c.ended) order by v.version desc limit 1) as was
          left join lateral (select version, status, data from register_item_version v
            where v.item_id = i.id and (v.at <= c.began or (v.version = 1 and i.created_at <= c.made))
            order by v.version desc limit 1) as first on true
          cross join lateral (select bool_and(v.status = 'In Stock' and v.data ->> 'department' = c.department) as every
            from register_item_version v where v.item_id = i.id and v.at <= c.ended and v.version >= first.version) as stayed
        where i.register = ${INSTRUMENTS} and (f.instrument is not null
          or (c.department in (was.data ->> 'department', first.data ->> 'department')
            and not (was.status in ('Lost', 'Written Off') and coalesce(first.status, was.status) in ('Lost', 'Written Off'))))
      ), told as (
        select data ->> 'barcode' as barcode, data ->> 'name' as instrument, data ->> 'place' as place, found_at as "foundAt",
          condition, at as "countedAt", by as "countedBy", (data ->> 'value')::bigint as value, status,
          case when at is null then case when status in ('Lost', 'Written Off') then 'missing' when not stayed then 'away'
              when open then 'not-yet' else 'missing' end
            when data ->> 'department' <> department then 'elsewhere'
            when status <> 'In Stock' then 'unexpected' else 'in-place' end as finding
        from things
      )
      select * from told where ${finding ?? null}::text is null or finding = ${finding ?? null}
      order by array_position(array['missing', 'not-yet', 'unexpected', 'elsewhere', 'away', 'in-place'], finding), barcode
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
