/** What the desk that pays answers: `vouchers/pay`. */
export type PaymentForm = {
  method: 'cheque' | 'transfer'
  bank_account: string
  cheque_no?: string
}

/** What the desk behind it answers: `vouchers/settle`. */
export type SettlementForm = {
  outcome: 'settle' | 'void' | 'return_payment'
  settled_on?: string
  received_by?: string
  bank_reference?: string
  reason?: string
}

/** What the case says of its payment. */
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
