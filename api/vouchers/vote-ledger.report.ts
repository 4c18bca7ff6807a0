import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'

/** The amounts are numerics, which the driver reads as texts. */
interface Row {
  number: string
  title: string
  budget: string
  committed: string
  spent: string
  lapsed: string
  available: string
}

const report: Report = {
  defaults: (today) => ({ year: Number(today.slice(0, 4)) }),

  async rows({ db, filter: { year, department }, limit }) {
    const { rows } = await sql<Row>`
      select i.data ->> 'number' as number, i.data ->> 'title' as title,
        coalesce(b.budget, 0) as budget, coalesce(b.committed, 0) as committed, coalesce(b.spent, 0) as spent,
        coalesce(b.lapsed, 0) as lapsed, coalesce(b.available, 0) as available
      from register_item i
      cross join lateral (
        select sum(balance) filter (where id like '%:budget') as budget,
          sum(balance) filter (where id like '%:committed') as committed,
          sum(balance) filter (where id like '%:spent') as spent,
          sum(balance) filter (where id like '%:lapsed') as lapsed,
          sum(balance) filter (where id like '%:available') as available
        from ledger_account
        where id = any (array(select 'vote:' || i.id || ':' || name
          from unnest('{budget,committed,spent,lapsed,available}'::text[]) as part (name)))) b
      where i.register = 'vouchers/vote' and i.data ->> 'year' = ${String(year)}
        and (${department ?? null}::text is null or i.data ->> 'department' = ${department ?? null})
      order by 1, i.id limit ${limit}`.execute(db)
    return rows.map(({ number, title, ...cents }) => {
      const [budget, committed, spent] = [Number(cents.budget), Number(cents.committed), Number(cents.spent)]
      const [lapsed, available] = [Number(cents.lapsed), Number(cents.available)]
      // A surplus over its budget was carried over from the previous year; a shortfall went to the next.
      const carried = committed + spent + lapsed + available - budget
      return { number, title, budget, carried, committed, spent, lapsed, available }
    })
  },
}

export default report
