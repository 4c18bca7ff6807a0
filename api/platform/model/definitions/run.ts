/**
 * `run` of a manifest: whom its cases pay in a month. Pointers into the start form, or into items of the register beside
 * which they stand; months are `YYYY-MM`, and of a day its month counts.
 */
export interface RunDefinition {
  /** The field that names the scheme: an item of a register. */
  scheme: string
  month: string
  /** The field that names the bank account that pays. */
  paidFrom: string
  /** Items in use of the scheme whose period has the month in it. */
  recipients: {
    register: string
    scheme?: string
    student: string
    from?: string
    until?: string
    /** Something true: all documents are there. */
    complete?: string
    /** An amount of their own in cents, instead of the scheme's. */
    amount?: string
  }
  amount: RunAmount
  /** Who is not noted as `is` in that month is left out. */
  attendance?: { register: string; recipient: string; month: string; attended: string; is: string }
  /** Only an account in use is paid to; a run of cheques asks for none. */
  account?: { register: string; student: string; bank: string; branch: string; number: string; name: string }
  /** Who has not signed when it is paid is left out. */
  signing: boolean
  /** Who notes signatures at the counter and from the printed sheet: roles, or `group:<permission group>`. */
  signedBy?: string[]
  /** Who notes what the bank gives back. */
  returnedBy?: string[]
  /** `transfer`, `cheque`, or a lookup of one of both. */
  method: string
}

/**
 * What each recipient gets: the newest value of a register whose month is not later, in cents; or whole rupees that stand
 * in the form or in the scheme, where anything but a number is no amount.
 */
export type RunAmount = { register: string; scheme?: string; from: string; value: string } | { at: string }
