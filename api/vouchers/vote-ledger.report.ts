import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'

const report: Report = {
  defaults: (today) => ({ year: Number(today.slice(0, 4)) }),

  async rows({ db, filter: { year, department }, limit }) {
    const { rows } = await sql<Record<string, string>>`
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
    return rows.map(({ number, title, ...amounts }) => {
      const { budget, committed, spent, lapsed, available } = Object.fromEntries(
        Object.entries(amounts).map(([name, cents]) => [name, Number(cents)]),
      ) as Record<'budget' | 'committed' | 'spent' | 'lapsed' | 'available', number>
      // A surplus over its budget was carried over from the previous year; a shortfall went to the next.
      const carried = committed + spent + lapsed + available - budget
      return { number: number!, title: title!, budget, carried, committed, spent, lapsed, available }
    })
  },
}

export default report
