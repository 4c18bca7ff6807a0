import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'

interface Account {
  bank: string
  branch: string
  account: string
}

interface Row {
  to: Account & { name: string }
  from: Account
  amount: number
  reference: string
}

/**
 * The file for the bank; only this module and its columns know the format. It has one line per transfer of a sent
 * batch, by number, with the accounts at the time of payment. It is empty before the batch is sent. Afterwards it never
 * changes: transfers are voided only before, and those returned later were in it.
 */
const report: Report = {
  async rows({ db, filter: { batch }, limit }) {
    if (batch === undefined) return []
    const { rows } = await sql<Row>`
      select p.paid_to as "to", p.paid_from as "from", p.amount::float8 as amount, p.number as reference
      from voucher_payment p join register_item batch on batch.id = p.batch_id
      where p.batch_id = ${batch}::uuid and batch.status = 'Sent' and p.method = 'transfer' and p.state <> 'voided'
      order by p.number limit ${limit}`.execute(db)
    return rows.map(({ to, from, amount, reference }, place) => ({
      line: place + 1,
      ...{ bank: to.bank, branch: to.branch, accountNumber: to.account, payee: to.name, amount, reference },
      ...{ fromBank: from.bank, fromBranch: from.branch, fromAccount: from.account },
    }))
  },
}

export default report
