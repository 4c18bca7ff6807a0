/** The answer of the paying desk: `vouchers/pay`. */
export type PaymentForm = {
  method: 'cheque' | 'transfer'
  bank_account: string
  cheque_no?: string
}

/** The answer of the next desk: `vouchers/settle`. */
export type SettlementForm = {
  outcome: 'settle' | 'void' | 'return_payment'
  settled_on?: string
  received_by?: string
  bank_reference?: string
  reason?: string
}

/** The payment in the facts of the case. */
export type PaymentFact = {
  number: string
  method: string
  cheque: string | null
  batch: string
  amount: number
  /** Day in Colombo. */
  on: string
  state: string
}
