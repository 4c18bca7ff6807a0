import { accountOfItem } from '../../platform/records/registers/books.ts'

/** The register of the votes. */
export const VOTES = 'vouchers/vote'

/** What a voucher takes of a vote, in cents. */
export type VoteLine = {
  vote: string
  amount: number
}

type Account = 'available' | 'committed' | 'spent' | 'lapsed'

/** The ledger account of a vote. */
export const accountOf = (vote: string, account: Account) => accountOfItem(VOTES, vote, account)
/** The money of an account of the university, as far as vouchers move it. */
export const bankOf = (bankAccount: string) => `bank:${bankAccount}`
/** What the university has spent through vouchers. */
export const EXPENDITURE = 'expenditure:vouchers'
