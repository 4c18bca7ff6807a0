import { sql } from 'kysely'
import type { Report } from '../platform/reports/report.ts'

interface Row {
  bank: string
  branch: string
  account_number: string
  payee: string
  amount: number
  reference: string
  from_bank: string
  from_branch: string
  from_account: string
}

/**
 * The file for the bank: this module and its columns are all that knows the format. One line per transfer of the batch
 * that counts, by number; the payee's account as it was when the voucher was paid, account numbers without blanks.
 */
const report: Report = {
  async rows({ db, filter: { batch }, limit }) {
    if (batch === undefined) return []
    const { rows } = await sql<Row>`
      select bank.data ->> 'code' as bank, right(branch.data ->> 'code', 3) as branch, payee.data ->> 'account_number' as account_number,
        payee.data ->> 'name' as payee, p.amount::float8 as amount, p.number as reference, own_bank.data ->> 'code' as from_bank,
        right(own_branch.data ->> 'code', 3) as from_branch, own.data ->> 'account_number' as from_account
      from voucher_payment p
      join register_item_version payee on payee.item_id = p.payee_id and payee.version = p.payee_version
      left join register_item bank on bank.id::text = payee.data ->> 'bank'
      left join register_item branch on branch.id::text = payee.data ->> 'branch'
      join register_item own on own.id = p.bank_account_id
      left join register_item own_bank on own_bank.id::text = own.data ->> 'bank'
      left join register_item own_branch on own_branch.id::text = own.data ->> 'branch'
      where p.batch_id = ${batch}::uuid and p.method = 'transfer' and p.state in ('issued', 'settled')
      order by p.number limit ${limit}`.execute(db)
    return rows.map((row, place) => ({
      line: place + 1,
      ...{ bank: row.bank, branch: row.branch, payee: row.payee, amount: row.amount, reference: row.reference },
      accountNumber: digits(row.account_number),
      ...{ fromBank: row.from_bank, fromBranch: row.from_branch, fromAccount: digits(row.from_account) },
    }))
  },
}

function digits(account: string | null): string {
  return (account ?? '').replaceAll(/[ -]/g, '')
}

export default report
