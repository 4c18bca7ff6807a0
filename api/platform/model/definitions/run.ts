import type { Listing } from './listing.ts'

/**
 * `run` of a manifest: the people that its cases pay in a month. Pointers lead into the start form, or into entries of
 * the register they are listed with. Months are `YYYY-MM`; of a day its month counts.
 */
export interface RunDefinition {
  /** The field that names the scheme, a register entry. */
  scheme: string
  month: string
  /** The field that names the paying bank account. */
  paidFrom: string
  /** Active entries of the scheme whose period includes the month. */
  recipients: {
    register: string
    scheme?: string
    student: string
    from?: string
    until?: string
    /** True if all documents are complete. */
    complete?: string
    /** An individual amount in cents, instead of the scheme's. */
    amount?: string
    /** Recipients with this status are left out with the code that the field holds. */
    paused?: { status: string; reason: string }
  }
  /** The flow by which students apply to become recipients. */
  applications?: string
  amount: RunAmount
  attendance?: RunAttendance
  /** Who is listed in one of these in the month is left out. */
  unless?: Listing[]
  /** Only active accounts are paid; a run of cheques needs none. */
  account?: { register: string; student: string; bank: string; branch: string; number: string; name: string }
  /** Columns of the file for the bank; `bankFile` of this module if the manifest names none. */
  bankFile?: BankColumn[]
  /** Unsigned lines are left out when the run is paid. */
  signing: boolean
  /** Who records signatures at the counter and from the printed sheet: roles, or `group:<permission group>`. */
  signedBy?: string[]
  /** Who records returned payments; another of them says that one was paid after all. */
  returnedBy?: string[]
  /** Who says that a month which a paid run left out is owed after all. */
  owedBy?: string[]
  /** Of the flow's schemes one alone pays a student in a month. */
  oncePerMonth?: true
  /** `transfer`, `cheque`, or a lookup of one of them. */
  method: string
}

/** A column of the file for the bank: its heading, and what stands below it; `amount` is in rupees with two decimals. */
export interface BankColumn {
  head: string
  value: 'line' | 'bank' | 'bankName' | 'branch' | 'branchName' | 'account' | 'name' | 'amount' | 'reference' | 'code'
}

/** The layout for runs that began before manifests named one. */
export const bankFile: readonly BankColumn[] = (
  ['line', 'bank', 'branch', 'account', 'name', 'amount', 'reference'] as const
).map((value) => ({ head: value, value }))

/**
 * Where the attendance of a month is recorded; who has no entry for it is left out, and who has not attended. They have
 * if `attended` holds `is`; or if the days `present`, in per cent of the days `held`, are at least `least`.
 * The month may be that of an entry: `/criterion#/title`.
 */
export type RunAttendance = { register: string; recipient: string; month: string } & (
  | { attended: string; is: string }
  | { present: string; held: string; least: string }
)

/**
 * The amount for each recipient: the newest value of a register whose month is not later, in cents; or whole rupees
 * from the form or the scheme. A value that is not a number means no amount.
 */
export type RunAmount = { register: string; scheme?: string; from: string; value: string } | { at: string }
