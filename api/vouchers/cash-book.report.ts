import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'
import { bankOf } from './votes/accounts.ts'

interface Row {
  day: string
  account: string
  number: string
  case_id: string
  reference: string
  payee: string
  cheque: string | null
  kind: string
  out: number
  back: number
  running: number
}

const report: Report = {
  defaults: (today) => ({ from: `${today.slice(0, 7)}-01`, until: today }),

  // From the ledger, so that it shows what moved; payments and runs only add the purpose.
  async rows({ db, filter: { bank_account: account, from, until }, limit }) {
    const { rows } = await sql<Row>`
      select * from (
        select to_char(e.at at time zone 'Asia/Colombo', 'YYYY-MM-DD') as day, a.title as account, coalesce(p.number, case when e.kind = 'advance-returned' then e.memo end, '') as number,
          c.id as case_id, c.reference, coalesce(payee.title, scheme.title || ', ' || e.memo, asked.name) as payee, coalesce(p.cheque_number, returned.number, cheques.range) as cheque, e.kind,
          greatest(-l.amount, 0)::float8 as out, greatest(l.amount, 0)::float8 as back,
          (-sum(l.amount) over (partition by l.account_id order by e.at, e.id))::float8 as running, e.at, e.id
        from register_item a
        join ledger_line l on l.account_id = ${bankOf('')}::text || a.id
        join ledger_entry e on e.id = l.entry_id
        join flow_case c on c.id = e.case_id
        join account asked on asked.id = c.requester_id
        left join voucher_payment p on p.entry_key = e.key or p.reversal_key = e.key
        left join register_item payee on payee.id = p.payee_id
        left join run r on r.case_id = e.case_id
        left join run_line back on back.reversal_key = e.key
        left join run_cheque returned on returned.line_id = back.id
        left join lateral (
          select min(number) || case when count(*) > 1 then '–' || max(number) else '' end as range
          from run_cheque where case_id = r.case_id and e.key = r.entry_key having count(*) > 0) cheques on true
        left join register_item scheme on scheme.id = r.scheme_id
        where a.register = 'vouchers/bank-account' and coalesce(a.id = ${account ?? null}::uuid, true)) moved
      where day between ${from} and ${until}
      order by at desc, id desc limit ${limit}`.execute(db)
    return rows.map(({ day, account: paidFrom, number, case_id: id, reference, payee, cheque, kind, ...amounts }) => ({
      ...{ day, account: paidFrom, number, payee, cheque },
      voucher: { id, text: reference },
      kind: `vouchers.entry.${kind}`,
      out: amounts.out || null,
      back: amounts.back || null,
      running: amounts.running,
    }))
  },
}

export default report
