import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'

const report: Report = {
  defaults: (today) => ({ from: `${today.slice(0, 4)}-01-01`, until: today }),

  async rows({ db, filter: { payee, batch, state, from, until }, limit }) {
    const day = (moment: string) => sql<string>`to_char(${sql.ref(moment)} at time zone 'Asia/Colombo', 'YYYY-MM-DD')`
    let wanted = db
      .selectFrom('voucher_payment as p')
      .innerJoin('flow_case as c', 'c.id', 'p.case_id')
      .innerJoin('register_item as payee', 'payee.id', 'p.payee_id')
      .innerJoin('register_item as batch', 'batch.id', 'p.batch_id')
      .where(sql<boolean>`${day('p.issued_at')} between ${from} and ${until}`)
    if (payee !== undefined) wanted = wanted.where('p.payee_id', '=', String(payee))
    if (batch !== undefined) wanted = wanted.where('p.batch_id', '=', String(batch))
    if (state !== undefined) wanted = wanted.where('p.state', '=', String(state))
    const rows = await wanted
      .orderBy('p.number', 'desc')
      .limit(limit)
      .select(['p.number', 'p.method', 'p.cheque_number as cheque', 'p.state', 'c.id', 'c.reference'])
      .select(['payee.title as payee', 'batch.title as batch', sql<number>`p.amount::float8`.as('amount')])
      .select(sql<string | null>`nullif(concat_ws(' · ', p.bank_reference, p.note), '')`.as('note'))
      .select([day('p.issued_at').as('day'), sql<string | null>`to_char(p.ended_on, 'YYYY-MM-DD')`.as('ended')])
      .execute()
    return rows.map(({ id, reference, method, state: now, ...row }) => ({
      ...row,
      voucher: { id, text: reference },
      method: `vouchers.method.${method}`,
      state: `vouchers.payment-state.${now}`,
    }))
  },
}

export default report
