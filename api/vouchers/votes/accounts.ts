import { accountOfItem } from '../../platform/records/registers/books.ts'

/** The register of votes. */
export const VOTES = 'vouchers/vote'

/** The amount that a voucher takes from a vote, in cents. */
export type VoteLine = {
  vote: string
  amount: number
}

type Account = 'available' | 'committed' | 'spent' | 'lapsed'

/** The ledger account of a vote. */
export const accountOf = (vote: string, account: Account) => accountOfItem(VOTES, vote, account)
/** The ledger account of a university bank account. */
export const bankOf = (bankAccount: string) => `bank:${bankAccount}`
/** The ledger account of what the university has spent through vouchers. */
export const EXPENDITURE = 'expenditure:vouchers'
