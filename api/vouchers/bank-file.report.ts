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
 * The file for the bank: this module and its columns are all that knows the format. One line per transfer of a batch that
 * is sent, by number, to and from the accounts as they were when it was paid. Until then there is none, and from then on
 * it is always the same: what is void was so before, and what came back later was in it.
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
